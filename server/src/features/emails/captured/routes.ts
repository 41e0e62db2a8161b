import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { getCaptured, getCapturedAttachment, getCapturedRaw, listCaptured } from './captured-emails.ts';
import { frameOf } from './frame.ts';
import {
  CapturedAttachmentParams,
  CapturedEmail,
  CapturedHtmlQuery,
  CapturedParams,
  CapturedQuery,
  CapturedSummary,
  SimulateBody,
  Simulated,
} from './schemas.ts';
import { simulate, type SimulatePorts } from './simulate.ts';

export const capturedRoutes = (ports: SimulatePorts): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/captured-emails',
    id: 'list_captured_emails',
    tag: 'Captured emails',
    summary: 'List captured messages',
    description:
      'Messages that this server kept instead of delivering. With the provider `capture` these are all ' +
      'messages; with every other provider, the messages of test keys and sandbox sends.',
    access: { scope: 'emails:read' },
    query: CapturedQuery,
    response: listEnvelope(CapturedSummary),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { captured, ...counted } = await listCaptured(ctx, query, page);
      return answerPage(page, captured, { ...counted, url: request.url });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/captured-emails/:id',
    id: 'get_captured_email',
    tag: 'Captured emails',
    summary: 'Read a captured message',
    access: { scope: 'emails:read' },
    params: CapturedParams,
    response: CapturedEmail,
    errors: [404],
    handler: (ctx, { params }) => getCaptured(ctx, params.id),
  }),
  route({
    method: 'GET',
    path: '/v1/captured-emails/:id/raw',
    id: 'get_captured_email_raw',
    tag: 'Captured emails',
    summary: 'Read the bytes of a captured message',
    access: { scope: 'emails:read' },
    params: CapturedParams,
    response: { file: 'message/rfc822', description: 'The message as it was handed over (RFC 5322).' },
    errors: [404],
    handler: (ctx, { params }) => getCapturedRaw(ctx, params.id),
  }),
  route({
    method: 'GET',
    path: '/v1/captured-emails/:id/attachments/:attachmentId',
    id: 'get_captured_email_attachment',
    tag: 'Captured emails',
    summary: 'Download an attachment of a captured message',
    access: { scope: 'emails:read' },
    params: CapturedAttachmentParams,
    response: { file: 'application/octet-stream', description: 'The file.' },
    errors: [404],
    handler: async (ctx, { params }) => {
      const { body, headers } = await getCapturedAttachment(ctx, params.id, params.attachmentId);
      return answer(body, { headers });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/captured-emails/:id/html',
    id: 'get_captured_email_html',
    tag: 'Captured emails',
    summary: 'Show the html of a captured message in a frame',
    description:
      'Use the `html_path` of the message. It needs no key: anybody with the link can read the html for an hour. The ' +
      'page runs no script, and only pages of this server may frame it.',
    access: 'public',
    params: CapturedParams,
    query: CapturedHtmlQuery,
    response: { file: 'text/html; charset=utf-8', description: 'The html.' },
    errors: [404],
    handler: async (ctx, { params, query }) => {
      const { html, headers } = await frameOf(ctx, params.id, { token: query.token, images: query.images === 'true' });
      return answer(html, { headers });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/captured-emails/:id/simulate',
    id: 'simulate_outcome',
    tag: 'Captured emails',
    summary: 'Simulate an event of a captured message',
    description:
      'The event takes the path of one that a provider reports: it changes the state of the email, is sent to webhooks ' +
      'and suppresses addresses. 409 when this server delivers mail (another provider than `capture`), when the email ' +
      'is no longer kept, and for an open or click that the email does not track.',
    access: { scope: 'emails:send' },
    status: 202,
    params: CapturedParams,
    body: { json: SimulateBody },
    example: { body: { outcome: 'bounce' } },
    response: Simulated,
    errors: [404, 409],
    handler: (ctx, { params, body }) => simulate(ctx, ports, params.id, body),
  }),
];
