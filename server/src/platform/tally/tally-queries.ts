import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tally } from './tally.ts';

/**
 * Replaces up to `limit` changes, and the sums that they belong to, by new sums: in one statement, so that every
 * snapshot has either. Rows that another process folds at this moment are skipped; two sums of one key are as good as
 * one and are folded with the next change. Returns how many changes went.
 */
export async function foldPage(db: Db, { table, key, columns, sums }: Tally, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with changes as materialized (
      select workspace_id, id, ${key} from ${table}
       where not folded -- every workspace: one process folds for all
       order by workspace_id, ${key} limit ${limit} for update skip locked
    ), earlier as materialized (
      select c.workspace_id, c.id from (select distinct workspace_id, ${key} from changes) k
        join ${table} c using (workspace_id, ${key})
       where c.folded
         for update of c skip locked
    ), gone as (
      delete from ${table} c
       using (select workspace_id, id from changes union all select workspace_id, id from earlier) as g
       where c.workspace_id = g.workspace_id and c.id = g.id
      returning c.*
    ), kept as (
      insert into ${table} (workspace_id, ${key}, ${columns}, folded)
      select workspace_id, ${key}, ${sums}, true from gone group by workspace_id, ${key}
    )
    select count(*)::integer as n from changes`.execute(db);
  return rows[0]?.n ?? 0;
}
