import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface WorkerRow {
  id: string;
  roles: string[];
  lastSeenAt: Date;
}

export async function recordHeartbeat(
  db: Db,
  worker: { id: string; roles: readonly string[]; host: string; pid: number },
): Promise<void> {
  await sql`insert into workers (id, roles, host, pid) values (${worker.id}, ${worker.roles}::text[], ${worker.host}, ${worker.pid})
    on conflict (id) do update set last_seen_at = now()`.execute(db);
}

export async function removeWorker(db: Db, id: string): Promise<void> {
  await sql`delete from workers where id = ${id}`.execute(db);
}

/** Rows of processes that died without a word. */
export async function removeSilentWorkers(db: Db): Promise<void> {
  await sql`delete from workers where last_seen_at < now() - interval '1 hour'`.execute(db);
}

export async function selectLiveWorkers(db: Db): Promise<WorkerRow[]> {
  const { rows } = await sql<WorkerRow>`
    select id, roles, last_seen_at as "lastSeenAt" from workers
     where last_seen_at > now() - interval '1 minute' order by started_at, id`.execute(db);
  return rows;
}
