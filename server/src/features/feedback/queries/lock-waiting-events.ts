import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { idBefore } from './id-before.ts';

/** A provider's report about one recipient of one email, before it is applied. */
export interface ProviderEvent {
  workspaceId: string;
  id: string;
  emailId: string;
  type: string;
  recipient: string;
  at: Date;
  payload: Record<string, unknown>;
  /** Its event of the email is stored: it was applied before. */
  isKnown: boolean;
  /** Of the message, as the provider calls it; null when it did not say. */
  providerMessageId: string | null;
  /** Opens, or clicks, of the email that are stored already, people's and machines'; 0 for other events. */
  storedBefore: number;
}

/**
 * Locks events that are due together with their emails. SKIP LOCKED on both: a second process passes over the emails
 * this one works on (their other events come in its next round), and nobody waits for the engine, so the two cannot
 * deadlock. An event stays waiting while the hand-off of its email is still being recorded, and when its email was
 * never handed to a provider (nothing may be believed about it). In the order of their times, at `from` and later;
 * null: all.
 */
export async function lockWaitingEvents(db: Db, limit: number, from: Date | null): Promise<ProviderEvent[]> {
  const { rows } = await sql<ProviderEvent>`
    select p.workspace_id as "workspaceId", p.id, p.email_id as "emailId", p.type, p.recipient, p.at, p.payload,
           exists (select from email_events v where v.workspace_id = p.workspace_id and v.id = p.id) as "isKnown",
           p.provider_message_id as "providerMessageId",
           case p.type when 'open' then e.open_count + e.machine_open_count
                       when 'click' then e.click_count + e.machine_click_count else 0 end as "storedBefore"
      from provider_events p
      join emails e on e.workspace_id = p.workspace_id and e.id = p.email_id
     where p.applied_at is null and p.at <= statement_timestamp() and p.at >= ${from ?? '-infinity'}::timestamptz
       and (p.not_before is null or p.not_before <= statement_timestamp())
       and e.status not in ('pending', 'sending')
       -- Of another message than the one that left: somebody else's. An email handed over twice has two numbers.
       and (p.provider_message_id is null or e.provider_message_id is null
            or p.provider_message_id = e.provider_message_id
            or exists (select from email_attempts a where a.workspace_id = e.workspace_id and a.email_id = e.id
                          and a.outcome in ('unconfirmed', 'resent')))
       and (e.attempts > 0 or e.handoff_at is not null
            or e.status not in ('queued', 'deferred', 'suppressed', 'cancelled', 'failed')
            or exists (select from email_attempts a where a.workspace_id = e.workspace_id and a.email_id = e.id
                          and a.outcome in ('unconfirmed', 'resent')))
     order by p.at
     limit ${limit}
       for update of p, e skip locked`.execute(db);
  return rows;
}

export async function markApplied(db: Db, events: readonly ProviderEvent[]): Promise<void> {
  await sql`
    update provider_events p set applied_at = clock_timestamp()
      from jsonb_to_recordset(${keysOf(events)}::jsonb) as done (workspace_id uuid, id uuid)
     where p.workspace_id = done.workspace_id and p.id = done.id`.execute(db);
}

/**
 * Gives up on events that found nothing to apply to for so long: a restored database, or somebody else's email. Their
 * age is that of the row (its id begins with the time): news that came late is not stale.
 */
export async function retireStaleEvents(db: Db, olderThanHours: number): Promise<number> {
  const { numAffectedRows } = await sql`
    -- every workspace: what fits nothing is nobody's
    update provider_events set applied_at = clock_timestamp()
     where applied_at is null and id < ${idBefore(olderThanHours)}`.execute(db);
  return Number(numAffectedRows ?? 0);
}

const keysOf = (events: readonly ProviderEvent[]): string =>
  JSON.stringify(events.map((event) => ({ workspace_id: event.workspaceId, id: event.id })));
