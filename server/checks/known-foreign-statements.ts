/**
 * Statements on tables of others that were there before tables had owners. This list may only shrink: a line that is no
 * longer needed is a problem, too. `reads <who> <table>` or `writes <who> <table>`. The one that is left is of
 * the accept function of the release before: its processes call it while those of the next one start (migration 0018).
 */
export const KNOWN_FOREIGN_STATEMENTS: readonly string[] = ['writes outbox webhook_deliveries'];
