import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The last delivery that was looked at, in the order of their age. */
export interface ExpiryPlace {
  createdAt: string;
  id: string;
}

export interface ExpiredPage {
  /** Deliveries in the page, whatever their state; fewer than asked for: there are no more. */
  looked: number;
  last: ExpiryPlace | null;
  endpoints: { workspaceId: string; webhookId: string; url: string; deliveries: number }[];
}

/**
 * Looks at a page of deliveries that are older than 29 days, behind `after`. Deliveries that still wait
 * become `failed`, which is the latest failure of their endpoint; of a deleted endpoint they are removed anyway.
 */
export async function expirePage(tx: Db, after: ExpiryPlace | null, limit: number): Promise<ExpiredPage> {
  const { rows } = await sql<ExpiredPage>`
    -- every workspace: age is all that counts
    with page as materialized (
      select d.workspace_id, d.id, d.webhook_id, d.status, d.created_at from webhook_deliveries d
       where d.created_at < now() - interval '29 days'
         and d.created_at >= coalesce(${after?.createdAt ?? null}::timestamptz, '-infinity')
         and (d.created_at, d.id) > (coalesce(${after?.createdAt ?? null}::timestamptz, '-infinity'),
                                     coalesce(${after?.id ?? null}::uuid, '00000000-0000-0000-0000-000000000000'))
       order by d.created_at, d.id limit ${limit}
    ), expired as (
      update webhook_deliveries d set status = 'failed', error = 'expired', next_attempt_at = null
        from page p
       where p.status = 'pending' and d.workspace_id = p.workspace_id and d.id = p.id and d.status = 'pending'
      returning d.workspace_id, d.webhook_id
    ), endpoints as (
      update webhooks w set last_failure_at = clock_timestamp()
        from (select workspace_id, webhook_id, count(*)::integer as deliveries from expired group by 1, 2) x
       where w.workspace_id = x.workspace_id and w.id = x.webhook_id
      returning w.workspace_id, w.id, w.url, x.deliveries
    )
    select (select count(*) from page)::integer as looked,
           (select json_build_object('createdAt', created_at, 'id', id) from page
             order by created_at desc, id desc limit 1) as last,
           coalesce((select json_agg(json_build_object('workspaceId', workspace_id, 'webhookId', id, 'url', url,
                                                       'deliveries', deliveries)) from endpoints), '[]') as endpoints`.execute(
    tx,
  );
  return rows[0] ?? { looked: 0, last: null, endpoints: [] };
}

/** A page of what is older than 30 days, by the age indexes. Each returns how many rows it removed. */
export async function deleteOldDeliveries(db: Db, page: number): Promise<number> {
  const result = await sql`
    -- every workspace: age is all that counts
    delete from webhook_deliveries where ctid = any (array(
      select ctid from webhook_deliveries where created_at < now() - interval '30 days'
       order by created_at limit ${page} for update skip locked))`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export async function deleteOldBodies(db: Db, page: number): Promise<number> {
  const result = await sql`
    -- every workspace: age is all that counts
    delete from webhook_bodies where ctid = any (array(
      select ctid from webhook_bodies where created_at < now() - interval '30 days'
       order by created_at limit ${page} for update skip locked))`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export async function deleteOldWorkspaceEvents(db: Db, page: number): Promise<number> {
  const result = await sql`
    -- every workspace: age is all that counts
    delete from workspace_events where ctid = any (array(
      select ctid from workspace_events where at < now() - interval '30 days'
       order by at limit ${page} for update skip locked))`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** A page of everything that a deleted workspace left behind; returns how many rows of one kind it found at most. */
export async function deletePageOfWebhookRows(db: Db, workspaceId: string, page: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    with old_deliveries as materialized (
      select d.id from webhook_deliveries d where d.workspace_id = ${workspaceId} limit ${page}
    ), deliveries as (
      delete from webhook_deliveries where workspace_id = ${workspaceId} and id in (select id from old_deliveries)
    ), old_bodies as materialized (
      select b.event_id from webhook_bodies b where b.workspace_id = ${workspaceId} limit ${page}
    ), bodies as (
      delete from webhook_bodies where workspace_id = ${workspaceId} and event_id in (select event_id from old_bodies)
    ), old_events as materialized (
      select v.id from workspace_events v where v.workspace_id = ${workspaceId} limit ${page}
    ), events as (
      delete from workspace_events where workspace_id = ${workspaceId} and id in (select id from old_events)
    ), leases as (
      delete from webhook_leases where workspace_id = ${workspaceId} and until < now() returning 1
    )
    select greatest((select count(*) from old_deliveries), (select count(*) from old_bodies),
      (select count(*) from old_events), least((select count(*) from leases), ${page}::bigint)) as found`.execute(db);
  return rows[0]?.found ?? 0;
}
