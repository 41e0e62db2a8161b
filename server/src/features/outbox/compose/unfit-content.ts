/** Why a message that was accepted cannot be made for this recipient: a sentence for its sender. It is never sent. */
export class UnfitContent extends Error {}
