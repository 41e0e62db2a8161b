/** Html that cannot be mailed as it is. `message` is a sentence for its author. */
export class RefusedHtml extends Error {}
