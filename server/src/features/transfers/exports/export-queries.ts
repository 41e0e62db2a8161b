import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { inTurn, noteTurn } from '../turn-queries.ts';
import type { TargetType } from '../target-type.ts';
import type { Export, ExportFormat } from './export.ts';

const columns = sql`
  e.workspace_id as "workspaceId", e.id, e.target_type as "targetType",
  e.target_id as "targetId", e.status, e.format, e.filters, e.cursor,
  e.parts, e.rows, e.error, e.created_at as "createdAt", e.completed_at as "completedAt"`;

export async function insertExport(
  db: Db,
  row: {
    workspaceId: string;
    id: string;
    targetType: TargetType;
    targetId: string;
    format: ExportFormat;
    filters: Export['filters'];
    createdBy: object;
  },
): Promise<Export> {
  const { rows } = await sql<Export>`
    insert into exports as e (workspace_id, id, target_type, target_id, format, filters, created_by)
    values (${row.workspaceId}, ${row.id}, ${row.targetType}, ${row.targetId}, ${row.format}, ${JSON.stringify(row.filters)}::jsonb,
      ${JSON.stringify(row.createdBy)}::jsonb)
    returning ${columns}`.execute(db);
  const [made] = rows;
  if (made === undefined) throw new Error('an insert without a condition returns its row');
  return made;
}

export async function countOpenExports(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from exports
     where workspace_id = ${workspaceId} and status in ('queued', 'processing')`.execute(db);
  return rows[0]?.open ?? 0;
}

export async function findExport(db: Db, workspaceId: string, id: string): Promise<Export | undefined> {
  const { rows } = await sql<Export>`
    select ${columns} from exports e where e.workspace_id = ${workspaceId} and e.id = ${id}`.execute(db);
  return rows[0];
}

export async function findExportPart(
  db: Db,
  workspaceId: string,
  exportId: string,
  part: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from export_parts
     where workspace_id = ${workspaceId} and export_id = ${exportId} and part = ${part}`.execute(db);
  return rows[0]?.bytes;
}

/** Takes the lease of an export of the workspace whose turn is longest ago. Undefined: none waits. */
export async function claimExport(db: Db, token: string, leaseSeconds: number): Promise<Export | undefined> {
  const { rows } = await sql<Export>`
    -- every workspace: a worker serves all of them in turn
    update exports e
       set lease_token = ${token}, lease_until = now() + ${leaseSeconds} * interval '1 second', status = 'processing'
     where (e.workspace_id, e.id) = (
       select c.workspace_id, c.id from exports c
        where c.status in ('queued', 'processing') and (c.lease_until is null or c.lease_until < now())
        order by ${inTurn('export')} limit 1 for update skip locked)
    returning ${columns}`.execute(db);
  const [claimed] = rows;
  if (claimed !== undefined) await noteTurn(db, claimed.workspaceId, 'export');
  return claimed;
}

/** One piece of the file, with how far that is, in one statement. False: the export is not ours any more. */
export async function insertExportPart(
  db: Db,
  row: Pick<Export, 'workspaceId' | 'id'>,
  token: string,
  piece: { bytes: Buffer; rows: number; cursor: string; leaseSeconds: number },
): Promise<boolean> {
  const { rows } = await sql`
    with held as (
      update exports
         set parts = parts + 1, rows = rows + ${piece.rows}, bytes = bytes + ${piece.bytes.length},
             cursor = ${piece.cursor}, lease_until = now() + ${piece.leaseSeconds} * interval '1 second'
       where workspace_id = ${row.workspaceId} and id = ${row.id} and lease_token = ${token} and status = 'processing'
      returning workspace_id, id, parts
    )
    insert into export_parts (workspace_id, export_id, part, bytes)
    select workspace_id, id, parts - 1, ${piece.bytes} from held returning part`.execute(db);
  return rows.length === 1;
}

export async function endExport(
  db: Db,
  row: Pick<Export, 'workspaceId' | 'id'>,
  token: string,
  end: { status: 'completed' | 'failed'; error: string | null },
): Promise<void> {
  await sql`
    update exports
       set status = ${end.status}, error = ${end.error}, completed_at = now(), lease_token = null, lease_until = null
     where workspace_id = ${row.workspaceId} and id = ${row.id} and lease_token = ${token}`.execute(db);
}

export async function giveBackExport(db: Db, row: Pick<Export, 'workspaceId' | 'id'>, token: string): Promise<void> {
  await sql`
    update exports set lease_token = null, lease_until = null, served_at = now()
     where workspace_id = ${row.workspaceId} and id = ${row.id} and lease_token = ${token}`.execute(db);
}

/** Forgets exports `hours` after they ended, and pieces whose export is gone. Answers how many rows. */
export async function sweepExports(db: Db, hours: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    -- every workspace: what has run out has run out for all
    with gone as (
      delete from exports where completed_at < now() - ${hours} * interval '1 hour' returning 1
    ), parts as (
      delete from export_parts p where (p.workspace_id, p.export_id, p.part) in (
        select x.workspace_id, x.export_id, x.part from export_parts x
         where not exists (select from exports e where e.workspace_id = x.workspace_id and e.id = x.export_id)
         limit 200)
      returning 1
    )
    select (select count(*) from gone) + (select count(*) from parts) as removed`.execute(db);
  return rows[0]?.removed ?? 0;
}
