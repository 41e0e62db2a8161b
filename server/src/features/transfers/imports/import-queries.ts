import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { TargetType } from '../target-type.ts';
import type { FileFormat, Import, ImportOptions, Importer } from './import.ts';
import type { Layout } from './layout.ts';

const columns = sql`
  i.workspace_id as "workspaceId", i.id, i.target_type as "targetType", i.target_id as "targetId", i.status, i.format, i.options, i.layout,
  i.bytes, i.at_byte as "atByte", i.at_line as "atLine", i.total, i.created, i.updated, i.skipped, i.failed, i.removed,
  i.results, i.confirmations_due as "confirmationsDue", i.confirmations_sent as "confirmationsSent", i.error,
  i.created_by as "createdBy", i.ip, i.created_at as "createdAt", i.started_at as "startedAt",
  i.completed_at as "completedAt", i.undone_at as "undoneAt"`;

export interface Upload {
  workspaceId: string;
  id: string;
  createdBy: Importer;
  ip: string | null;
  at: Date;
}

/** Its file is still arriving: for as long as the lease is renewed. The target is not known yet. */
export async function insertUpload(db: Db, row: Upload, leaseSeconds: number): Promise<void> {
  await sql`
    insert into imports (workspace_id, id, target_type, target_id, format, options, created_by, ip, created_at, lease_until)
    values (${row.workspaceId}, ${row.id}, 'none', '00000000-0000-0000-0000-000000000000', 'csv', '{}'::jsonb,
      ${JSON.stringify(row.createdBy)}::jsonb, ${row.ip}, ${row.at}, now() + ${leaseSeconds} * interval '1 second')`.execute(
    db,
  );
}

/** Gives an upload its target and options. False: the upload was given up in the meantime. */
export async function aimUpload(
  db: Db,
  workspaceId: string,
  id: string,
  aim: { targetType: TargetType; targetId: string; options: ImportOptions; format: FileFormat },
): Promise<boolean> {
  const { rows } = await sql`
    update imports set target_type = ${aim.targetType}, target_id = ${aim.targetId}, format = ${aim.format},
           options = ${JSON.stringify(aim.options)}::jsonb
     where workspace_id = ${workspaceId} and id = ${id} and status = 'uploading' returning id`.execute(db);
  return rows.length === 1;
}

/** False: the upload was given up in the meantime. */
export async function insertPart(
  db: Db,
  workspaceId: string,
  importId: string,
  part: { number: number; bytes: Buffer; leaseSeconds: number },
): Promise<boolean> {
  const { rows } = await sql`
    with upload as (
      update imports set bytes = bytes + ${part.bytes.length}, lease_until = now() + ${part.leaseSeconds} * interval '1 second'
       where workspace_id = ${workspaceId} and id = ${importId} and status = 'uploading'
      returning workspace_id, id
    )
    insert into import_parts (workspace_id, import_id, part, bytes)
    select workspace_id, id, ${part.number}, ${part.bytes} from upload returning part`.execute(db);
  return rows.length === 1;
}

/** The file is here: a worker may begin. Undefined: the upload was given up in the meantime. */
export async function queueUpload(
  tx: Db,
  workspaceId: string,
  id: string,
  start: { layout: Layout; atByte: number; atLine: number },
): Promise<Import | undefined> {
  const { rows } = await sql<Import>`
    update imports i
       set status = 'queued', lease_until = null, layout = ${JSON.stringify(start.layout)}::jsonb,
           at_byte = ${start.atByte}, at_line = ${start.atLine}, served_at = now()
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.status = 'uploading'
    returning ${columns}`.execute(tx);
  return rows[0];
}

export async function deleteImport(db: Db, workspaceId: string, id: string): Promise<void> {
  await sql`
    with gone as (delete from imports where workspace_id = ${workspaceId} and id = ${id})
    delete from import_parts where workspace_id = ${workspaceId} and import_id = ${id}`.execute(db);
}

export async function countOpenImports(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from imports
     where workspace_id = ${workspaceId} and status in ('uploading', 'queued', 'processing')`.execute(db);
  return rows[0]?.open ?? 0;
}

export async function findImport(db: Db, workspaceId: string, id: string): Promise<Import | undefined> {
  const { rows } = await sql<Import>`
    select ${columns} from imports i
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.status <> 'uploading'`.execute(db);
  return rows[0];
}

export interface ImportFilter {
  newsletterId: string | null;
  /** Of the imports into newsletters, those into these; empty: all. */
  allowedNewsletterIds: readonly string[];
  types: readonly TargetType[];
}

const matching = (workspaceId: string, filter: ImportFilter) => sql`
  i.workspace_id = ${workspaceId} and i.status <> 'uploading' and i.target_type = any (${[...filter.types]}::text[])
    and (${filter.newsletterId}::uuid is null
      or (i.target_type = 'newsletter' and i.target_id = ${filter.newsletterId}::uuid))
    and (${filter.allowedNewsletterIds.length} = 0
      or i.target_type <> 'newsletter' or i.target_id = any (${[...filter.allowedNewsletterIds]}::uuid[]))`;

/** Newest first; one more than asked for when there are more. */
export async function pageImports(
  db: Db,
  workspaceId: string,
  asked: ImportFilter & { limit: number; offset: number; after: string | null },
): Promise<Import[]> {
  const { rows } = await sql<Import>`
    select ${columns} from imports i
     where ${matching(workspaceId, asked)} and i.workspace_id = ${workspaceId}
       and (${asked.after}::uuid is null or i.id < ${asked.after}::uuid)
     order by i.id desc limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

/** The options of the newest import of a kind whose file had this header, and that somebody meant. */
export async function findOptionsOfHeader(
  db: Db,
  workspaceId: string,
  header: string,
  filter: ImportFilter,
): Promise<Pick<Import, 'id' | 'options'> | undefined> {
  const { rows } = await sql<Pick<Import, 'id' | 'options'>>`
    select i.id, i.options from imports i
     where ${matching(workspaceId, filter)} and i.workspace_id = ${workspaceId} and i.layout ->> 'header' = ${header}
       and i.options ->> 'dryRun' = 'false' and i.status <> 'undone'
     order by i.id desc limit 1`.execute(db);
  return rows[0];
}

export async function countImports(db: Db, workspaceId: string, filter: ImportFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from imports i
     where ${matching(workspaceId, filter)} and i.workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Moves it to another status when it is in one of these. Its lease is void at once. */
export async function moveImport(
  db: Db,
  workspaceId: string,
  id: string,
  move: { from: readonly string[]; to: string },
): Promise<Import | undefined> {
  const { rows } = await sql<Import>`
    update imports i
       set status = ${move.to}, lease_token = null, lease_until = null, served_at = now(), confirmations_due = false,
           completed_at = case when ${move.to} = 'cancelled' then now() else i.completed_at end
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.status = any (${[...move.from]}::text[])
    returning ${columns}`.execute(db);
  return rows[0];
}

/** The oldest part from `part` on. */
export async function findPart(
  db: Db,
  workspaceId: string,
  importId: string,
  part: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from import_parts
     where workspace_id = ${workspaceId} and import_id = ${importId} and part = ${part}`.execute(db);
  return rows[0]?.bytes;
}

/** The results of rows, in the order of the file. */
export interface ResultRow {
  line: number;
  email: string;
  result: 'created' | 'updated' | 'skipped' | 'failed';
  reason: string | null;
  message: string | null;
}

export async function pageResults(
  db: Db,
  workspaceId: string,
  importId: string,
  asked: { afterLine: number; limit: number; results: readonly ResultRow['result'][] },
): Promise<ResultRow[]> {
  const { rows } = await sql<ResultRow>`
    select line, email, result, reason, message from import_results
     where workspace_id = ${workspaceId} and import_id = ${importId} and line > ${asked.afterLine}
       and result = any (${[...asked.results]}::text[])
     order by line limit ${asked.limit}`.execute(db);
  return rows;
}
