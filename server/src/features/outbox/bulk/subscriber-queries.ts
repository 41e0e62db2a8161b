import { sql } from 'kysely';
import { deliveriesOfEvents } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';

/** By the index of subscribers; locked in the order of the emails' ids, like everywhere. */
export async function stopWaitingOfSubscribers(
  tx: Db,
  left: readonly { workspaceId: string; subscriberId: string }[],
  limit: number,
): Promise<void> {
  await sql`
    with waiting as materialized (
      select e.workspace_id, e.id
        from unnest(${left.map((one) => one.workspaceId)}::uuid[], ${left.map((one) => one.subscriberId)}::uuid[])
               as l (workspace_id, subscriber_id)
        join emails e on e.workspace_id = l.workspace_id and e.subscriber_id = l.subscriber_id
       where e.status in ('pending', 'queued', 'deferred')
       order by e.id limit ${limit} for update of e
    ), stopped as (
      update emails e set status = 'suppressed', error = 'unsubscribed', not_before = null,
             last_event_at = clock_timestamp()
        from waiting w where e.workspace_id = w.workspace_id and e.id = w.id
      returning e.workspace_id, e.id, e.recipient
    ), events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      select workspace_id, ph_uuidv7(), id, 'reject', recipient, '{"reject":{"reason":"unsubscribed"}}' from stopped
      returning workspace_id, id, email_id, type
    ), deliveries as (${deliveriesOfEvents})
    select count(*) from stopped`.execute(tx);
}
