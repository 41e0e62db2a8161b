import { shownStatus } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import { countReceivedIssues, pageReceivedIssues, type ReceivedIssue } from './received-issues-queries.ts';
import type { Subscriber } from '../subscriber.ts';

export async function listReceivedIssues(
  ctx: Pick<Ctx, 'db' | 'workspaceId'>,
  { id }: Subscriber,
  page: PageRequest,
): Promise<{ rows: ReceivedIssue[]; total: number | null }> {
  const rows = await pageReceivedIssues(ctx.db, ctx.workspaceId, { subscriberId: id, ...page });
  const max = EXACT_TOTAL_MAX + 1;
  return { rows, total: page.after === null ? await countReceivedIssues(ctx.db, ctx.workspaceId, id, max) : null };
}

export const receivedIssueView = (row: ReceivedIssue) => ({
  issue_id: row.issueId,
  email_id: row.id,
  subject: row.subject,
  status: shownStatus(row.status),
  error: row.error,
  open_count: row.openCount,
  click_count: row.clickCount,
  sent_at: row.sentAt,
  delivered_at: row.deliveredAt,
  last_event_at: row.lastEventAt,
  created_at: row.createdAt,
});
