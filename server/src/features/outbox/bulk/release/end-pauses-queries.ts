import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { hasRoomNow } from '#platform/usage/paged-limits-queries.ts';
import type { SendKey } from '../bulk-send.ts';
import { DOMAIN_HOURS } from './pauses.ts';

/** How a pause ends now: the send goes on, or it fails. */
type PauseEnd = 'resume' | 'domain_deleted' | 'domain_overdue';

export interface EndOfPause {
  /** null: it does not end yet. */
  end: PauseEnd | null;
  fromDomain: string;
}

const workspaceId = sql`r.workspace_id`;
const domainRoom = (tier: 'daily' | 'monthly', cap: RawBuilder<unknown>) =>
  hasRoomNow({ workspaceId, subjectId: sql`d.id`, tier, cap });
const hasRoom = sql`(
  ${hasRoomNow({ workspaceId, subjectId: workspaceId, tier: 'monthly', cap: sql`w.emails_per_month` })}
    and ${domainRoom('daily', sql`d.max_daily_emails`)} and ${domainRoom('monthly', sql`d.max_monthly_emails`)})`;

/**
 * null: the cause of the pause lasts, or a person ends it. Without its domain a send fails, whatever paused it. A send
 * fails for the domain only by a clock that is believed: nobody can take that back. A send that a wrong clock resumes
 * is paused again.
 */
const endAt = (until: Date) => sql`case
  when t.domain_id is not null and d.id is null then 'domain_deleted'
  when r.pause_code = 'domain_unverified' then case
    when d.sending_enabled then 'resume'
    when r.paused_at <= ${until}::timestamptz - make_interval(hours => ${sql.lit(DOMAIN_HOURS)}) then 'domain_overdue' end
  -- At the reset the send goes on, too, when another limit is full by then: its release pauses it for that one.
  when r.pause_code in ('domain_limit', 'quota') and (r.resumes_at <= clock_timestamp() or ${hasRoom}) then 'resume'
  end`;

const paused = sql`
  send_requests r
    left join contents t on t.workspace_id = r.workspace_id and t.id = r.content_id
    join workspaces w on w.id = r.workspace_id
    left join domains d on d.workspace_id = t.workspace_id and d.id = t.domain_id
   where r.paused_at is not null and r.bulk_state in ('releasing', 'released') and r.cancelled_at is null`;

/** The paused sends of every workspace whose pause ends now. Reads the few paused ones by an index of their own. */
export async function selectEndingPauses(db: Db, until: Date): Promise<SendKey[]> {
  const { rows } = await sql<SendKey>`
    select r.workspace_id as "workspaceId", r.id as "sendId" -- every workspace: one round looks for all
      from ${paused} and ${endAt(until)} is not null`.execute(db);
  return rows;
}

/** Holds a paused send. False: another process does, or it is not there any more. */
export async function lockPaused(tx: Db, { workspaceId, sendId }: SendKey): Promise<boolean> {
  const { rows } = await sql`
    select from send_requests
     where workspace_id = ${workspaceId} and id = ${sendId} and paused_at is not null for update skip locked`.execute(
    tx,
  );
  return rows.length > 0;
}

/** The same for one send; in a statement after its lock, so that it sees what was committed before. */
export async function findEndOfPause(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  until: Date,
): Promise<EndOfPause | undefined> {
  const { rows } = await sql<EndOfPause>`
    select ${endAt(until)} as end, coalesce(t.from_domain, '') as "fromDomain"
      from ${paused} and r.workspace_id = ${workspaceId} and r.id = ${sendId}`.execute(tx);
  return rows[0];
}
