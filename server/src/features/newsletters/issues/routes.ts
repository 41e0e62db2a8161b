import { type Route, route } from '#platform/http/route.ts';
import { getNewsletter } from '../get-newsletter.ts';
import type { NewslettersWiring } from '../wiring.ts';
import { cancelIssue } from './sending/cancel-issue.ts';
import { changeIssue } from './writing/change-issue.ts';
import { createIssue } from './writing/create-issue.ts';
import { correctIssue } from './writing/correct-issue.ts';
import { CorrectionBody } from './corrections/correction.ts';
import { duplicateIssue } from './writing/duplicate-issue.ts';
import { issueVersion, linksVersion } from './record-versions.ts';
import { LIMITS } from './writing/issue-input.ts';
import { readIssueChange, readNewIssue, readScheduleFields } from './writing/read-issue-fields.ts';
import { IssueLinks, readIssueLinks, RedirectLinkBody } from './reading/issue-links.ts';
import { recordAndRead, recordAuditEntries } from './reading/read-issue.ts';
import { removeIssue } from './writing/remove-issue.ts';
import { redirectLink } from './sending/redirect-link.ts';
import { pauseIssue } from './sending/pause-issue.ts';
import { resumeIssue } from './sending/resume-issue.ts';
import { countRetryable, retryFailed } from './sending/retry-failed.ts';
import { scheduleIssue } from './sending/schedule-issue.ts';
import * as schemas from './schemas.ts';
import { sendIssue } from './sending/send-issue.ts';

const version = issueVersion;
const changes = { path: '/v1/newsletters/:id/issues/:issueId', version };

const one = { tag: 'Issues', params: schemas.IssueParams } as const;

export const issueRoutes = (wiring: NewslettersWiring): Route[] => [
  route({
    method: 'POST',
    path: '/v1/newsletters/:id/issues',
    id: 'create_issue',
    version,
    tag: 'Issues',
    summary: 'Create an issue',
    description:
      'Creates a draft. With `scheduled_for` it creates a scheduled issue, which needs `issues:send` too and ' +
      'must meet all conditions of scheduling.',
    access: { scope: 'issues:write' },
    status: 201,
    params: schemas.IssuesParams,
    body: {
      json: schemas.CreateIssueBody,
      others: schemas.ISSUE_NAMES,
      bytesMax: LIMITS.requestBytes,
      read: readNewIssue,
    },
    example: { body: { subject: 'News of October', html_body: '<h1>Hello!</h1><p>Three things.</p>' } },
    response: schemas.IssueRecord,
    errors: [404, 422],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      return recordAndRead(ctx, wiring, newsletter, await createIssue(ctx, newsletter, body));
    },
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/v1/newsletters/:id/issues/:issueId',
    id: 'update_issue',
    version,
    summary: 'Change an issue',
    description:
      'Only the fields in the body change. `scheduled_for: null` turns a scheduled issue into a draft. On a ' +
      'draft, `scheduled_for` is stored, and a later send schedules the issue for that time. Changing a ' +
      'scheduled issue needs `issues:send` too. Of an issue that is being sent and is paused, the content may ' +
      'change (`subject`, `preheader`, `html_body`, `text_body`, `editor`), with `issues:send`, for those to whom it ' +
      'has not been sent yet. That makes the next `content_version`. 409 for one that is not paused or is done.',
    access: { scope: 'issues:write' },
    body: {
      json: schemas.UpdateIssueBody,
      others: schemas.ISSUE_NAMES,
      optional: true,
      bytesMax: LIMITS.requestBytes,
      read: readIssueChange,
    },
    example: { body: { subject: 'News of this week' } },
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
    version,
    summary: 'Delete an issue',
    description:
      'Deletes its page in the archive too. 409 while it is scheduled or being sent (cancel it first), and ' +
      'while some of its emails are still leaving.',
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
    changes,
    summary: 'Send an issue',
    description:
      'Sends the issue once to every active subscriber. A draft with a stored `scheduled_for` is scheduled ' +
      'instead. A scheduled issue is sent now. 409 once it is being sent: nobody gets an issue twice. 422 ' +
      'without a sender or a body.',
    access: { scope: 'issues:send', newMail: true },
    status: 202,
    body: { json: schemas.SendIssueBody, others: schemas.SEND_ISSUE_NAMES, optional: true },
    example: { body: {} },
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
    changes,
    summary: 'Schedule an issue, or reschedule it',
    description: 'The conditions for sending are checked now, and again at the scheduled time.',
    access: { scope: 'issues:send' },
    body: { json: schemas.ScheduleIssueBody, others: schemas.ISSUE_NAMES, read: readScheduleFields },
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
    changes,
    summary: 'Cancel an issue',
    description:
      'A cancelled scheduled issue is not sent. If the issue is already being sent, the emails released to the ' +
      'queue still leave: about ten seconds of sending. The answer counts them exactly. 409 in every other ' +
      'state.',
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
    path: '/v1/newsletters/:id/issues/:issueId/pause',
    id: 'pause_issue',
    changes,
    summary: 'Pause an issue',
    description:
      'Takes what waits out of the queue, until you resume it. The answer counts the emails that are being handed over at ' +
      'this moment. 409 when it is not being sent or is paused already.',
    access: { scope: 'issues:send' },
    response: schemas.PauseAnswer,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      const paused = await pauseIssue(ctx, await getNewsletter(ctx, params.id), params.issueId);
      recordAuditEntries(ctx, wiring, paused);
      return { success: true, status: 'sending', paused: true, alreadyQueued: paused.alreadyQueued };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/resume',
    id: 'resume_issue',
    changes,
    summary: 'Resume a paused issue',
    description:
      'Too many bounces or complaints pause an issue that is being sent, until you resume it. Other pauses end by ' +
      'themselves: `progress` gives the reason and its `code`. After resuming, the waiting emails leave as before, ' +
      'and earlier bounces and complaints do not count towards the next pause. 409 when the issue is not paused.',
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
    method: 'PATCH',
    path: '/v1/newsletters/:id/issues/:issueId/links',
    id: 'redirect_issue_link',
    version: linksVersion,
    summary: 'Redirect a link of an issue that was sent',
    description:
      'From now on the link leads to `to`, in mail that has left and in mail that still leaves. Its clicks are counted for ' +
      'the new address from then on, which `GET …/links` lists behind the others. In force within a few seconds. 409 ' +
      'without tracked links, 422 for a link that it does not have, or for an address that is none of the web.',
    access: { scope: 'issues:send' },
    body: { json: RedirectLinkBody },
    example: { body: { from: 'https://example.com/sale', to: 'https://example.com/sale-2026' } },
    response: IssueLinks,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const redirected = await redirectLink(ctx, newsletter, params.issueId, body);
      recordAuditEntries(ctx, wiring, redirected);
      return readIssueLinks(ctx.db, redirected.issue);
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/newsletters/:id/issues/:issueId/retry-failed',
    id: 'count_retryable_recipients',
    summary: 'Count the emails of an issue that would be tried again',
    description: 'Without those that the provider took and rejected later, for their content. 0 before it was sent.',
    access: { scope: 'issues:read' },
    response: schemas.RetryableAnswer,
    errors: [404],
    handler: async (ctx, { params }) => countRetryable(ctx, await getNewsletter(ctx, params.id), params.issueId),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/retry-failed',
    id: 'retry_failed_recipients',
    summary: 'Send an issue again to recipients that the provider refused',
    description: 'For an issue that was sent. Suppressed recipients stay suppressed, and nobody gets the issue twice.',
    access: { scope: 'issues:send', newMail: true },
    status: 202,
    response: schemas.RetryAnswer,
    errors: [404, 409, 422],
    outsideTransaction: true,
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
    version,
    summary: 'Duplicate an issue',
    description: 'Creates a draft with the same content. The issue can be in any state.',
    access: { scope: 'issues:write' },
    status: 201,
    response: schemas.IssueRecord,
    errors: [404],
    handler: async (ctx, { params }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      return recordAndRead(ctx, wiring, newsletter, await duplicateIssue(ctx, newsletter, params.issueId));
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/newsletters/:id/issues/:issueId/correction',
    id: 'correct_issue',
    version,
    summary: 'Write a correction of an issue',
    description:
      'Creates a draft for exactly those who were sent the issue, or one version of its content, and are still active ' +
      'when it is sent. It has the newest content of the issue, to write it from. 409 before the issue is sent, 422 when ' +
      'nobody was sent that version.',
    access: { scope: 'issues:write' },
    status: 201,
    body: { json: CorrectionBody, optional: true },
    example: { body: { content_version: 1 } },
    response: schemas.IssueRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const corrected = await correctIssue(ctx, newsletter, params.issueId, body?.content_version ?? null);
      return recordAndRead(ctx, wiring, newsletter, corrected);
    },
  }),
];
