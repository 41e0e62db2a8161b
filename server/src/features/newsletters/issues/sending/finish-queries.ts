import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { bulkSends } from '#features/outbox';
import type { Issue } from '../issue.ts';
import { columns } from '../queries.ts';

type AwaitingIssue = Awaited<ReturnType<Parameters<typeof bulkSends.finish>[1]['list']>>[number];

export async function listAwaitingFinish(db: Db, after: AwaitingIssue | null, limit: number): Promise<AwaitingIssue[]> {
  const { rows } = await sql<AwaitingIssue>`
    -- every workspace: one service looks for everybody
    select i.workspace_id as "workspaceId", i.id, i.send_id as "sendId" from issues i
     where i.awaits_finish
       and (${after === null} or (i.workspace_id, i.id) > (${after?.workspaceId ?? null}::uuid, ${after?.id ?? null}::uuid))
     order by i.workspace_id, i.id limit ${limit}`.execute(db);
  return rows;
}

/** Undefined: somebody else was first. */
export async function markIssueFinished(tx: Db, workspaceId: string, id: string): Promise<Issue | undefined> {
  const { rows } = await sql<Issue>`
    update issues i set finished_at = now(), awaits_finish = false, updated_at = now()
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.awaits_finish
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** Refused emails of its send are tried again: it is not finished any more. */
export async function reopenIssueOfSend(tx: Db, workspaceId: string, sendId: string): Promise<void> {
  await sql`
    update issues i set finished_at = null, awaits_finish = true, updated_at = now()
     where i.workspace_id = ${workspaceId} and i.send_id = ${sendId}
       and (i.finished_at is not null or not i.awaits_finish)`.execute(tx);
}
