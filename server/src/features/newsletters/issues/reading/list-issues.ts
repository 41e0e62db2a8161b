import { bulkSends } from '#features/outbox';
import { EXACT_TOTAL_MAX, type PageRequest } from '#platform/http/paging.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { IssueStatus, IssueSummary } from '../issue.ts';
import { issueBody, issueInList } from './issue-view.ts';
import { countIssues, pageIssues } from '../queries.ts';

export interface IssuesAsked {
  page: PageRequest;
  status: IssueStatus | null;
  withBody: boolean;
}

/** A page of issues, newest first, each with its statistics; `total` is null behind a cursor. */
export async function listIssues(
  ctx: Ctx,
  { audit }: Pick<NewslettersWiring, 'audit'>,
  newsletter: Newsletter,
  { page, status, withBody }: IssuesAsked,
) {
  const { workspaceId } = newsletter;
  const rows = await pageIssues(ctx.db, newsletter, { ...page, status, withBody });
  const total = page.after === null ? await countIssues(ctx.db, newsletter, { status }, EXACT_TOTAL_MAX + 1) : null;
  const stats = await bulkSends.statsOf(ctx.db, workspaceId, rows);
  const logs = withBody ? await audit.readAll(workspaceId, 'issue', rows.map(idOf)) : new Map();
  const data = rows.map((row) => ({
    ...issueInList(row, newsletter, ctx.settings.dashboardUrl, stats.get(row.id)),
    ...(withBody
      ? issueBody({ htmlBody: row.htmlBody ?? '', textBody: row.textBody ?? null }, logs.get(row.id) ?? [])
      : {}),
  }));
  return { data, total };
}

const idOf = (row: IssueSummary): string => row.id;
