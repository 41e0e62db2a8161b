import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Removes what webhooks were sent of these events. One that is asked for again is rendered anew. */
export async function forgetBodies(tx: Db, workspaceId: string, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  await sql`
    delete from webhook_bodies
     where workspace_id = ${workspaceId} and event_id = any (${[...eventIds]}::uuid[])`.execute(tx);
}

/**
 * Takes subscribers out of the events that name them (`subscriber` of the payload), and out of what webhooks were sent:
 * of events that were emptied before, too, because a body that was rendered earlier may be stored later.
 */
export async function eraseSubscriberEvents(
  tx: Db,
  workspaceId: string,
  subscriberIds: readonly string[],
): Promise<void> {
  await sql`
    with named as materialized (
      select id from workspace_events
       where workspace_id = ${workspaceId} and payload #>> '{subscriber,id}' = any (${[...subscriberIds]}::text[])
         and payload ? 'subscriber'
    ), emptied as (
      update workspace_events e
         set payload = jsonb_set(payload - 'previous_email', '{subscriber}', jsonb_build_object(
               'id', payload #> '{subscriber,id}', 'newsletter_id', payload #> '{subscriber,newsletter_id}',
               'status', payload #> '{subscriber,status}', 'erased', true))
        from named
       where e.workspace_id = ${workspaceId} and e.id = named.id and not payload -> 'subscriber' ? 'erased'
    )
    delete from webhook_bodies b using named where b.workspace_id = ${workspaceId} and b.event_id = named.id`.execute(
    tx,
  );
}

/** Takes these addresses out of the events that tell of their suppression, and out of what webhooks were sent. */
export async function eraseSuppressionEvents(tx: Db, workspaceId: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await sql`
    with gone as (
      update workspace_events
         set payload = jsonb_set(payload, '{suppression,email}', '"erased"')
       where workspace_id = ${workspaceId} and type = 'email.suppressed'
         and payload #>> '{suppression,email}' = any (${[...addresses]}::text[])
      returning id
    )
    delete from webhook_bodies b using gone where b.workspace_id = ${workspaceId} and b.event_id = gone.id`.execute(tx);
}
