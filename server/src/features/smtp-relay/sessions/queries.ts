import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import { endOfLook, type LookedAt } from '#platform/db/end-of-look.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { SessionEntry } from './session-entry.ts';

/**
 * Writes sessions as they are now. Sessions of a workspace that is gone are passed over; one that is there stays until
 * the commit, so that its purge sees these rows.
 */
export async function storeSessions(db: Db, sessions: readonly SessionEntry[]): Promise<void> {
  await sql`
    insert into relay_sessions as kept (workspace_id, id, started_at, ended_at, ip, tls, client_name, api_key_id,
      api_key_name, accepted, refused, refusals, job_ids)
    select s."workspaceId", s.id, s."startedAt", s."endedAt", s.ip, s.tls, s."clientName", s."apiKeyId",
           s."apiKeyName", s.accepted, s.refused, s.refusals, s."jobIds"
      from jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as s ("workspaceId" uuid, id uuid,
        "startedAt" timestamptz, "endedAt" timestamptz, ip text, tls text, "clientName" text, "apiKeyId" uuid,
        "apiKeyName" text, accepted integer, refused integer, refusals jsonb, "jobIds" uuid[])
      join workspaces w on w.id = s."workspaceId"
       for key share of w
    on conflict (workspace_id, id) do update
       set ended_at = excluded.ended_at, accepted = excluded.accepted, refused = excluded.refused,
           refusals = excluded.refusals, job_ids = excluded.job_ids, client_name = excluded.client_name
     where kept.workspace_id = excluded.workspace_id`.execute(db);
}

export interface SessionFilter {
  outcome: 'accepted' | 'refused' | null;
  since: Date | null;
  /** Of these keys only; null: of all. */
  apiKeyIds: readonly string[] | null;
}

/** The conditions that an index gives in the order of the list. */
function span(workspaceId: string, { outcome, since }: SessionFilter, after: string | null): RawBuilder<unknown> {
  const all = [sql`s.workspace_id = ${workspaceId}`];
  if (after !== null) all.push(sql`s.id < ${after}::uuid`);
  if (since !== null) all.push(sql`s.id >= ${firstIdAt(since)}::uuid`);
  if (outcome === 'refused') all.push(sql`s.refused > 0`);
  return sql.join(all, sql` and `);
}

function conditions({ outcome, since, apiKeyIds }: SessionFilter): RawBuilder<unknown> {
  const all = [sql`true`];
  if (outcome === 'accepted') all.push(sql`s.refused = 0`);
  if (since !== null) all.push(sql`s.started_at >= ${since}`);
  if (apiKeyIds !== null) all.push(sql`s.api_key_id = any (${[...apiKeyIds]}::uuid[])`);
  return sql.join(all, sql` and `);
}

/** Newest first, one row more than `limit` when there are more. */
export async function pageOfSessions(
  db: Db,
  workspaceId: string,
  filter: SessionFilter,
  { limit, offset, after }: { limit: number; offset: number; after: string | null },
  lookedAtMax?: number,
): Promise<LookedAt<SessionEntry>> {
  const looked = sql`
    select s.id from relay_sessions s
     where ${span(workspaceId, filter, after)} and s.workspace_id = ${workspaceId}
     order by s.workspace_id desc, s.id desc`;
  const end = await endOfLook(db, looked, { offset }, lookedAtMax);
  const { rows } = await sql<SessionEntry>`
    select s.workspace_id as "workspaceId", s.id, s.started_at as "startedAt", s.ended_at as "endedAt", s.ip, s.tls,
           s.client_name as "clientName", s.api_key_id as "apiKeyId", s.api_key_name as "apiKeyName", s.accepted,
           s.refused, s.refusals, s.job_ids as "jobIds"
      from (select * from relay_sessions s
             where ${span(workspaceId, filter, after)} and s.workspace_id = ${workspaceId}
               ${end === null ? sql`` : sql`and s.id >= ${end}::uuid`} offset 0) s
     where ${conditions(filter)} and s.workspace_id = ${workspaceId}
     order by s.id desc limit ${limit + 1} offset ${offset}`.execute(db);
  return { rows, goOnAfter: end };
}

/** Removes a page of sessions that are older than so many days. Returns how many. */
export async function deleteOldSessions(db: Db, days: number, page: number): Promise<number> {
  const { numAffectedRows } = await sql`
    -- every workspace: time passes everywhere
    delete from relay_sessions where (workspace_id, id) in (
      select workspace_id, id from relay_sessions
       where started_at < now() - make_interval(days => ${days}::integer)
       order by started_at limit ${page} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Removes a page of the sessions of a deleted workspace; returns how many it found. */
export const deletePageOfSessions = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select id from relay_sessions where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from relay_sessions where workspace_id = ${workspaceId} and id in (select id from page)`,
  );

export interface WrongLogin {
  address: string;
  attempts: number;
  firstAt: Date;
  lastAt: Date;
}

/** Counts a sign-in with a key that is nobody's. */
export async function countWrongLogin(db: Db, network: string, address: string, at: Date): Promise<void> {
  await sql`
    insert into relay_wrong_logins as kept (network, address, attempts, first_at, last_at)
    values (${network}, ${address}, 1, ${at}, ${at})
    on conflict (network) do update
       set attempts = kept.attempts + 1, address = excluded.address, last_at = excluded.last_at`.execute(db);
}

export async function listWrongLogins(db: Db, limit: number): Promise<WrongLogin[]> {
  const { rows } = await sql<WrongLogin>`
    select address, attempts, first_at as "firstAt", last_at as "lastAt"
      from relay_wrong_logins order by last_at desc limit ${limit}`.execute(db);
  return rows;
}

/** Removes a page of those that have stopped so many days ago, and of those beyond the newest `kept`. */
export async function deleteOldWrongLogins(db: Db, days: number, kept: number, page: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from relay_wrong_logins where network in (
      select network from relay_wrong_logins
       where last_at < greatest(now() - make_interval(days => ${days}::integer),
               (select last_at from relay_wrong_logins order by last_at desc offset ${kept} limit 1))
       limit ${page} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
