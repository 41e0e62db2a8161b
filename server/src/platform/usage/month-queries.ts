import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** The month of a subject, such as a workspace with a quota. */
export interface MonthOf {
  workspaceId: string;
  subjectId: string;
}

/** By the clock of the database, at the start of the transaction. */
const month = sql`date_trunc('month', now(), 'UTC')`;

export async function lockMonth(tx: Db, { workspaceId, subjectId }: MonthOf): Promise<{ used: number; resetAt: Date }> {
  await sql`
    insert into usage_windows (workspace_id, subject_id, tier, window_start, used)
    values (${workspaceId}, ${subjectId}, 'monthly', ${month}, 0) on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ used: number; resetAt: Date }>`
    select used, (window_start at time zone 'UTC' + interval '1 month') at time zone 'UTC' as "resetAt"
      from usage_windows
     where workspace_id = ${workspaceId} and subject_id = ${subjectId} and tier = 'monthly' and window_start = ${month}
       for update`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('the window was just made and is not there');
  return row;
}

export async function changeUsed(tx: Db, { workspaceId, subjectId }: MonthOf, count: number): Promise<void> {
  await sql`
    update usage_windows set used = used + ${count}
     where workspace_id = ${workspaceId} and subject_id = ${subjectId} and tier = 'monthly' and window_start = ${month}`.execute(
    tx,
  );
}
