/** Why a message cannot be sent as it is: a sentence for its sender. */
export class RawMessageError extends Error {}
