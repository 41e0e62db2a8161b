import { previewOfSend } from '#features/compositions';
import { type Route, route } from '#platform/http/route.ts';
import { getNewsletter } from '../../get-newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { getIssue } from '../get-issue.ts';
import { IssueParams } from '../schemas.ts';
import { checkIssue } from './check-issue.ts';
import * as schemas from './content-schemas.ts';
import { previewIssue } from './preview-issue.ts';
import { previewVersion } from './preview-version.ts';
import { sendTestOfIssue } from './send-test-of-issue.ts';

const one = { tag: 'Issues', params: IssueParams } as const;

export const issueContentRoutes = (_wiring: NewslettersWiring): Route[] => [
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/preview',
    id: 'preview_issue',
    summary: 'Preview an issue',
    description:
      'Renders the issue for a subscriber, or for an invented one. Its unsubscribe links do not work. 422 ' +
      'gives the reason when the issue cannot be rendered, 404 stands for a version that it does not have.',
    access: { scope: 'issues:read' },
    query: schemas.PreviewQuery,
    response: schemas.Preview,
    errors: [404, 422],
    handler: async (ctx, { params, query }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const issue = await getIssue(ctx, newsletter, params.issueId);
      const { subscriber_id: subscriberId = null, content_version: asked, number_links: numbers } = query;
      if (asked === undefined) {
        return previewOfSend(ctx, issue, await previewIssue(ctx, newsletter, issue, subscriberId), numbers === 'true');
      }
      const version = Number(asked);
      const shown = await previewVersion(ctx, newsletter, issue, { subscriberId, version });
      return { ...(await previewOfSend(ctx, issue, shown, numbers === 'true')), content_version: version };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/send-test',
    id: 'send_test_of_issue',
    summary: 'Send an issue to yourself',
    description:
      'Sends the issue to one address. The subject begins with `[Test]`, and the unsubscribe links do not ' +
      'work. The email is not tracked and counts in no statistics. At most 30 an hour and 100 a day, for each ' +
      'newsletter and for each key. 422 for a suppressed address.',
    access: { scope: 'issues:send', newMail: true },
    body: { json: schemas.SendTestBody },
    example: { body: { to: 'ada@example.com' } },
    response: schemas.SendTestAnswer,
    errors: [404, 422, 429],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const sent = await sendTestOfIssue(ctx, newsletter, await getIssue(ctx, newsletter, params.issueId), body.to);
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
      'Lists faults that prevent sending (`error`), faults that cause trouble in mail programs and filters or ' +
      'for readers (`warning`), and the exact number of recipients at this moment. Changes nothing.',
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
