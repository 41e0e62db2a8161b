import { type Route, route } from '#platform/http/route.ts';
import { getNewsletter } from '../../get-newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { getIssue } from '../reading/get-issue.ts';
import { IssueParams } from '../schemas.ts';
import { checkIssue } from './check-issue.ts';
import * as schemas from './content-schemas.ts';
import { previewIssue } from './preview-issue.ts';
import { sendTest } from './send-test.ts';

const one = { tag: 'Issues', params: IssueParams } as const;

export const issueContentRoutes = (_wiring: NewslettersWiring): Route[] => [
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/preview',
    id: 'preview_issue',
    summary: 'Preview an issue',
    description:
      'As a subscriber would get it, or somebody made up. The links to unsubscribe in it lead nowhere. 422 says why it ' +
      'cannot be made.',
    access: { scope: 'issues:read' },
    query: schemas.PreviewQuery,
    response: schemas.Preview,
    errors: [404, 422],
    handler: async (ctx, { params, query }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const issue = await getIssue(ctx, newsletter, params.issueId);
      return previewIssue(ctx, newsletter, issue, query.subscriber_id ?? null);
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/send-test',
    id: 'send_test_of_issue',
    summary: 'Send an issue to yourself',
    description:
      'To one address, with `[Test]` before the subject and links to unsubscribe that lead nowhere. Not tracked, and ' +
      'counted in no statistic. 30 an hour and 100 a day for a newsletter and for a key; 422 for a suppressed address.',
    access: { scope: 'issues:send' },
    body: { json: schemas.SendTestBody },
    example: { body: { to: 'ada@example.com' } },
    response: schemas.SendTestAnswer,
    errors: [404, 422, 429],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const sent = await sendTest(ctx, newsletter, await getIssue(ctx, newsletter, params.issueId), body.to);
      return { success: true, ...sent };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/check',
    id: 'check_issue',
    summary: 'Check an issue before it is sent',
    description:
      'Lists the faults that would refuse the send (`error`), the ones that mail programs, filters and readers have ' +
      'trouble with (`warning`), and exactly who would get it now. Changes nothing and stops nothing.',
    access: { scope: 'issues:read' },
    response: schemas.CheckAnswer,
    errors: [404],
    handler: async (ctx, { params }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const issue = await getIssue(ctx, newsletter, params.issueId);
      const { ok, checks, audience } = await checkIssue(ctx, newsletter, issue);
      const { willSend: will_send, suppressed, pending, unsubscribed } = audience;
      return { ok, checks, recipients: { will_send, suppressed, pending, unsubscribed } };
    },
  }),
];
