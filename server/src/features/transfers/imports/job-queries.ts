/** The statements of whoever works on imports: any number of processes, each import with one of them at a time. */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { inTurn, noteTurn } from '../turn-queries.ts';
import type { Import } from './import.ts';
import type { ResultRow } from './import-queries.ts';

/** An import that this process works on, as long as the token is its. */
export type Job = Pick<Import, 'workspaceId' | 'id'> & { token: string };

/**
 * Takes the lease of an import of the workspace whose turn is longest ago. Undefined: none waits. A process that died
 * keeps its import until the lease runs out.
 */
export async function claimImport(
  db: Db,
  token: string,
  leaseSeconds: number,
): Promise<{ workspaceId: string; id: string } | undefined> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    -- every workspace: a worker serves all of them in turn
    update imports i
       set lease_token = ${token}, lease_until = now() + ${leaseSeconds} * interval '1 second',
           status = case i.status when 'queued' then 'processing' else i.status end,
           started_at = coalesce(i.started_at, now())
     where (i.workspace_id, i.id) = (
       select c.workspace_id, c.id from imports c
        where c.status in ('queued', 'processing', 'undoing') and (c.lease_until is null or c.lease_until < now())
        order by ${inTurn('import')} limit 1 for update skip locked)
    returning i.workspace_id as "workspaceId", i.id`.execute(db);
  const [claimed] = rows;
  if (claimed !== undefined) await noteTurn(db, claimed.workspaceId, 'import');
  return claimed;
}

/** The import for the rest of the transaction, with its lease renewed; undefined: it is not ours any more. */
export async function holdImport(tx: Db, job: Job, leaseSeconds: number): Promise<Import['status'] | undefined> {
  const { rows } = await sql<{ status: Import['status'] }>`
    update imports set lease_until = now() + ${leaseSeconds} * interval '1 second'
     where workspace_id = ${job.workspaceId} and id = ${job.id} and lease_token = ${job.token}
       and status in ('processing', 'undoing')
    returning status`.execute(tx);
  return rows[0]?.status;
}

export interface Advance {
  atByte: number;
  atLine: number;
  total: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
  results: number;
}

/** In the transaction of the page whose end this is. */
export async function advanceImport(tx: Db, job: Job, by: Advance): Promise<void> {
  await sql`
    update imports
       set at_byte = ${by.atByte}, at_line = ${by.atLine}, total = total + ${by.total}, created = created + ${by.created},
           updated = updated + ${by.updated}, skipped = skipped + ${by.skipped}, failed = failed + ${by.failed},
           results = results + ${by.results}
     where workspace_id = ${job.workspaceId} and id = ${job.id} and lease_token = ${job.token}`.execute(tx);
}

/** Its file has been read to the end, or cannot be. */
export async function endImport(
  db: Db,
  job: Job,
  end: { status: 'completed' | 'failed'; error: string | null; confirmationsDue: boolean },
): Promise<void> {
  await sql`
    update imports
       set status = ${end.status}, error = ${end.error}, confirmations_due = ${end.confirmationsDue}, completed_at = now(),
           lease_token = null, lease_until = null
     where workspace_id = ${job.workspaceId} and id = ${job.id} and lease_token = ${job.token}
       and status = 'processing'`.execute(db);
}

/** Gives the lease back, behind all others that wait. */
export async function giveBackImport(db: Db, job: Job): Promise<void> {
  await sql`
    update imports set lease_token = null, lease_until = null, served_at = now()
     where workspace_id = ${job.workspaceId} and id = ${job.id} and lease_token = ${job.token}`.execute(db);
}

export async function deleteParts(db: Db, job: Pick<Import, 'workspaceId' | 'id'>): Promise<void> {
  await sql`
    delete from import_parts where workspace_id = ${job.workspaceId} and import_id = ${job.id}`.execute(db);
}

export async function insertResults(tx: Db, job: Job, rows: readonly ResultRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into import_results (workspace_id, import_id, line, email, result, reason, message)
    select ${job.workspaceId}, ${job.id}, r.line, r.email, r.result, r.reason, r.message
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (line integer, email text, result text, reason text, message text)
    on conflict do nothing`.execute(tx);
}

/** Which of these addresses had a row that did not fail, among those whose results are kept. */
export async function listMetAddresses(tx: Db, job: Job, emails: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct email from import_results
     where workspace_id = ${job.workspaceId} and import_id = ${job.id} and result <> 'failed'
       and email = any (${[...emails]}::text[])`.execute(tx);
  return rows.map((row) => row.email);
}

export async function noteRemoved(tx: Db, job: Job, removed: number): Promise<void> {
  await sql`
    update imports set removed = removed + ${removed}
     where workspace_id = ${job.workspaceId} and id = ${job.id} and lease_token = ${job.token}`.execute(tx);
}

export async function endUndo(db: Db, job: Job): Promise<void> {
  await sql`
    update imports set status = 'undone', undone_at = now(), lease_token = null, lease_until = null
     where workspace_id = ${job.workspaceId} and id = ${job.id} and lease_token = ${job.token}
       and status = 'undoing'`.execute(db);
}

/**
 * Forgets what is over: uploads that broke off (nobody renews them), results after `resultsDays`, and pieces and
 * results of imports that are gone, some at a time. Answers how many rows; the records of imports stay.
 */
export async function sweepImports(db: Db, resultsDays: number, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    -- every workspace: what is over is over for all
    with uploads as (
      delete from imports where status = 'uploading' and lease_until < now() returning 1
    ), old as materialized (
      select workspace_id, id from imports
       where (results > 0 or updated > 0) and completed_at < now() - ${resultsDays} * interval '1 day'
         and exists (select from import_results r where r.workspace_id = imports.workspace_id and r.import_id = imports.id)
       limit 20
    ), results as (
      delete from import_results r where (r.workspace_id, r.import_id, r.line) in (
        select x.workspace_id, x.import_id, x.line from import_results x
         where not exists (select from imports i where i.workspace_id = x.workspace_id and i.id = x.import_id)
            or (x.workspace_id, x.import_id) in (select workspace_id, id from old)
         limit ${limit})
      returning 1
    ), parts as (
      delete from import_parts p where (p.workspace_id, p.import_id, p.part) in (
        select x.workspace_id, x.import_id, x.part from import_parts x
         where not exists (
           select from imports i where i.workspace_id = x.workspace_id and i.id = x.import_id
             and i.status in ('uploading', 'queued', 'processing'))
         limit 200)
      returning 1
    )
    select (select count(*) from uploads) + (select count(*) from results) + (select count(*) from parts) as removed`.execute(
    db,
  );
  return rows[0]?.removed ?? 0;
}
