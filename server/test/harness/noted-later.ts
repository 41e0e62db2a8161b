import { type RawBuilder, sql } from 'kysely';

/**
 * The rows (t) of a table but for those that the process writes some seconds after the request that they tell of: the
 * uses of API keys (decision 0212). No test that compares what is stored may see them.
 */
export const rowsAtOnce = (table: string): RawBuilder<unknown> =>
  table === 'usage_windows' ? sql`(t.tier <> 'uses')` : sql`true`;
