import { type RawBuilder, sql } from 'kysely';
import { invalid } from '../errors/app-error.ts';
import type { Db } from './database.ts';

/**
 * Records that one page of a list looks at, where no index serves its filter. An index for each filter would make each
 * record dearer to write, and a look without an end takes as long as the list is.
 */
export const LOOKED_AT_MAX = 10_000;

/** A page of such a list. `goOnAfter` is the last record that was looked at, when there are others behind it. */
export interface LookedAt<Row> {
  rows: Row[];
  goOnAfter: string | null;
}

/**
 * The record at which a page stops looking; null when it can look at all that are left. `span` selects the `id`s in the
 * order of the list, behind the cursor, by an index. A page number counts from the newest record, which a page that
 * stops cannot do: it is refused and not answered with a wrong page.
 */
export async function endOfLook(
  db: Db,
  span: RawBuilder<unknown>,
  page: { offset?: number },
  lookedAtMax?: number,
): Promise<string | null> {
  return (await lastOf<{ id: string }>(db, span, sql`t.id`, page, lookedAtMax))?.id ?? null;
}

/** The same for a list in the order of a time, which `span` selects as `at` beside the `id`. */
export const endOfTimedLook = (
  db: Db,
  span: RawBuilder<unknown>,
  page: { offset?: number },
  lookedAtMax?: number,
): Promise<{ id: string; time: string } | undefined> =>
  lastOf(
    db,
    span,
    sql`t.id, to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time`,
    page,
    lookedAtMax,
  );

async function lastOf<Row>(
  db: Db,
  span: RawBuilder<unknown>,
  columns: RawBuilder<unknown>,
  { offset = 0 }: { offset?: number },
  lookedAtMax = LOOKED_AT_MAX,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from (${span} offset ${lookedAtMax - 1} limit 1) t`.execute(db);
  if (rows.length > 0 && offset > 0) {
    throw invalid('page', 'With this filter, continue with cursor in place of page: a page looks at 10,000 records.');
  }
  return rows[0];
}
