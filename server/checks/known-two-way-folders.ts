/** Folders that import each other and are still to be parted. This list may only shrink. */
export const KNOWN_TWO_WAY_FOLDERS: readonly string[] = ['feedback: notifications ↔ queries'];
