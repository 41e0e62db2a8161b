import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { hasNotBegun } from '../../queries/has-not-begun.ts';
import { tellEvents } from '../../events/queries/tell-events.ts';

/** Private copies only: of a grouped message the claim leaves the address out. Locked in the order of their ids. */
export async function suppressWaitingEmails(
  db: Db,
  addresses: readonly { workspaceId: string; identity: string }[],
  limit: number,
): Promise<void> {
  const waiting = sql`
    select e.workspace_id, e.id
      from unnest(${addresses.map((one) => one.workspaceId)}::uuid[],
                  ${addresses.map((one) => one.identity)}::text[]) as a (workspace_id, identity)
      join emails e on e.workspace_id = a.workspace_id and e.recipient = a.identity
     where ${hasNotBegun} and e.grouped is null
     order by e.id limit ${limit} for update of e`;
  await suppressEmails(db, waiting, 'suppressed');
}

/** Settles the emails that `waiting` (workspace_id, id) locks, with their events, in one statement. */
export async function suppressEmails(
  db: Db,
  waiting: RawBuilder<unknown>,
  reason: 'suppressed' | 'unsubscribed',
): Promise<void> {
  await sql`
    with waiting as materialized (${waiting}),
    suppressed as (
      update emails e set status = 'suppressed', error = ${reason}, not_before = null, lease_token = null, lease_until = null,
             last_event_at = clock_timestamp()
        from waiting w where e.workspace_id = w.workspace_id and e.id = w.id
      returning e.workspace_id, e.id, e.recipient
    ), events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      select workspace_id, ph_uuidv7(), id, 'reject', recipient,
             jsonb_build_object('reject', jsonb_build_object('reason', ${reason}::text)) from suppressed
      returning workspace_id, id, email_id, type
    ), ${tellEvents}
    select count(*) from suppressed`.execute(db);
}
