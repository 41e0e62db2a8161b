import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { type OfBothKinds, SETTLED_SECONDS } from './due-deliveries.ts';

/** An endpoint, and the word by which this process may serve it. */
export interface Lease {
  workspaceId: string;
  webhookId: string;
  token: string;
}

export interface TakenLease extends Lease {
  /** Its endpoint was failing when it was taken. */
  isFailing: boolean;
}

/** Where a look at the due endpoints goes on; undefined: at the first. */
export interface EndpointKey {
  workspaceId: string;
  webhookId: string;
}

export interface Look {
  /** Endpoints that this process serves from now on. */
  taken: TakenLease[];
  /** More endpoints are due than could be taken: those in hand should take turns. */
  othersWait: boolean;
  /** Deliveries wait for these, and they are deleted. */
  orphans: EndpointKey[];
  next: EndpointKey | undefined;
  /** For each known endpoint that was stepped over: nothing of it was waiting before. */
  seenUpTo: (EndpointKey & OfBothKinds<Date>)[];
}

/** An endpoint, and where its waiting deliveries of both kinds begin as far as is known; null: at the lowest. */
export type KnownEndpoint = EndpointKey & OfBothKinds<Date | null>;

const FIRST = '00000000-0000-0000-0000-000000000000';
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Takes leases of free endpoints with something due, those that were served longest ago first; of endpoints that have
 * been failing at most `failingRoom`. The endpoints are stepped through one index probe each, so that a million waiting
 * deliveries of one cost no more than one, and at most `steps` of them in one look. The probes are in the order of all
 * columns of the index of what is due: with less, or with EXISTS, the planner reads everything that waits (0.9 s for
 * 200,000 deliveries of 20 endpoints, November 2026; so it is 2 ms).
 *
 * While a snapshot is held, a probe visits all deliveries of its endpoint that are done. So known endpoints are stepped
 * to by their keys, and their probes begin where their waiting deliveries do; the other probes stay between them.
 *
 * The endpoint's row is share-locked: a DELETE or a change that disables it comes either before, and then there is no
 * lease, or after, and then it sees the lease and waits for it.
 */
export async function takeLeases(
  db: Db,
  look: {
    after: EndpointKey | undefined;
    room: number;
    failingRoom: number;
    steps: number;
    leaseSeconds: number;
    known?: readonly KnownEndpoint[];
  },
): Promise<Look> {
  const { after, room, failingRoom, steps, leaseSeconds, known = [] } = look;
  const column = <T>(pick: (endpoint: KnownEndpoint) => T): T[] => known.map(pick);
  const { rows } = await sql<{
    taken: TakenLease[];
    orphans: EndpointKey[];
    due: number;
    stepped: number;
    last: EndpointKey | null;
    seen: (EndpointKey & OfBothKinds<string>)[];
  }>`
    -- every workspace: endpoints of all of them take turns
    with recursive known as materialized (
      select k.workspace_id, k.webhook_id, coalesce(k.live, '-infinity') as live,
             coalesce(k.replayed, '-infinity') as replayed
        from unnest(${column((k) => k.workspaceId)}::uuid[], ${column((k) => k.webhookId)}::uuid[],
                    ${column((k) => k.live)}::timestamptz[], ${column((k) => k.replayed)}::timestamptz[])
          as k (workspace_id, webhook_id, live, replayed)
    ), step as (
      select ${after?.workspaceId ?? FIRST}::uuid as workspace_id, ${after?.webhookId ?? FIRST}::uuid as webhook_id,
             null::timestamptz as next_attempt_at, false as is_known, 0 as n
      union all
      select coalesce(x.workspace_id, k.workspace_id), coalesce(x.webhook_id, k.webhook_id), x.next_attempt_at,
             x.webhook_id is null, s.n + 1
        from step s
        left join lateral (
          select k.workspace_id, k.webhook_id from known k
           where (k.workspace_id, k.webhook_id) > (s.workspace_id, s.webhook_id)
           order by k.workspace_id, k.webhook_id limit 1) k on true
        left join lateral (
          select d.workspace_id, d.webhook_id, d.next_attempt_at from webhook_deliveries d
           where d.status = 'pending' and (d.workspace_id, d.webhook_id) > (s.workspace_id, s.webhook_id)
             and (d.workspace_id, d.webhook_id)
                 < (coalesce(k.workspace_id, ${LAST}::uuid), coalesce(k.webhook_id, ${LAST}::uuid))
           order by d.workspace_id, d.webhook_id, d.is_replay, d.next_attempt_at limit 1) x on true
       where s.n < ${steps} and (x.webhook_id is not null or k.webhook_id is not null)
    ), of_known as materialized (
      select s.workspace_id, s.webhook_id,
             (select d.next_attempt_at from webhook_deliveries d
               where d.workspace_id = s.workspace_id and d.webhook_id = s.webhook_id and d.status = 'pending'
                 and not d.is_replay and d.next_attempt_at >= k.live
               order by d.workspace_id, d.webhook_id, d.is_replay, d.next_attempt_at limit 1) as live,
             (select d.next_attempt_at from webhook_deliveries d
               where d.workspace_id = s.workspace_id and d.webhook_id = s.webhook_id and d.status = 'pending'
                 and d.is_replay and d.next_attempt_at >= k.replayed
               order by d.workspace_id, d.webhook_id, d.is_replay, d.next_attempt_at limit 1) as replayed
        from step s join known k on k.workspace_id = s.workspace_id and k.webhook_id = s.webhook_id
       where s.is_known
    ), waiting as (
      select o.workspace_id, o.webhook_id, coalesce(least(o.live, o.replayed) <= now(), false) as is_due from of_known o
       where o.live is not null or o.replayed is not null
      union all
      select s.workspace_id, s.webhook_id, s.next_attempt_at <= now() or coalesce(
             (select d.next_attempt_at from webhook_deliveries d
               where d.workspace_id = s.workspace_id and d.webhook_id = s.webhook_id and d.status = 'pending'
                 and d.is_replay
               order by d.workspace_id, d.webhook_id, d.is_replay, d.next_attempt_at limit 1) <= now(), false)
        from step s where s.n > 0 and not s.is_known
    ), due as materialized (
      select s.workspace_id, s.webhook_id, w.enabled, w.failing_since is not null as failing, l.until,
             l.token is not null and l.until > now() as held
        from waiting s
        left join webhooks w on w.workspace_id = s.workspace_id and w.id = s.webhook_id
        left join webhook_leases l on l.workspace_id = s.workspace_id and l.webhook_id = s.webhook_id
       where s.is_due or w.id is null
    ), free as (
      select d.*, row_number() over (partition by d.failing order by d.until nulls first) as place
        from due d where d.enabled and not d.held
    ), chosen as (
      select f.workspace_id, f.webhook_id
        from free f where not f.failing or f.place <= ${failingRoom}
       order by f.failing, f.until nulls first limit ${room}
    ), locked as (
      select w.workspace_id, w.id
        from chosen c join webhooks w on w.workspace_id = c.workspace_id and w.id = c.webhook_id
       where w.enabled for share of w skip locked
    ), taken as (
      insert into webhook_leases as l (workspace_id, webhook_id, token, until)
      select workspace_id, id, gen_random_uuid(), now() + make_interval(secs => ${leaseSeconds}) from locked
      on conflict (workspace_id, webhook_id) do update set token = excluded.token, until = excluded.until
        where l.token is null or l.until <= now()
      returning workspace_id, webhook_id, token
    )
    select
      coalesce((select json_agg(json_build_object('workspaceId', t.workspace_id, 'webhookId', t.webhook_id,
                                                  'token', t.token, 'isFailing', f.failing))
        from taken t join free f on f.workspace_id = t.workspace_id and f.webhook_id = t.webhook_id), '[]') as taken,
      coalesce((select json_agg(json_build_object('workspaceId', workspace_id, 'webhookId', webhook_id))
        from due where enabled is null), '[]') as orphans,
      (select count(*) from free) as due,
      (select count(*) from step where n > 0) as stepped,
      (select json_build_object('workspaceId', workspace_id, 'webhookId', webhook_id)
        from step where n > 0 order by n desc limit 1) as last,
      coalesce((select json_agg(json_build_object('workspaceId', o.workspace_id, 'webhookId', o.webhook_id,
                                                  'live', least(o.live, b.settled), 'replayed', least(o.replayed, b.settled)))
        from of_known o, (select now() - make_interval(secs => ${SETTLED_SECONDS}) as settled) b), '[]') as seen`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that always returns a row returned none');
  return {
    taken: row.taken,
    orphans: row.orphans,
    othersWait: row.due > row.taken.length,
    next: row.stepped < steps ? undefined : (row.last ?? undefined),
    seenUpTo: row.seen.map((one) => ({ ...one, live: new Date(one.live), replayed: new Date(one.replayed) })),
  };
}

/**
 * Prolongs what is still ours and whose endpoint is still enabled; returns the tokens of that. A lease that has run out
 * is not revived: somebody else may serve the endpoint by now.
 */
export async function renewLeases(db: Db, tokens: readonly string[], leaseSeconds: number): Promise<Set<string>> {
  const { rows } = await sql<{ token: string }>`
    -- every workspace: a process serves endpoints of any
    update webhook_leases l set until = now() + make_interval(secs => ${leaseSeconds})
     where l.token = any (${tokens}::uuid[]) and l.until > now()
       and exists (select from webhooks w where w.workspace_id = l.workspace_id and w.id = l.webhook_id and w.enabled)
    returning l.token`.execute(db);
  return new Set(rows.map((row) => row.token));
}

/** Gives an endpoint back; its turn comes after those that have waited longer. */
export async function giveLeaseBack(db: Db, lease: Lease): Promise<void> {
  await sql`
    update webhook_leases set token = null, until = clock_timestamp()
     where workspace_id = ${lease.workspaceId} and webhook_id = ${lease.webhookId} and token = ${lease.token}`.execute(
    db,
  );
}

/** How long a process may still start attempts for this endpoint, in milliseconds; 0: none may. */
export async function leaseLeftMs(db: Db, workspaceId: string, webhookId: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from until - clock_timestamp())::double precision * 1000 as ms from webhook_leases
     where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and token is not null
       and until > clock_timestamp()`.execute(db);
  return rows[0]?.ms ?? 0;
}

/** Leases of endpoints that are deleted and that nobody serves. */
export async function deleteLeasesOfNobody(db: Db): Promise<void> {
  await sql`
    -- every workspace: a lease without an endpoint is nobody's
    delete from webhook_leases l
     where l.until < now() - interval '1 hour'
       and not exists (select from webhooks w where w.workspace_id = l.workspace_id and w.id = l.webhook_id)`.execute(
    db,
  );
}
