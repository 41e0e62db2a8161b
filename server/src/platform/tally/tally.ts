import type { RawBuilder } from 'kysely';

/**
 * A tally: counts of a key that are sums of changes. The statement that changes what is counted inserts a row with the
 * change, mostly by a trigger. So no writer waits for another, and the sum is true in every snapshot. A reader adds up
 * all rows of the key, folded or not. A service folds: it replaces the new rows of each key, and its sum so far, by one
 * row. A reader therefore sees the changes or their sum, never both and never neither.
 *
 * The table belongs to a feature. Beside `workspace_id`, `id` and the key it has the columns named here, and
 * `folded boolean not null default false`. An index on the rows that are not folded pays where changes are many.
 */
export interface Tally {
  table: RawBuilder<unknown>;
  /** One column, or several after each other. None of them may be null: keys are compared. */
  key: RawBuilder<unknown>;
  /** Every other column that is kept, and the sum of each, in the same order: `sum(active)`, `max(last_event_at)`. */
  columns: RawBuilder<unknown>;
  sums: RawBuilder<unknown>;
}
