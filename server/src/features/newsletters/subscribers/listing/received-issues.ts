import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import type { ReceivedIssue } from './received-issue.ts';
import { countReceivedIssues, pageReceivedIssues } from './received-issues-queries.ts';
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
