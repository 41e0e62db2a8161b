import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SealedSecrets } from '../../endpoint-secret.ts';

export interface DueDelivery {
  id: string;
  eventId: string;
  eventType: string;
  /** Attempts that were made. */
  attempt: number;
}

export interface ServedEndpoint extends SealedSecrets {
  url: string;
  failingSince: Date | null;
  /** Received mail of this domain goes to it: bodies of up to 1 MB, and nothing else. */
  forwardsDomainId: string | null;
}

/** An endpoint as it is now; undefined: deleted or disabled. */
export async function findServedEndpoint(
  db: Db,
  workspaceId: string,
  webhookId: string,
): Promise<ServedEndpoint | undefined> {
  const { rows } = await sql<ServedEndpoint>`
    select url, secret, previous_secret as "previousSecret", previous_secret_until as "previousSecretUntil",
           failing_since as "failingSince", forwards_domain_id as "forwardsDomainId"
      from webhooks where workspace_id = ${workspaceId} and id = ${webhookId} and enabled`.execute(db);
  return rows[0];
}

/** A time for each of the two kinds of deliveries. */
export interface OfBothKinds<At> {
  live: At;
  replayed: At;
}

/** A transaction that takes longer may bring a delivery that was due before it. */
export const SETTLED_SECONDS = 10;

/**
 * What is due for an endpoint: live deliveries, and beside them a fifth of the page for replays; a replay gets the
 * whole page when nothing else is due. Both by the time they are due, from `from` on (null: all). Not those in
 * `except`, which are in hand already. All that was due before `seenUpTo` is in the page or in `except`, unless its
 * transaction took longer than ten seconds.
 */
export async function pageOfDue(
  db: Db,
  of: { workspaceId: string; webhookId: string },
  page: { limit: number; except: readonly string[]; from: OfBothKinds<Date | null> },
): Promise<{ due: DueDelivery[]; seenUpTo: OfBothKinds<Date> }> {
  const { limit, except, from } = page;
  const { rows } = await sql<{ due: DueDelivery[] } & OfBothKinds<Date>>`
    with live as materialized (
      select id, event_id, event_type, attempt, is_replay, next_attempt_at from webhook_deliveries
       where workspace_id = ${of.workspaceId} and webhook_id = ${of.webhookId} and status = 'pending' and not is_replay
         and next_attempt_at >= ${from.live ?? '-infinity'}::timestamptz
         and next_attempt_at <= now() and id <> all (${except}::uuid[])
       order by next_attempt_at limit ${limit}
    ), room as materialized (
      select greatest(${Math.ceil(limit / 5)}::integer, ${limit}::integer - (select count(*) from live)) as n
    ), replayed as materialized (
      select id, event_id, event_type, attempt, is_replay, next_attempt_at from webhook_deliveries
       where workspace_id = ${of.workspaceId} and webhook_id = ${of.webhookId} and status = 'pending' and is_replay
         and next_attempt_at >= ${from.replayed ?? '-infinity'}::timestamptz
         and next_attempt_at <= now() and id <> all (${except}::uuid[])
       order by next_attempt_at
       limit (select n from room)
    ), settled as (
      select now() - make_interval(secs => ${SETTLED_SECONDS}::integer) as at
    )
    select coalesce((
        select json_agg(json_build_object('id', id, 'eventId', event_id, 'eventType', event_type, 'attempt', attempt)
                        order by is_replay, next_attempt_at)
          from (select * from live union all select * from replayed) as due), '[]') as due,
      (select case when count(*) = ${limit}::integer then max(next_attempt_at) else s.at end from live) as live,
      (select case when count(*) = (select n from room) then max(next_attempt_at) else s.at end from replayed) as replayed
      from settled s`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that always returns a row returned none');
  return { due: row.due, seenUpTo: { live: row.live, replayed: row.replayed } };
}

/** Removes a page of what waits for an endpoint that is deleted. Returns how many. */
export async function deleteOrphans(db: Db, workspaceId: string, webhookId: string, page: number): Promise<number> {
  const result = await sql`
    delete from webhook_deliveries
     where workspace_id = ${workspaceId} and id in (
             select d.id from webhook_deliveries d
              where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId} and d.status = 'pending'
              limit ${page} for update skip locked)
       and not exists (select from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${webhookId})`.execute(
    db,
  );
  return Number(result.numAffectedRows ?? 0);
}

/** Seconds that the delivery waits which has been due longest, of an endpoint that takes deliveries; 0: none is due. */
export async function oldestDueSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    -- every workspace: the backlog of the installation
    with recursive step as (
      (select d.workspace_id, d.webhook_id, d.is_replay, d.next_attempt_at from webhook_deliveries d
        where d.status = 'pending'
        order by d.workspace_id, d.webhook_id, d.is_replay, d.next_attempt_at limit 1)
      union all
      select x.workspace_id, x.webhook_id, x.is_replay, x.next_attempt_at
        from step s
        cross join lateral (
          select d.workspace_id, d.webhook_id, d.is_replay, d.next_attempt_at from webhook_deliveries d
           where d.status = 'pending' and (d.workspace_id, d.webhook_id) > (s.workspace_id, s.webhook_id)
           order by d.workspace_id, d.webhook_id, d.is_replay, d.next_attempt_at limit 1) x
    )
    select extract(epoch from now() - min(s.next_attempt_at))::double precision as seconds
      from step s
      join webhooks w on w.workspace_id = s.workspace_id and w.id = s.webhook_id and w.enabled
     where not s.is_replay`.execute(db);
  return Math.max(0, rows[0]?.seconds ?? 0);
}
