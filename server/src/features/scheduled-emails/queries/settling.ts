import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { KeptBody } from '../scheduled-email.ts';

export interface LookedAtEmail {
  workspaceId: string;
  id: string;
  sendId: string;
  scheduledFor: Date;
  body: KeptBody;
}

/** Emails that are being sent and whose turn to be looked at has come, held: two processes do not look at one. */
export async function lockProcessing(tx: Db, limit: number): Promise<LookedAtEmail[]> {
  const { rows } = await sql<LookedAtEmail>`
    -- every workspace: one service looks for everybody
    select s.workspace_id as "workspaceId", s.id, s.job_id as "sendId", s.scheduled_for as "scheduledFor", s.body
      from scheduled_emails s
     where s.status = 'processing' and s.look_at <= statement_timestamp()
     order by s.look_at limit ${limit} for update skip locked`.execute(tx);
  return rows;
}

export interface Settled {
  workspaceId: string;
  id: string;
  messageId: string | null;
  /** null: it was sent. */
  error: string | null;
  errorCode: string | null;
}

/** Returns the time of the database. */
export async function markSettled(tx: Db, settled: readonly Settled[]): Promise<Date> {
  const column = <T>(pick: (one: Settled) => T): T[] => settled.map(pick);
  const { rows } = await sql<{ at: Date }>`
    with done as (
      update scheduled_emails s
         set status = case when t.error is null then 'sent' else 'failed' end, message_id = t.message_id,
             error = t.error, error_code = t.error_code, look_at = null, finished_at = clock_timestamp(),
             sent_at = case when t.error is null then clock_timestamp() end, version = s.version + 1,
             updated_at = clock_timestamp()
        from unnest(${column((one) => one.workspaceId)}::uuid[], ${column((one) => one.id)}::uuid[],
                    ${column((one) => one.messageId)}::text[], ${column((one) => one.error)}::text[],
                    ${column((one) => one.errorCode)}::text[]) as t (workspace_id, id, message_id, error, error_code)
       where s.workspace_id = t.workspace_id and s.id = t.id and s.status = 'processing'
    )
    select clock_timestamp() as at`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that always returns a row returned none');
  return row.at;
}

/** The longer one lasts, the more rarely it is looked at: after half a second first, every half minute at last. */
export async function lookLater(tx: Db, waiting: readonly Pick<LookedAtEmail, 'workspaceId' | 'id'>[]): Promise<void> {
  await sql`
    update scheduled_emails s
       set look_at = clock_timestamp() + least(interval '30 seconds',
             greatest(interval '0.5 seconds', (clock_timestamp() - s.started_at) / 4))
      from unnest(${waiting.map((one) => one.workspaceId)}::uuid[], ${waiting.map((one) => one.id)}::uuid[])
             as t (workspace_id, id)
     where s.workspace_id = t.workspace_id and s.id = t.id and s.status = 'processing'`.execute(tx);
}
