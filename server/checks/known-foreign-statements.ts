/**
 * Statements on tables of others that were there before tables had owners. This list may only shrink: a line that is no
 * longer needed is a problem, too. `reads <who> <table>` or `writes <who> <table>`.
 */
export const KNOWN_FOREIGN_STATEMENTS: readonly string[] = [
  'reads outbox webhooks',
  'writes outbox webhook_deliveries',
];
