/** A point of the code between two steps that a crash can part. */
export interface Boundary {
  at: string;
  /** The last passing that 25 recipients in requests of one to four usually reach. */
  lastPass: number;
}

/** Of accepting, with an Idempotency-Key: the answer commits with the emails. */
export const ACCEPT_BOUNDARIES: readonly Boundary[] = [
  { at: 'outbox.accept.before-statement', lastPass: 6 },
  { at: 'outbox.accept.after-commit', lastPass: 6 },
  { at: 'http.idempotent-before-commit', lastPass: 5 },
  { at: 'http.idempotent-after-commit', lastPass: 5 },
];

/** Of handing over: claims and outcomes are written in pages, so there are few passings of theirs. */
export const HAND_OFF_BOUNDARIES: readonly Boundary[] = [
  { at: 'outbox.claim.after-commit', lastPass: 2 },
  { at: 'outbox.hand-off.before-provider', lastPass: 20 },
  { at: 'outbox.hand-off.before-record', lastPass: 20 },
  { at: 'outbox.hand-off.during-provider', lastPass: 20 },
  { at: 'outbox.hand-off.after-provider', lastPass: 20 },
  { at: 'outbox.settle.before', lastPass: 2 },
  { at: 'outbox.settle.after', lastPass: 2 },
];

/**
 * The boundaries of one of several installations. By default each is tried in one of them, in turn: the code between
 * two steps is the same in all, and a start takes two seconds of processor time. With POSTHORN_PROPERTY_RUNS, all are
 * tried in each.
 */
export const inTurn = <T>(boundaries: readonly T[], installation: number, installations: number): T[] =>
  boundaries.filter(
    (_, place) => process.env['POSTHORN_PROPERTY_RUNS'] !== undefined || place % installations === installation,
  );
