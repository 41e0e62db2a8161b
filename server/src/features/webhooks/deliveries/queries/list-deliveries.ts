import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Delivery, DeliveryStatus } from '../delivery.ts';

/** Of what is due, a worker that holds the endpoint's lease sends the first five and has the rest in hand. */
export const SHOWN_STATUS = sql`case when d.status = 'pending' and d.next_attempt_at <= now() and exists (
    select from webhook_leases l where l.workspace_id = d.workspace_id and l.webhook_id = d.webhook_id
       and l.token is not null and l.until > now()) then 'delivering' else d.status end`;

export const DELIVERY_COLUMNS = sql`d.id, d.webhook_id as "webhookId", d.event_id as "eventId", d.event_type as "eventType",
  d.is_test as "isTest", ${SHOWN_STATUS} as status, d.attempt, coalesce(d.url, w.url) as url, d.response_status as "responseStatus",
  d.response_time_ms as "responseTimeMs", d.error,
  case when d.status = 'pending' then d.next_attempt_at end as "nextAttemptAt", d.delivered_at as "deliveredAt",
  d.created_at as "createdAt", d.attempts, d.response_body as "responseBody", b.body as "requestBody"`;

export const DELIVERY_TABLES = sql`webhook_deliveries d
      join webhooks w on w.workspace_id = d.workspace_id and w.id = d.webhook_id
      left join webhook_bodies b on b.workspace_id = d.workspace_id and b.event_id = d.event_id`;

export interface DeliveryFilter {
  status: DeliveryStatus | null;
  eventType: string | null;
}

/** Newest first, one more than asked for when there are more. */
export async function pageDeliveries(
  db: Db,
  of: { workspaceId: string; webhookId: string },
  filter: DeliveryFilter & { limit: number; offset: number; after: string | null },
): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    select ${DELIVERY_COLUMNS}
      from ${DELIVERY_TABLES}
     where d.workspace_id = ${of.workspaceId} and d.webhook_id = ${of.webhookId}
       and (${filter.status}::text is null or ${SHOWN_STATUS} = ${filter.status})
       and (${filter.eventType}::text is null or d.event_type = ${filter.eventType})
       and (${filter.after}::uuid is null or d.id < ${filter.after}::uuid)
     order by d.id desc limit ${filter.limit + 1} offset ${filter.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countDeliveries(
  db: Db,
  of: { workspaceId: string; webhookId: string },
  filter: DeliveryFilter & { max: number },
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from webhook_deliveries d
       where d.workspace_id = ${of.workspaceId} and d.webhook_id = ${of.webhookId}
         and (${filter.status}::text is null or ${SHOWN_STATUS} = ${filter.status})
         and (${filter.eventType}::text is null or d.event_type = ${filter.eventType})
       limit ${filter.max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function findDelivery(
  db: Db,
  of: { workspaceId: string; webhookId: string },
  id: string,
): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    select ${DELIVERY_COLUMNS}
      from ${DELIVERY_TABLES}
     where d.workspace_id = ${of.workspaceId} and d.webhook_id = ${of.webhookId} and d.id = ${id}`.execute(db);
  return rows[0];
}
