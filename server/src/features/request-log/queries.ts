import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import { endOfLook, type LookedAt } from '#platform/db/end-of-look.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import { firstIdAt } from '#platform/ids.ts';

export interface NewRequest {
  workspaceId: string;
  id: string;
  at: Date;
  requestId: string;
  method: string;
  route: string;
  path: string;
  query: string | null;
  status: number;
  error: string | null;
  durationMs: number;
  actorType: string;
  actorId: string | null;
  actorName: string | null;
  ip: string;
  userAgent: string | null;
  /** JSON text. */
  requestBody: string | null;
  responseBody: string | null;
  emailIds: readonly string[];
  jobIds: readonly string[];
  mentions: readonly string[];
}

/**
 * A batch whose answer was lost is written again. Requests of a workspace that is gone are passed over; one that is
 * there stays until the commit, so that its purge sees these rows.
 */
export async function insertRequests(db: Db, requests: readonly NewRequest[]): Promise<void> {
  await sql`
    insert into api_requests (workspace_id, id, at, request_id, method, route, path, query, status, error, duration_ms,
      actor_type, actor_id, actor_name, ip, user_agent, request_body, response_body, email_ids, job_ids, mentions)
    select r."workspaceId", r.id, r.at, r."requestId", r.method, r.route, r.path, r.query, r.status, r.error,
           r."durationMs", r."actorType", r."actorId", r."actorName", r.ip, r."userAgent", r."requestBody",
           r."responseBody", r."emailIds", r."jobIds", r.mentions
      from jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) as r ("workspaceId" uuid, id uuid, at timestamptz,
        "requestId" text, method text, route text, path text, query text, status smallint, error text,
        "durationMs" double precision, "actorType" text, "actorId" uuid, "actorName" text, ip text, "userAgent" text,
        "requestBody" text, "responseBody" text, "emailIds" uuid[], "jobIds" uuid[], mentions text[])
      join workspaces w on w.id = r."workspaceId"
       for key share of w
    on conflict do nothing`.execute(db);
}

export type RequestRow = Omit<NewRequest, 'workspaceId' | 'mentions'> & { isErased: boolean };

export interface RequestFilter {
  statusFrom: number | null;
  statusTo: number | null;
  method: string | null;
  route: string | null;
  /** Key or user. */
  actorIds: readonly string[] | null;
  requestId: string | null;
  mention: string | null;
  path: string | null;
  since: Date | null;
  until: Date | null;
}

const columns = sql`r.id, r.at, r.request_id as "requestId", r.method, r.route, r.path, r.query, r.status, r.error,
  r.duration_ms as "durationMs", r.actor_type as "actorType", r.actor_id as "actorId", r.actor_name as "actorName",
  r.ip, r.user_agent as "userAgent", r.email_ids as "emailIds", r.job_ids as "jobIds", r.is_erased as "isErased"`;

/** The conditions that an index gives in the order of the list. */
function span(workspaceId: string, filter: RequestFilter, after: string | null): RawBuilder<unknown> {
  const all = [sql`r.workspace_id = ${workspaceId}`];
  if (after !== null) all.push(sql`r.id < ${after}::uuid`);
  if (filter.since !== null) all.push(sql`r.id >= ${firstIdAt(filter.since)}::uuid`);
  if (filter.statusFrom !== null && filter.statusFrom >= 400) all.push(sql`r.status >= 400`);
  if (filter.requestId !== null) all.push(sql`r.request_id = ${filter.requestId}`);
  if (filter.mention !== null) all.push(sql`r.mentions && array[${filter.mention}]::text[]`);
  return sql.join(all, sql` and `);
}

function conditions(filter: RequestFilter): RawBuilder<unknown> {
  const all = [sql`true`];
  if (filter.statusFrom !== null) all.push(sql`r.status between ${filter.statusFrom} and ${filter.statusTo}`);
  if (filter.method !== null) all.push(sql`r.method = ${filter.method}`);
  if (filter.route !== null) all.push(sql`r.route = ${filter.route}`);
  if (filter.actorIds !== null) all.push(sql`r.actor_id = any (${[...filter.actorIds]}::uuid[])`);
  if (filter.path !== null) all.push(sql`r.path ilike ${likeAnywhere(filter.path)}`);
  if (filter.since !== null) all.push(sql`r.at >= ${filter.since}`);
  if (filter.until !== null) all.push(sql`r.at < ${filter.until}`);
  return sql.join(all, sql` and `);
}

/** Newest first, one row more than `limit` when there are more. */
export async function pageOfRequests(
  db: Db,
  workspaceId: string,
  filter: RequestFilter,
  { limit, offset, after }: { limit: number; offset: number; after: string | null },
  lookedAtMax?: number,
): Promise<LookedAt<RequestRow>> {
  const looked = sql`
    select r.id from api_requests r
     where ${span(workspaceId, filter, after)} and r.workspace_id = ${workspaceId}
     order by r.workspace_id desc, r.id desc`;
  const end = await endOfLook(db, looked, { offset }, lookedAtMax);
  const { rows } = await sql<RequestRow>`
    select ${columns}
      from (select * from api_requests r
             where ${span(workspaceId, filter, after)} and r.workspace_id = ${workspaceId}
               ${end === null ? sql`` : sql`and r.id >= ${end}::uuid`} offset 0) r
     where ${conditions(filter)} and r.workspace_id = ${workspaceId}
     order by r.id desc limit ${limit + 1} offset ${offset}`.execute(db);
  return { rows, goOnAfter: end };
}

export async function findRequest(
  db: Db,
  workspaceId: string,
  id: string,
  actorIds: readonly string[] | null,
): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`
    select ${columns}, r.request_body as "requestBody", r.response_body as "responseBody" from api_requests r
     where r.workspace_id = ${workspaceId} and r.id = ${id}
       and (${actorIds === null} or r.actor_id = any (${[...(actorIds ?? [])]}::uuid[]))`.execute(db);
  return rows[0];
}

/** Removes the content of the requests that name one of these addresses or ids. Their times are kept. */
export async function eraseMentions(tx: Db, workspaceId: string, mentions: readonly string[]): Promise<void> {
  await sql`
    update api_requests
       set path = route, query = null, request_body = null, response_body = null, mentions = '{}', is_erased = true
     where workspace_id = ${workspaceId} and mentions && ${[...mentions]}::text[]`.execute(tx);
}

/** Removes a page of requests that are older than so many days. Returns how many. */
export async function deleteOldRequests(db: Db, days: number, page: number): Promise<number> {
  const { numAffectedRows } = await sql`
    -- every workspace: time passes everywhere
    delete from api_requests where (workspace_id, id) in (
      select workspace_id, id from api_requests
       where at < now() - make_interval(days => ${days}::integer)
       order by at limit ${page} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Removes a page of the requests of a deleted workspace; returns how many it found. */
export const deletePageOfRequests = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select id from api_requests where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from api_requests where workspace_id = ${workspaceId} and id in (select id from page)`,
  );
