import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { getCaptured, getCapturedRaw, listCaptured } from './captured-emails.ts';
import { CapturedEmail, CapturedParams, CapturedQuery, CapturedSummary } from './schemas.ts';

export const capturedRoutes: readonly Route[] = [
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
];
