import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { ScheduledSummary } from '../scheduled-email.ts';
import { summaryColumns } from './columns.ts';

/** Clocks of processes differ, and the items of a batch are made one after the other. */
const HOUR_MS = 3_600_000;

/** The items of a batch that never began. Found by their ids, which begin with the time of the batch. */
export async function listOfBatch(
  db: Db,
  workspaceId: string,
  { id, createdAt }: { id: string; createdAt: Date },
): Promise<ScheduledSummary[]> {
  const { rows } = await sql<ScheduledSummary>`
    select ${summaryColumns} from scheduled_emails s
     where s.workspace_id = ${workspaceId} and s.batch_id = ${id} and s.job_id is null
       and s.id >= ${firstIdAt(new Date(createdAt.getTime() - HOUR_MS))}::uuid
       and s.id < ${firstIdAt(new Date(createdAt.getTime() + HOUR_MS))}::uuid
     order by s.batch_index`.execute(db);
  return rows;
}
