import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { ScheduledEmail } from '../scheduled-email.ts';
import { columns } from './columns.ts';

export interface DueEmail {
  workspaceId: string;
  id: string;
}

/**
 * Scheduled emails whose time has come, those that wait longest first. `until`: the time that has passed for certain,
 * because the clock of the database may have been set forward.
 */
export async function listDueEmails(db: Db, { limit, until }: { limit: number; until: Date }): Promise<DueEmail[]> {
  const { rows } = await sql<DueEmail>`
    -- every workspace: one service looks for everybody. A workspace that is paused keeps what it has scheduled.
    select s.workspace_id as "workspaceId", s.id from scheduled_emails s
      join workspaces w on w.id = s.workspace_id and w.status = 'active'
     where s.status = 'scheduled' and s.scheduled_for <= least(statement_timestamp(), ${until})
     order by s.scheduled_for limit ${limit}`.execute(db);
  return rows;
}

/**
 * The email, held, when it is still due, and how late it is; undefined when another process has it or has sent it, or
 * it is not due any more.
 */
export async function lockDueEmail(
  tx: Db,
  due: DueEmail,
): Promise<(ScheduledEmail & { lateSeconds: number }) | undefined> {
  const { rows } = await sql<ScheduledEmail & { lateSeconds: number }>`
    select ${columns}, extract(epoch from clock_timestamp() - s.scheduled_for)::double precision as "lateSeconds"
      from scheduled_emails s
      join workspaces w on w.id = s.workspace_id and w.status = 'active'
     where s.workspace_id = ${due.workspaceId} and s.id = ${due.id} and s.status = 'scheduled'
       and s.scheduled_for <= clock_timestamp()
       for update of s skip locked`.execute(tx);
  return rows[0];
}
