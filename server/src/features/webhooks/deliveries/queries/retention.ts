import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

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

/** A page of everything that a deleted workspace left behind; 0: nothing is left. */
export async function deletePageOfWebhookRows(db: Db, workspaceId: string, page: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with deliveries as (
      delete from webhook_deliveries where workspace_id = ${workspaceId} and id in (
        select d.id from webhook_deliveries d where d.workspace_id = ${workspaceId} limit ${page}) returning 1
    ), bodies as (
      delete from webhook_bodies where workspace_id = ${workspaceId} and event_id in (
        select b.event_id from webhook_bodies b where b.workspace_id = ${workspaceId} limit ${page}) returning 1
    ), events as (
      delete from workspace_events where workspace_id = ${workspaceId} and id in (
        select v.id from workspace_events v where v.workspace_id = ${workspaceId} limit ${page}) returning 1
    ), leases as (
      delete from webhook_leases where workspace_id = ${workspaceId} and until < now() returning 1
    )
    select greatest((select count(*) from deliveries), (select count(*) from bodies), (select count(*) from events),
      least((select count(*) from leases), ${page}::bigint)) as removed`.execute(db);
  return rows[0]?.removed ?? 0;
}
