import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { getEmailAttachment } from './email-attachment.ts';
import { explainEmail } from './explain-email.ts';
import { getEmailContent, getEmailRaw, type RecordPorts } from './email-content.ts';
import { getEmail } from './get-email.ts';
import { listEmails } from './list-emails.ts';
import { resendEmail } from './resend-email.ts';
import {
  AttachmentParams,
  Email,
  EmailContent,
  EmailExplanation,
  EmailParams,
  EmailSummary,
  EmailsQuery,
  ResendBody,
  Resent,
  Settled,
} from './schemas.ts';
import { sendAgain, treatAsSent } from './settle-unconfirmed.ts';

const one = { tag: 'Emails', params: EmailParams, errors: [404] } as const;

export const recordRoutes = (ports: RecordPorts): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/emails',
    aliases: ['/api/v1/email/logs'],
    id: 'list_emails',
    tag: 'Emails',
    summary: 'List emails',
    description:
      'Newest first. Filters combine. No index serves `from`, `subject`, `tag`, `metadata`, `source`, `domain_id`, `api_key_id` ' +
      'and `template_id`: a page then ends after 10,000 emails that were looked at, even when it is short or empty. ' +
      'Continue while `has_more` is true, with `cursor`.',
    access: { scope: 'emails:read' },
    query: EmailsQuery,
    response: listEnvelope(EmailSummary),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { emails, ...counted } = await listEmails(ctx, query, page);
      return answerPage(page, emails, { ...counted, url: request.url });
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/emails/:id',
    id: 'get_email',
    summary: 'Read an email with its events',
    access: { scope: 'emails:read' },
    response: Email,
    handler: (ctx, { params }) => getEmail(ctx, params.id),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/emails/:id/content',
    id: 'get_email_content',
    summary: 'Read the content of an email',
    description:
      'The content as the recipient gets it, without tracking. The content of an issue is rendered now. In ' +
      'links to confirm, to unsubscribe and to preferences, the token is replaced by `hidden`, because anybody ' +
      'with the token can act as the recipient.',
    access: { scope: 'emails:read' },
    response: EmailContent,
    handler: (ctx, { params }) => getEmailContent(ctx, ports, params.id),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/emails/:id/attachments/:attachmentId',
    id: 'get_email_attachment',
    summary: 'Download an attachment of an email',
    description:
      '`attachmentId` is an `id` of `attachments` in the content. The content names its type. A message ' +
      'that was given whole has no ids: its attachments are in its raw bytes.',
    access: { scope: 'emails:read' },
    params: AttachmentParams,
    response: { file: 'application/octet-stream', description: 'The file.' },
    handler: async (ctx, { params }) => {
      const { body, headers } = await getEmailAttachment(ctx, params.id, params.attachmentId);
      return answer(body, { headers });
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/emails/:id/raw',
    id: 'get_email_raw',
    summary: 'Read the bytes of an email that was given as a whole message',
    description:
      'As they were accepted, without the signature. 404 for an email that Posthorn composes from its parts.',
    access: { scope: 'emails:read' },
    response: { file: 'message/rfc822', description: 'The message (RFC 5322).' },
    handler: (ctx, { params }) => getEmailRaw(ctx, params.id),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/emails/:id/explain',
    id: 'explain_email',
    summary: 'Explain what happened to an email',
    description:
      'A conclusion and a next step in plain words, followed by all records of the email in the order of time.',
    access: { scope: 'emails:read' },
    response: EmailExplanation,
    handler: (ctx, { params }) => explainEmail(ctx, params.id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/emails/:id/resend',
    id: 'resend_email',
    summary: 'Send the same content to the same recipient again',
    description:
      'Creates a new email with its own job. With `to` it is a marked copy to that address. 409 while the old email is ' +
      'waiting, being sent or unconfirmed, and for a copy of a message that was given whole.',
    access: { scope: 'emails:send', newMail: true },
    status: 202,
    body: { json: ResendBody, optional: true },
    example: { body: { to: 'me@example.com' } },
    response: Resent,
    errors: [404, 409, 422],
    handler: (ctx, { params, body }) => resendEmail(ctx, params.id, body?.to),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/emails/:id/send-again',
    id: 'send_unconfirmed_again',
    summary: 'Send an unconfirmed email once more',
    description:
      'For an email whose hand-off had no answer. It keeps its Message-ID. If the first attempt did arrive, ' +
      'the recipient gets the email twice. 409 in any other state.',
    access: { scope: 'emails:send' },
    status: 202,
    response: Settled,
    errors: [404, 409],
    handler: (ctx, { params }) => sendAgain(ctx, params.id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/emails/:id/treat-as-sent',
    id: 'treat_unconfirmed_as_sent',
    summary: 'Treat an unconfirmed email as sent',
    description: 'It is not sent again. An event of the provider still changes its state. 409 in any other state.',
    access: { scope: 'emails:send' },
    response: Settled,
    errors: [404, 409],
    handler: (ctx, { params }) => treatAsSent(ctx, params.id),
  }),
];
