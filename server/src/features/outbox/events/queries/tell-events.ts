import { sql } from 'kysely';
import { deliveriesOfEvents } from '#features/webhooks';

/**
 * Parts for the WITH of a statement that writes events of emails: a delivery to each endpoint that is subscribed at
 * this moment. They read a part called `events`, which returns the new rows of `email_events` with workspace_id, id,
 * email_id and type. The emails must be older than the statement: the one that accepts emails calls
 * `ph_deliver_events` of the webhooks. Events of mail of the system are nobody's to read.
 *
 * `told_events` is used once, so the planner makes it a part of the join: where no endpoint is subscribed to an event,
 * neither its email nor its send is looked up, and a domain only for an endpoint that is limited to some.
 */
export const tellEvents = sql`
  told_events as (
    select v.workspace_id, v.id, v.type, r.newsletter_id,
           (select c.domain_id from contents c where c.workspace_id = m.workspace_id and c.id = m.content_id) as domain_id
      from events v
      join emails m on m.workspace_id = v.workspace_id and m.id = v.email_id
      left join send_requests r on r.workspace_id = m.workspace_id and r.id = m.send_id
     where r.source is distinct from 'system'
  ), deliveries as (${deliveriesOfEvents})`;
