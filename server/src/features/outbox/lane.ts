/** Whose turn comes first. A lower lane waits for a higher one, but bulk is never left less than one slot in five. */
export type Lane = 'system' | 'transactional' | 'bulk';

/** As stored: claim order is (lane, turn). */
export const LANES: Readonly<Record<Lane, number>> = { system: 0, transactional: 1, bulk: 2 };
