import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import { tellEvents } from '../../events/queries/tell-events.ts';

/** The result of one hand-off, as it is written. */
export interface Outcome {
  workspaceId: string;
  emailId: string;
  leaseToken: string;
  status: 'sent' | 'failed' | 'deferred' | 'unconfirmed' | 'queued' | 'suppressed';
  /** Whether it counts as an attempt. A throttled or given-back email has not been tried. */
  counted: boolean;
  providerMessageId: string | null;
  error: string | null;
  /** Only for deferred. */
  delaySeconds: number | null;
  /** Kind of the record in email_attempts; null when all went well. */
  record: 'temporary' | 'throttled' | 'refused' | 'unconfirmed' | null;
  response: string | null;
  tookSeconds: number;
  /** `reject` events that go with it: of the email itself, or of single addresses of a grouped message. */
  /** `message`: the words of the provider, or of our own check; null: there are none. */
  rejects: { recipient: string; reason: string; message: string | null }[];
}

/** An outcome on its way into the database; what happened is dated back by `agoSeconds`. */
export type TimedOutcome = Outcome & { agoSeconds: number };

/**
 * Writes outcomes in one statement. A worker that lost its lease changes nothing: the token is part of the condition,
 * and whoever takes an email over replaces it; its `reject` events are not written either. An event of the provider
 * may have come first, so only an email that is still `sending` changes its state. Returns how many were still ours.
 */
export async function settleEmails(db: Db, outcomes: readonly TimedOutcome[]): Promise<number> {
  // In the order of their keys, like every other statement that writes several emails: no deadlocks.
  const sorted = [...outcomes].sort((a, b) => (a.emailId < b.emailId ? -1 : 1));
  const column = <T>(pick: (outcome: TimedOutcome) => T): T[] => sorted.map(pick);
  const rejects = sorted.flatMap((outcome) => outcome.rejects.map((reject) => ({ ...reject, ...claimOf(outcome) })));
  const { rows } = await sql<{ settled: number }>`${keepPlan}
    with outcome as (
      select * from unnest(
        ${column((o) => o.workspaceId)}::uuid[], ${column((o) => o.emailId)}::uuid[], ${column((o) => o.leaseToken)}::uuid[],
        ${column((o) => o.status)}::text[], ${column((o) => o.counted)}::boolean[],
        ${column((o) => o.providerMessageId)}::text[], ${column((o) => o.error)}::text[],
        ${column((o) => o.delaySeconds)}::double precision[], ${column((o) => o.record)}::text[],
        ${column((o) => o.response)}::text[], ${column((o) => o.tookSeconds)}::double precision[],
        ${column((o) => o.agoSeconds)}::double precision[])
        as o (workspace_id, id, token, status, counted, provider_message_id, error, delay, record, response, took, ago)
    ), settled as (
      update emails e set
        status = case when e.status = 'sending' then o.status else e.status end,
        attempts = e.attempts + o.counted::integer,
        first_attempt_at = case when o.counted then coalesce(e.first_attempt_at, e.handoff_at, clock_timestamp()) else e.first_attempt_at end,
        provider_message_id = coalesce(o.provider_message_id, e.provider_message_id),
        error = case when e.status = 'sending' then o.error else e.error end,
        not_before = coalesce(clock_timestamp() + make_interval(secs => o.delay), case when o.status = 'queued' then e.not_before end),
        unconfirmed_at = case when o.status = 'unconfirmed' then clock_timestamp() end,
        sent_at = case when o.status = 'sent' then coalesce(e.sent_at, clock_timestamp() - make_interval(secs => o.ago))
          else e.sent_at end,
        handoff_at = case when o.status in ('queued', 'deferred') then null else e.handoff_at end,
        lease_token = null, lease_until = null,
        last_event_at = case when o.status in ('failed', 'suppressed') then clock_timestamp() else e.last_event_at end
        from outcome o where e.workspace_id = o.workspace_id and e.id = o.id and e.lease_token = o.token
      returning e.workspace_id, e.id, o.token, e.attempts, o.record, o.response, o.took, o.ago
    ), attempts as (
      insert into email_attempts (workspace_id, id, email_id, attempt, started_at, ended_at, outcome, response)
      select workspace_id, ph_uuidv7(), id, attempts, clock_timestamp() - make_interval(secs => ago + took),
             clock_timestamp() - make_interval(secs => ago), record, response
        from settled where record is not null
    ), events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      select r.workspace_id, ph_uuidv7(), r.email_id, 'reject', r.recipient,
             jsonb_build_object('reject', jsonb_strip_nulls(jsonb_build_object('reason', r.reason, 'message', r.message)))
        from unnest(${rejects.map((r) => r.workspaceId)}::uuid[], ${rejects.map((r) => r.emailId)}::uuid[],
                    ${rejects.map((r) => r.leaseToken)}::uuid[], ${rejects.map((r) => r.recipient)}::text[], ${rejects.map((r) => r.reason)}::text[],
                    ${rejects.map((r) => r.message)}::text[])
             as r (workspace_id, email_id, token, recipient, reason, message)
        join settled s on s.workspace_id = r.workspace_id and s.id = r.email_id and s.token = r.token
       where not exists (select from email_events x where x.workspace_id = r.workspace_id and x.email_id = r.email_id
                            and x.type = 'reject' and x.recipient = r.recipient)
      returning workspace_id, id, email_id, type
    ), ${tellEvents}
    select count(*)::integer as settled from settled`.execute(db);
  return rows[0]?.settled ?? 0;
}

const claimOf = ({
  workspaceId,
  emailId,
  leaseToken,
}: Outcome): Pick<Outcome, 'workspaceId' | 'emailId' | 'leaseToken'> => ({
  workspaceId,
  emailId,
  leaseToken,
});
