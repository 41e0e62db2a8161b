import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { PauseCode } from '../../pause/pause.ts';

export interface PausedBulkSend {
  sendId: string;
  source: 'issue' | 'broadcast';
  newsletterId: string | null;
  issueId: string | null;
  broadcastId: string | null;
  pausedAt: Date;
  /** null: a person has paused it. */
  code: PauseCode | null;
  reason: string | null;
  resumesAt: Date | null;
}

/** The bulk sends of a workspace that wait for somebody or something, the newest first. */
export async function listPausedSends(
  db: Db,
  workspaceId: string,
  { newsletterIds, limit }: { newsletterIds: readonly string[]; limit: number },
): Promise<PausedBulkSend[]> {
  const ofShown =
    newsletterIds.length === 0
      ? sql``
      : sql`and (s.newsletter_id is null or s.newsletter_id = any(${[...newsletterIds]}::uuid[]))`;
  const { rows } = await sql<PausedBulkSend>`
    select s.id as "sendId", s.source, s.newsletter_id as "newsletterId", s.issue_id as "issueId",
           s.broadcast_id as "broadcastId", s.paused_at as "pausedAt", s.pause_code as code, s.pause_reason as reason,
           s.resumes_at as "resumesAt"
      from send_requests s
     where s.workspace_id = ${workspaceId} and s.paused_at is not null and s.bulk_state in ('releasing', 'released')
       ${ofShown}
     order by s.id desc limit ${limit}`.execute(db);
  return rows;
}
