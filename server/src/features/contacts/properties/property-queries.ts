import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { PropertyType } from './property-types.ts';

export interface ContactProperty {
  id: string;
  key: string;
  type: PropertyType;
  createdAt: Date;
}

export async function listTypes(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<Map<string, PropertyType>> {
  const { rows } = await sql<{ key: string; type: PropertyType }>`
    select key, type from contact_properties
     where workspace_id = ${workspaceId} and key = any (${[...keys]}::text[])`.execute(db);
  return new Map(rows.map(({ key, type }) => [key, type]));
}

/** The types of all properties of the workspace, at most 200. */
export async function listAllTypes(db: Db, workspaceId: string): Promise<Map<string, PropertyType>> {
  const { rows } = await sql<{ key: string; type: PropertyType }>`
    select key, type from contact_properties where workspace_id = ${workspaceId}`.execute(db);
  return new Map(rows.map(({ key, type }) => [key, type]));
}

/** Transactions that declare properties in this workspace run one after another. */
export async function lockDeclaring(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contact properties ${workspaceId}`}, 16))`.execute(tx);
}

export async function countProperties(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from contact_properties where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function insertProperties(
  tx: Db,
  workspaceId: string,
  properties: readonly ContactProperty[],
): Promise<void> {
  await sql`
    insert into contact_properties (workspace_id, id, key, type, created_at)
    select ${workspaceId}, p.id, p.key, p.type, p."createdAt"
      from jsonb_to_recordset(${JSON.stringify(properties)}::jsonb) as p (id uuid, key text, type text,
        "createdAt" timestamptz)`.execute(tx);
}

/** Newest first. */
export async function pageOfProperties(
  db: Db,
  workspaceId: string,
  page: { after: string | null; offset: number; limit: number },
): Promise<ContactProperty[]> {
  const { rows } = await sql<ContactProperty>`
    select id, key, type, created_at as "createdAt" from contact_properties
     where workspace_id = ${workspaceId} and (${page.after}::uuid is null or id < ${page.after}::uuid)
     order by id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}
