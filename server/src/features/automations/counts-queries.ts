import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Tally } from '#platform/tally/tally.ts';

export interface RunCounts {
  enrolled: number;
  active: number;
  completed: number;
  exited: number;
  failed: number;
}

export const runTally: Tally = {
  table: sql`automation_counts`,
  key: sql`automation_id`,
  columns: sql`enrolled, active, completed, exited, failed`,
  sums: sql`sum(enrolled), sum(active), sum(completed), sum(exited), sum(failed)`,
};

const NONE: RunCounts = { enrolled: 0, active: 0, completed: 0, exited: 0, failed: 0 };

/** By automation, of a page of them. */
export async function countRunsOf(
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<(id: string) => RunCounts> {
  const { rows } = await sql<RunCounts & { id: string }>`
    select automation_id as id, sum(enrolled)::bigint as enrolled, sum(active)::bigint as active,
           sum(completed)::bigint as completed, sum(exited)::bigint as exited, sum(failed)::bigint as failed
      from automation_counts
     where workspace_id = ${workspaceId} and automation_id = any (${[...ids]}::uuid[])
     group by automation_id`.execute(db);
  const counts = new Map(rows.map(({ id, ...sums }) => [id, sums]));
  return (id) => counts.get(id) ?? NONE;
}
