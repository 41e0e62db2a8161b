import { getNewsletter } from '../get-newsletter.ts';
import { EXACT_TOTAL_MAX, answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import type { NewslettersWiring } from '../wiring.ts';
import { cancelIssue } from './sending/cancel-issue.ts';
import { changeIssue } from './writing/change-issue.ts';
import { createIssue } from './writing/create-issue.ts';
import { duplicateIssue } from './writing/duplicate-issue.ts';
import { getIssue } from './reading/get-issue.ts';
import { LIMITS } from './writing/issue-input.ts';
import { csvHeaders, exportRecipients, listRecipients, recipientView } from './reading/issue-recipients.ts';
import { statsOf } from './reading/issue-stats.ts';
import { listIssues } from './reading/list-issues.ts';
import { readIssue, recordAndRead, recordAuditEntries } from './reading/read-issue.ts';
import { removeIssue } from './writing/remove-issue.ts';
import { resumeIssue } from './sending/resume-issue.ts';
import { retryFailed } from './sending/retry-failed.ts';
import { scheduleIssue } from './sending/schedule-issue.ts';
import * as schemas from './schemas.ts';
import { sendIssue } from './sending/send-issue.ts';

const one = { tag: 'Issues', params: schemas.IssueParams } as const;

export const issueRoutes = (wiring: NewslettersWiring): Route[] => [
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
    method: 'POST',
    path: '/v1/newsletters/:id/issues',
    id: 'create_issue',
    tag: 'Issues',
    summary: 'Create an issue',
    description:
      'A draft, or a scheduled issue when `scheduled_for` is given: that needs `issues:send` too, and everything that ' +
      'scheduling asks for.',
    access: { scope: 'issues:write' },
    status: 201,
    params: schemas.IssuesParams,
    body: { json: schemas.CreateIssueBody, bytesMax: LIMITS.requestBytes },
    example: { body: { subject: 'What we shipped', html_body: '<h1>Hello!</h1><p>Three things.</p>' } },
    response: schemas.IssueRecord,
    errors: [404, 422],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      return recordAndRead(ctx, wiring, newsletter, await createIssue(ctx, newsletter, body));
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId',
    id: 'get_issue',
    summary: 'Read an issue',
    description: 'With its bodies, its statistics, what was done to it, and why it does not move when it does not.',
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
    method: 'PATCH',
    path: '/v1/newsletters/:id/issues/:issueId',
    id: 'update_issue',
    summary: 'Change a draft or a scheduled issue',
    description:
      'Only what is given. `scheduled_for: null` makes a draft of a scheduled issue; on a draft a time is only stored, ' +
      'and sending it then schedules it. Changing a scheduled issue needs `issues:send` too. 409 from `sending` on.',
    access: { scope: 'issues:write' },
    body: { json: schemas.UpdateIssueBody, optional: true, bytesMax: LIMITS.requestBytes },
    example: { body: { subject: 'What we shipped this week' } },
    response: schemas.IssueRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      return recordAndRead(ctx, wiring, newsletter, await changeIssue(ctx, newsletter, params.issueId, body ?? {}));
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/v1/newsletters/:id/issues/:issueId',
    id: 'delete_issue',
    summary: 'Delete an issue',
    description:
      'With its page in the archive. 409 while it is scheduled or being sent (cancel it first), and until the last of ' +
      'its emails have left.',
    access: { scope: 'issues:write' },
    response: schemas.Removed,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      await removeIssue(ctx, await getNewsletter(ctx, params.id), params.issueId);
      return { success: true, id: params.issueId };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/send',
    id: 'send_issue',
    summary: 'Send an issue',
    description:
      'To every active subscriber, each once. A draft with a stored `scheduled_for` is scheduled instead; a scheduled ' +
      'issue is sent now. 409 from `sending` on: nobody gets an issue twice. 422 without a sender or a body.',
    access: { scope: 'issues:send' },
    status: 202,
    response: schemas.SendAnswer,
    errors: [404, 409, 422],
    handler: async (ctx, { params }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const sent = await sendIssue(ctx, wiring, newsletter, params.issueId);
      recordAuditEntries(ctx, wiring, sent);
      const { id, status, scheduledFor, totalRecipients } = sent.issue;
      if (status === 'scheduled') return { success: true, id, status, scheduled_for: scheduledFor };
      const { estimatedCompletionAt } = sent;
      return { success: true, id, status, total_recipients: totalRecipients, estimatedCompletionAt };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/schedule',
    id: 'schedule_issue',
    summary: 'Schedule an issue, or reschedule it',
    description: 'Everything that sending it needs is asked for now, and again when its time has come.',
    access: { scope: 'issues:send' },
    body: { json: schemas.ScheduleIssueBody },
    example: { body: { scheduled_for: '2026-12-01T09:00:00+01:00' } },
    response: schemas.IssueRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      return recordAndRead(ctx, wiring, newsletter, await scheduleIssue(ctx, newsletter, params.issueId, body));
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/cancel',
    id: 'cancel_issue',
    summary: 'Cancel an issue',
    description:
      'Of a scheduled issue nothing is sent. Of one that is being sent, what was released to the queue still leaves: ' +
      'about ten seconds’ worth, counted exactly. 409 in every other state.',
    access: { scope: 'issues:send' },
    response: schemas.CancelAnswer,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      const cancelled = await cancelIssue(ctx, await getNewsletter(ctx, params.id), params.issueId);
      recordAuditEntries(ctx, wiring, cancelled);
      return { success: true, status: 'cancelled', alreadyQueued: cancelled.alreadyQueued };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/resume',
    id: 'resume_issue',
    summary: 'Let a paused issue go on',
    description:
      'Too many bounces or complaints pause what is being sent, and so does a domain that may not send any more; ' +
      '`progress` says so, and why. What waits leaves as before, and what bounced or complained so far is not held ' +
      'against it again. 409 when it is not paused.',
    access: { scope: 'issues:send' },
    response: schemas.ResumeAnswer,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      const { id, status } = await resumeIssue(ctx, await getNewsletter(ctx, params.id), params.issueId);
      return { success: true, id, status };
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/stats',
    id: 'get_issue_stats',
    summary: 'Read the statistics of an issue',
    description: 'As of this moment: `total = pending + sent + failed` in every answer.',
    access: { scope: 'issues:read' },
    response: schemas.Stats,
    errors: [404],
    handler: async (ctx, { params }) => {
      const issue = await getIssue(ctx, await getNewsletter(ctx, params.id), params.issueId);
      return (await statsOf(ctx.db, issue.workspaceId, [issue])).get(issue.id);
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/recipients',
    id: 'list_issue_recipients',
    summary: 'List the recipients of an issue',
    description:
      'In the order in which they were frozen, with what became of each. `format=csv` is all of them as a file.',
    access: { scope: 'issues:read' },
    query: schemas.RecipientsQuery,
    response: listEnvelope(schemas.Recipient),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const issue = await getIssue(ctx, await getNewsletter(ctx, params.id), params.issueId);
      if (query.format === 'csv') {
        return answer(exportRecipients(ctx, issue, query.status), { headers: csvHeaders(issue) });
      }
      const { rows, ...counted } = await listRecipients(ctx, issue, { page, filter: query.status });
      return answerPage(page, rows, { ...counted, url: request.url, view: recipientView });
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/retry-failed',
    id: 'retry_failed_recipients',
    summary: 'Try those again whom the provider refused',
    description: 'Of an issue that was sent. Who was suppressed stays so, and nobody who got it gets it twice.',
    access: { scope: 'issues:send' },
    status: 202,
    response: schemas.RetryAnswer,
    errors: [404, 409, 422],
    handler: async (ctx, { params }) => {
      const retried = await retryFailed(ctx, await getNewsletter(ctx, params.id), params.issueId);
      recordAuditEntries(ctx, wiring, retried);
      return { success: true, queued: retried.queued };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/duplicate',
    id: 'duplicate_issue',
    summary: 'Duplicate an issue',
    description: 'A new draft with the same words, from an issue in any state.',
    access: { scope: 'issues:write' },
    status: 201,
    response: schemas.IssueRecord,
    errors: [404],
    handler: async (ctx, { params }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      return recordAndRead(ctx, wiring, newsletter, await duplicateIssue(ctx, newsletter, params.issueId));
    },
  }),
];
