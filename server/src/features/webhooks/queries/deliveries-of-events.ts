import { sql } from 'kysely';

/**
 * An INSERT for the WITH of a statement that writes events: a delivery to every endpoint that is enabled and
 * subscribed at this moment. It reads a part of that statement called `told_events` with workspace_id, id, type,
 * newsletter_id and domain_id.
 */
export const deliveriesOfEvents = sql`
  insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
  select v.workspace_id, ph_uuidv7(), w.id, v.id, v.type
    from told_events v
    join webhooks w on w.workspace_id = v.workspace_id and w.enabled and w.events && array[v.type::text, '*']
     and (w.newsletter_ids = '{}' or v.newsletter_id = any (w.newsletter_ids))
     and (w.domain_ids = '{}' or v.domain_id = any (w.domain_ids))`;
