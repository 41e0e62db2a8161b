import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import { BULK_JOB, type BulkJob, KEPT_DAYS, UNDO_HOURS } from './bulk-job.ts';

const columns = BULK_JOB.columns('j');

/** A job that this process works on, as long as the token is its. */
export interface Held {
  workspaceId: string;
  id: string;
  token: string;
}

export async function insertJob(
  tx: Db,
  job: Pick<BulkJob, 'workspaceId' | 'id' | 'filter' | 'action' | 'count' | 'mode' | 'createdAt'>,
): Promise<void> {
  await sql`
    insert into contact_bulk_jobs (workspace_id, id, filter, action, count, mode, created_at, last_id)
    values (${job.workspaceId}, ${job.id}, ${JSON.stringify(job.filter)}::jsonb, ${JSON.stringify(job.action)}::jsonb,
      ${job.count}, ${job.mode}, ${job.createdAt},
      (select c.id from contacts c where c.workspace_id = ${job.workspaceId}
        order by c.workspace_id desc, c.id desc limit 1))`.execute(tx);
}

export async function findJob(db: Db, workspaceId: string, id: string): Promise<BulkJob | undefined> {
  const { rows } = await sql<BulkJob>`
    select ${columns} from contact_bulk_jobs j where j.workspace_id = ${workspaceId} and j.id = ${id}`.execute(db);
  return rows[0];
}

/** Newest first; one more than asked for when there are more. */
export async function pageOfJobs(
  db: Db,
  workspaceId: string,
  asked: { after: string | null; offset: number; limit: number },
): Promise<BulkJob[]> {
  const { rows } = await sql<BulkJob>`
    select ${columns} from contact_bulk_jobs j
     where j.workspace_id = ${workspaceId} and (${asked.after}::uuid is null or j.id < ${asked.after}::uuid)
     order by j.id desc limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

export async function countJobs(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from contact_bulk_jobs where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The same, held until the transaction ends. */
export async function lockJob(tx: Db, workspaceId: string, id: string): Promise<BulkJob | undefined> {
  const { rows } = await sql<BulkJob>`
    select ${columns} from contact_bulk_jobs j
     where j.workspace_id = ${workspaceId} and j.id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Jobs of the workspace that are not at their end. */
export async function countOpenJobs(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from contact_bulk_jobs
     where workspace_id = ${workspaceId} and status in ('queued', 'processing', 'undoing')`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * Takes the lease of the job that was served longest ago. Undefined: none waits. A process that died keeps its job
 * until the lease runs out.
 */
export async function claimJob(
  db: Db,
  token: string,
  leaseSeconds: number,
): Promise<{ workspaceId: string; id: string } | undefined> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    -- every workspace: a worker serves all of them in turn
    update contact_bulk_jobs j
       set lease_token = ${token}, lease_until = now() + ${leaseSeconds} * interval '1 second',
           status = case j.status when 'queued' then 'processing' else j.status end
     where (j.workspace_id, j.id) = (
       select o.workspace_id, o.id from contact_bulk_jobs o
        where o.status in ('queued', 'processing', 'undoing') and (o.lease_until is null or o.lease_until < now())
        order by o.served_at limit 1 for update skip locked)
    returning j.workspace_id as "workspaceId", j.id`.execute(db);
  return rows[0];
}

/** The job for the rest of the transaction, with its lease renewed; undefined: it is not ours any more. */
export async function holdJob(tx: Db, held: Held, leaseSeconds: number): Promise<BulkJob | undefined> {
  const { rows } = await sql<BulkJob>`
    update contact_bulk_jobs j set lease_until = now() + ${leaseSeconds} * interval '1 second'
     where j.workspace_id = ${held.workspaceId} and j.id = ${held.id} and j.lease_token = ${held.token}
       and j.status in ('processing', 'undoing')
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** In the transaction of the page whose end this is. */
export async function advanceJob(
  tx: Db,
  { workspaceId, id }: Held,
  by: { atId: string; processed: number; changed: number },
): Promise<void> {
  await sql`
    update contact_bulk_jobs
       set at_id = ${by.atId}, processed = processed + ${by.processed}, changed = changed + ${by.changed}
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function noteCount(tx: Db, { workspaceId, id }: Held, count: number): Promise<void> {
  await sql`
    update contact_bulk_jobs set count = ${count} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function noteUndone(tx: Db, { workspaceId, id }: Held, undone: number): Promise<void> {
  await sql`
    update contact_bulk_jobs set undone = undone + ${undone}
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function endJob(
  db: Db,
  { workspaceId, id, token }: Held,
  end: { status: 'completed' | 'failed' | 'undone'; error: string | null; at: Date },
): Promise<void> {
  await sql`
    update contact_bulk_jobs
       set status = ${end.status}, error = ${end.error}, completed_at = coalesce(completed_at, ${end.at}),
           lease_token = null, lease_until = null
     where workspace_id = ${workspaceId} and id = ${id} and lease_token = ${token}`.execute(db);
}

/** Gives the lease back, behind all others that wait. */
export async function giveBackJob(db: Db, { workspaceId, id, token }: Held): Promise<void> {
  await sql`
    update contact_bulk_jobs set lease_token = null, lease_until = null, served_at = now()
     where workspace_id = ${workspaceId} and id = ${id} and lease_token = ${token}`.execute(db);
}

export async function beginUndo(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`
    update contact_bulk_jobs set status = 'undoing', served_at = now()
     where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/**
 * The next contacts who meet the condition on `c`, in the order of their ids: at most `limit`, among the `look` of them
 * behind `after`. `end` is the last that was looked at.
 */
export async function pageOfMatching(
  tx: Db,
  workspaceId: string,
  condition: RawBuilder<boolean>,
  { after, last, limit, look }: { after: string | null; last: string; limit: number; look: number },
): Promise<{ ids: string[]; end: string }> {
  const behind = sql`
    select o.* from contacts o
     where o.workspace_id = ${workspaceId} and o.id <= ${last}::uuid
       ${after === null ? sql`` : sql`and o.id > ${after}::uuid`}
     order by o.workspace_id, o.id`;
  const found = await sql<{ id: string }>`
    select c.id from (${behind} limit ${look}) c where ${condition} order by c.id limit ${limit}`.execute(tx);
  const ids = found.rows.map(({ id }) => id);
  const lastFound = ids.at(-1);
  if (ids.length === limit && lastFound !== undefined) return { ids, end: lastFound };
  const { rows } = await sql<{ id: string }>`select c.id from (${behind} offset ${look - 1} limit 1) c`.execute(tx);
  return { ids, end: rows[0]?.id ?? last };
}

/** Removes some changes that can be undone no more, and some jobs that ended long ago. Returns how many it found. */
export async function sweepJobs(db: Db, now: Date, limit: number): Promise<number> {
  const changes = await removePage(
    db,
    sql`
      -- every workspace: what is over is over for all
      select h.workspace_id, h.job_id, h.contact_id from contact_bulk_jobs j
        join contact_bulk_changes h on h.workspace_id = j.workspace_id and h.job_id = j.id
       where j.status in ('completed', 'failed', 'undone')
         and j.completed_at < ${new Date(now.getTime() - UNDO_HOURS * 3_600_000)} limit ${limit}`,
    sql`
      delete from contact_bulk_changes
       where (workspace_id, job_id, contact_id) in (select workspace_id, job_id, contact_id from page)`,
  );
  const jobs = await removePage(
    db,
    sql`
      -- every workspace: what is over is over for all
      select j.workspace_id, j.id from contact_bulk_jobs j
       where j.status in ('completed', 'failed', 'undone')
         and j.completed_at < ${new Date(now.getTime() - KEPT_DAYS * 86_400_000)}
         and not exists (select from contact_bulk_changes h where h.workspace_id = j.workspace_id and h.job_id = j.id)
       limit ${limit}`,
    sql`delete from contact_bulk_jobs where (workspace_id, id) in (select workspace_id, id from page)`,
  );
  return changes + jobs;
}
