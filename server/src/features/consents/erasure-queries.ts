import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

export interface Erasure {
  workspaceId: string;
  subscriberId: string;
}

export async function insertErasures(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into erasures (workspace_id, subscriber_id)
    select ${workspaceId}, id from unnest(${[...ids]}::uuid[]) as id
    on conflict do nothing`.execute(tx);
}

/** Oldest first; those that a process works on just now are left to it. */
export async function lockErasures(tx: Db, after: Erasure | null, limit: number): Promise<Erasure[]> {
  const { rows } = await sql<Erasure>`
    -- every workspace: whoever asked to be forgotten, wherever
    select workspace_id as "workspaceId", subscriber_id as "subscriberId" from erasures
     where ${after === null ? sql`true` : sql`(workspace_id, subscriber_id) > (${after.workspaceId}, ${after.subscriberId})`}
     order by workspace_id, subscriber_id limit ${limit} for update skip locked`.execute(tx);
  return rows;
}

/** After this long nothing comes any more that names them: a provider reports what became of an email for days. */
export async function deleteOldErasures(db: Db, days: number): Promise<void> {
  await sql`
    -- every workspace: time passes everywhere
    delete from erasures where created_at < now() - make_interval(days => ${days})`.execute(db);
}
