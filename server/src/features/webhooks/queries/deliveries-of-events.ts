import { sql } from 'kysely';

/**
 * An INSERT for the WITH of a statement that writes events of emails: a delivery to every endpoint that is enabled and
 * subscribed at this moment. It reads a part of that statement called `events`, which returns the new rows of
 * `email_events` with workspace_id, id, email_id and type. The emails must be older than the statement (one that accepts
 * emails writes its deliveries by itself, in `ph_accept_sends`). Events of mail of the system are nobody's to read.
 */
export const deliveriesOfEvents = sql`
  insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
  select v.workspace_id, ph_uuidv7(), w.id, v.id, v.type
    from events v
    join webhooks w on w.workspace_id = v.workspace_id and w.enabled and w.events && array[v.type::text, '*']
    join emails m on m.workspace_id = v.workspace_id and m.id = v.email_id
    left join send_requests r on r.workspace_id = m.workspace_id and r.id = m.send_id
   where r.source is distinct from 'system'
     and (w.newsletter_ids = '{}' or r.newsletter_id = any (w.newsletter_ids))
     and (w.domain_ids = '{}' or exists (
       select from contents c where c.workspace_id = m.workspace_id and c.id = m.content_id
          and c.domain_id = any (w.domain_ids)))`;
