import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { showInbound } from './get-inbound.ts';
import { summaryView } from './inbound-email.ts';
import { getInboundFile, getInboundRaw, getLinkedFile } from './inbound-files.ts';
import { listInbound } from './list-inbound.ts';
import { redeliverInbound } from './redeliver-inbound.ts';
import * as schemas from './schemas.ts';

const common = { tag: 'Received emails', access: { scope: 'inbound:read' } } as const;

export const recordRoutes = (): Route[] => [
  route({
    ...common,
    method: 'GET',
    path: '/v1/inbound',
    id: 'list_inbound_emails',
    summary: 'List received emails',
    description: 'Newest first. A key that is limited to some domains sees only their mail.',
    query: schemas.InboundQuery,
    response: listEnvelope(schemas.InboundSummary),
    async handler(ctx, { query, request }) {
      const page = readPage(query);
      const { rows, total } = await listInbound(ctx, query, page);
      const isEstimate = total !== null && total > EXACT_TOTAL_MAX;
      return answerPage(page, rows.map(summaryView), { total, totalIsEstimate: isEstimate, url: request.url });
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/inbound/:id',
    id: 'get_inbound_email',
    summary: 'Read a received email',
    description:
      'With its texts, headers and files, who sent it as far as that could be checked, and the email of yours that it ' +
      'answers. `url` and `raw_url` can be fetched without a key for seven days.',
    params: schemas.InboundParams,
    response: schemas.InboundEmail,
    errors: [404],
    handler: (ctx, { params }) => showInbound(ctx, params.id),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/inbound/:id/raw',
    id: 'get_inbound_email_raw',
    summary: 'Read the bytes of a received email',
    params: schemas.InboundParams,
    response: { file: 'message/rfc822', description: 'The message as it came (RFC 5322).' },
    errors: [404],
    handler: async (ctx, { params }) => {
      const { body, headers } = await getInboundRaw(ctx, params.id);
      return answer(body, { headers });
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/inbound/:id/attachments/:attachmentId',
    id: 'get_inbound_attachment',
    summary: 'Download an attachment of a received email',
    params: schemas.InboundFileParams,
    response: { file: 'application/octet-stream', description: 'The file.' },
    errors: [404],
    handler: async (ctx, { params }) => {
      const { body, headers } = await getInboundFile(ctx, params.id, params.attachmentId);
      return answer(body, { headers });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/inbound-files/:token',
    id: 'get_inbound_file',
    tag: common.tag,
    summary: 'Download a file by its link',
    description:
      'Use the `url` of an attachment, or the `raw_url` of a message. It needs no key, and ends after seven days.',
    access: 'public',
    params: schemas.InboundLinkParams,
    response: { file: 'application/octet-stream', description: 'The file, or the message.' },
    errors: [404],
    handler: async (ctx, { params }) => {
      const { body, headers } = await getLinkedFile(ctx, params.token);
      return answer(body, { headers });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/inbound/:id/redeliver',
    id: 'redeliver_inbound_email',
    tag: common.tag,
    summary: 'Forward a received email once more',
    description:
      'To the `webhook_url` of its domain, with the same event id and bytes. A delivery that waits is sent at once. ' +
      '409 when the domain has no webhook, or the message is not read yet.',
    access: { scope: 'inbound:write' },
    status: 202,
    params: schemas.InboundParams,
    response: schemas.Redelivered,
    errors: [404, 409],
    handler: async (ctx, { params }) => ({ success: true, event_id: await redeliverInbound(ctx, params.id) }),
  }),
];
