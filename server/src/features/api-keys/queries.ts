import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyParts } from './key-format.ts';

/** Told of every change of a key, so that other processes forget what they have cached. */
export const KEYS_CHANGED = 'posthorn_api_keys';

const API_KEY = sql`k.workspace_id as "workspaceId", k.id, k.name, k.prefix, k.last4, k.scopes,
  k.domain_ids as "domainIds", k.newsletter_ids as "newsletterIds", k.allowed_ips as "allowedIps", k.mode,
  json_build_object('hourly', k.limit_hourly, 'daily', k.limit_daily, 'monthly', k.limit_monthly) as limits,
  k.enabled, k.created_by as "createdBy", k.last_used_at as "lastUsedAt", k.last_used_ip as "lastUsedIp",
  k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.created_at as "createdAt"`;

export interface NewApiKey
  extends Omit<ApiKey, 'lastUsedAt' | 'lastUsedIp' | 'revokedAt' | 'enabled' | 'prefix' | 'last4'> {
  parts: KeyParts;
  rotatedFrom: string | null;
}

/** Stores a key and the entry it is found by. */
export async function insertApiKey(tx: Db, key: NewApiKey): Promise<ApiKey> {
  const { parts, limits } = key;
  const { rows } = await sql<ApiKey>`
    insert into api_keys as k (workspace_id, id, name, prefix, last4, hash, scopes, domain_ids, newsletter_ids,
      allowed_ips, mode, limit_hourly, limit_daily, limit_monthly, created_by, expires_at, rotated_from, created_at,
      updated_at)
    values (${key.workspaceId}, ${key.id}, ${key.name}, ${parts.prefix}, ${parts.last4}, ${parts.hash},
      ${key.scopes}::text[], ${key.domainIds}::uuid[], ${key.newsletterIds}::uuid[], ${key.allowedIps}::text[],
      ${key.mode}, ${limits.hourly}, ${limits.daily}, ${limits.monthly}, ${key.createdBy}, ${key.expiresAt},
      ${key.rotatedFrom}, ${key.createdAt}, ${key.createdAt})
    returning ${API_KEY}`.execute(tx);
  const [stored] = rows;
  if (stored === undefined) throw new Error('an insert returned no row');
  await sql`
    insert into api_key_lookups (lookup, workspace_id, api_key_id)
    values (${parts.lookup}, ${key.workspaceId}, ${key.id})`.execute(tx);
  return stored;
}

export async function findApiKey(db: Db, workspaceId: string, id: string): Promise<ApiKey | undefined> {
  const { rows } = await sql<ApiKey>`
    select ${API_KEY} from api_keys k where k.workspace_id = ${workspaceId} and k.id = ${id}`.execute(db);
  return rows[0];
}

export async function lockApiKey(tx: Db, workspaceId: string, id: string): Promise<ApiKey | undefined> {
  const { rows } = await sql<ApiKey>`
    select ${API_KEY} from api_keys k
     where k.workspace_id = ${workspaceId} and k.id = ${id} for no key update`.execute(tx);
  return rows[0];
}

export async function pageApiKeys(
  db: Db,
  workspaceId: string,
  page: { limit: number; offset: number; after: string | null },
): Promise<ApiKey[]> {
  const { rows } = await sql<ApiKey>`
    select ${API_KEY} from api_keys k
     where k.workspace_id = ${workspaceId} and (${page.after}::uuid is null or k.id < ${page.after}::uuid)
     order by k.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countApiKeys(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from api_keys where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The keys that a user has made and that work, newest first. */
export async function listKeysOf(db: Db, workspaceId: string, userId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select k.id, k.name from api_keys k
     where k.workspace_id = ${workspaceId} and k.created_by = ${userId} and k.revoked_at is null and k.enabled
       and (k.expires_at is null or k.expires_at > now())
     order by k.id desc limit 100`.execute(db);
  return rows;
}

/** Writes back a locked key. */
export async function updateApiKey(tx: Db, key: ApiKey, now: Date): Promise<ApiKey> {
  const { rows } = await sql<ApiKey>`
    update api_keys k
       set name = ${key.name}, scopes = ${key.scopes}::text[], domain_ids = ${key.domainIds}::uuid[],
           newsletter_ids = ${key.newsletterIds}::uuid[], allowed_ips = ${key.allowedIps}::text[],
           limit_hourly = ${key.limits.hourly}, limit_daily = ${key.limits.daily},
           limit_monthly = ${key.limits.monthly}, enabled = ${key.enabled}, expires_at = ${key.expiresAt},
           revoked_at = ${key.revokedAt}, updated_at = ${now}
     where k.workspace_id = ${key.workspaceId} and k.id = ${key.id}
    returning ${API_KEY}`.execute(tx);
  const [stored] = rows;
  if (stored === undefined) throw new Error('a locked key is gone');
  return stored;
}

/** Delivered to every process when the transaction commits. */
export async function notifyKeyChange(tx: Db, id: string): Promise<void> {
  await sql`select pg_notify(${KEYS_CHANGED}, ${id})`.execute(tx);
}

export interface StoredKey {
  key: ApiKey;
  hash: Buffer;
  workspaceStatus: string;
}

/** All keys found by one look-up text: one almost always, none for a guess. Starts without a workspace. */
export async function listKeysByLookup(db: Db, lookup: string): Promise<StoredKey[]> {
  const { rows } = await sql<ApiKey & { hash: Buffer; workspaceStatus: string }>`
    select ${API_KEY}, k.hash, w.status as "workspaceStatus"
      from api_key_lookups p
      join api_keys k on k.workspace_id = p.workspace_id and k.id = p.api_key_id
      join workspaces w on w.id = k.workspace_id
     where p.lookup = ${lookup}`.execute(db);
  return rows.map(({ hash, workspaceStatus, ...key }) => ({ key, hash, workspaceStatus }));
}

/** Best effort: a key that somebody is changing just now keeps its old value. */
export async function markKeysUsed(
  db: Db,
  workspaceId: string,
  uses: readonly { id: string; at: Date; ip: string }[],
): Promise<void> {
  await sql`
    update api_keys k set last_used_at = used.at, last_used_ip = used.ip
      from unnest(${uses.map((use) => use.id)}::uuid[], ${uses.map((use) => use.at)}::timestamptz[],
                  ${uses.map((use) => use.ip)}::text[]) as used (id, at, ip)
     where k.workspace_id = ${workspaceId} and k.id in (
             select l.id from api_keys l
              where l.workspace_id = ${workspaceId} and l.id = any (${uses.map((use) => use.id)}::uuid[])
                for no key update skip locked)
       and k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at)`.execute(db);
}
