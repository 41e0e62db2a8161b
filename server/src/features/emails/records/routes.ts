import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { explainEmail } from './explain-email.ts';
import { getEmailContent, type RecordPorts } from './email-content.ts';
import { getEmail } from './get-email.ts';
import { listEmails } from './list-emails.ts';
import { resendEmail } from './resend-email.ts';
import {
  Email,
  EmailContent,
  EmailExplanation,
  EmailParams,
  EmailSummary,
  EmailsQuery,
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
    description: 'Newest first. Filters combine.',
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
    summary: 'Read what an email says',
    description:
      'As its recipient gets it, before tracking; of an issue as it would be made for them now. Links to confirm, to ' +
      'unsubscribe and to preferences have `hidden` for their token: whoever holds one acts as the recipient.',
    access: { scope: 'emails:read' },
    response: EmailContent,
    handler: (ctx, { params }) => getEmailContent(ctx, ports, params.id),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/emails/:id/explain',
    id: 'explain_email',
    summary: 'Explain what happened to an email',
    description: 'A verdict and a next step in plain words, with everything that is on record, in order.',
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
    description: 'A new email with a job of its own. 409 while the old one is still on its way, or unconfirmed.',
    access: { scope: 'emails:send' },
    status: 202,
    response: Resent,
    errors: [404, 409, 422],
    handler: (ctx, { params }) => resendEmail(ctx, params.id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/emails/:id/send-again',
    id: 'send_unconfirmed_again',
    summary: 'Send an unconfirmed email once more',
    description:
      'For an email that was handed over without an answer. It keeps its Message-ID; if the first one did arrive, it arrives twice. 409 in any other state.',
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
