import { bulkSends } from '#features/outbox';
import { EXACT_TOTAL_MAX, answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { getNewsletter } from '../../get-newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { getIssue } from '../get-issue.ts';
import { Course, Stats } from '../issue-stats.ts';
import { issueVersion, linksVersion } from '../record-versions.ts';
import * as schemas from '../schemas.ts';
import { IssueLinks, readIssueLinks } from './issue-links.ts';
import { csvHeaders, exportRecipients, listRecipients, recipientView } from './issue-recipients.ts';
import { listIssues } from './list-issues.ts';
import { readIssue } from './read-issue.ts';

const one = { tag: 'Issues', params: schemas.IssueParams } as const;

export const issueReadingRoutes = (wiring: NewslettersWiring): Route[] => [
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/issues',
    id: 'list_issues',
    tag: 'Issues',
    summary: 'List issues',
    description: 'Newest first, each with its statistics; bodies when `include=body` asks for them.',
    access: { scope: 'issues:read' },
    params: schemas.IssuesParams,
    query: schemas.IssuesQuery,
    response: listEnvelope(schemas.IssueInList),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const newsletter = await getNewsletter(ctx, params.id);
      const asked = { page, status: query.status ?? null, withBody: query.include === 'body' };
      const { data, total } = await listIssues(ctx, wiring, newsletter, asked);
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      return answerPage(page, data, { total, totalIsEstimate, url: request.url });
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId',
    id: 'get_issue',
    version: issueVersion,
    summary: 'Read an issue',
    description:
      'Includes the bodies, the statistics and the log of changes. If sending makes no progress, the reason is ' +
      'given.',
    access: { scope: 'issues:read' },
    response: schemas.IssueRecord,
    errors: [404],
    handler: async (ctx, { params }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      return readIssue(ctx, wiring, newsletter, await getIssue(ctx, newsletter, params.issueId));
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/stats',
    id: 'get_issue_stats',
    summary: 'Read the statistics of an issue',
    description: 'The counts of this moment. In every answer, `total = pending + sent + failed`.',
    access: { scope: 'issues:read' },
    response: Stats,
    errors: [404],
    handler: async (ctx, { params }) => {
      const issue = await getIssue(ctx, await getNewsletter(ctx, params.id), params.issueId);
      return (await bulkSends.statsOf(ctx.db, issue.workspaceId, [issue])).get(issue.id);
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/links',
    id: 'list_issue_links',
    version: linksVersion,
    summary: 'Read the clicks of an issue by link',
    description:
      'Every link whose clicks are counted, in the order of the issue. Links to the same address are one, because a ' +
      'tracked link says its address and not its place. A link with variables counts the clicks on every address that ' +
      'fits it. The counts stay when retention removes the emails. `counted_since` is null, and `data` is empty, when ' +
      'the issue was not sent, does not track clicks, or was sent before this was counted.',
    access: { scope: 'issues:read' },
    response: IssueLinks,
    errors: [404],
    handler: async (ctx, { params }) =>
      readIssueLinks(ctx.db, await getIssue(ctx, await getNewsletter(ctx, params.id), params.issueId)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/recipients',
    id: 'list_issue_recipients',
    summary: 'List the recipients of an issue',
    description:
      'All recipients, the newest email first, each with the state of its email. `total` is exact up to 10,000. ' +
      '`counted` lists the recipients of a count of the statistics, as long as their emails are there. ' +
      '`format=csv` gives all of them as a file.',
    access: { scope: 'issues:read' },
    query: schemas.RecipientsQuery,
    response: listEnvelope(schemas.Recipient),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const issue = await getIssue(ctx, await getNewsletter(ctx, params.id), params.issueId);
      if (query.format === 'csv') {
        return answer(await exportRecipients(ctx, issue, query), { headers: csvHeaders(issue) });
      }
      const { rows, ...counted } = await listRecipients(ctx, issue, { page, query });
      return answerPage(page, rows, { ...counted, url: request.url, view: recipientView });
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/course',
    id: 'get_issue_course',
    summary: 'Read when an issue was opened and clicked',
    description:
      'How many recipients opened it and clicked, each once and at their first time, by the hours or days since it ' +
      'began. Machines are not counted. `uncounted` opens were before this was counted by time. The counts stay when ' +
      'retention removes the emails.',
    access: { scope: 'issues:read' },
    query: bulkSends.CourseQuery,
    response: Course,
    errors: [404],
    example: { query: { granularity: 'hour', timezone: 'Europe/Berlin' } },
    handler: async (ctx, { params, query }) =>
      bulkSends.readCourse(ctx, await getIssue(ctx, await getNewsletter(ctx, params.id), params.issueId), query),
  }),
];
