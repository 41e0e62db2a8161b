import { Type } from 'typebox';
import {
  ConsentRecord,
  consentView,
  DeletedListRecord,
  deletedListView,
  eraseFromDeletedLists,
  listConsentsOfDeleted,
  listDeletedLists,
} from '#features/consents';
import { newslettersOfKey, requireKeyForNewsletter } from '#features/workspaces';
import { readAddress } from '#mail/addresses/read-address.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { isUuid } from '#platform/ids.ts';
import { answerPage, listEnvelope, pageQuery, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { NewsletterParams } from '../schemas.ts';

const TAG = 'Newsletters';
const Email = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'An address alone.',
  examples: ['ada@example.com'],
});

const Erased = Type.Object(
  {
    success: Type.Literal(true),
    newsletters: Type.Integer({
      description: 'The number of deleted newsletters that knew the address.',
      examples: [1],
    }),
  },
  { additionalProperties: false },
);

/** The proof of consent that deleted newsletters leave. */
export const removalRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/deleted-newsletters',
    id: 'list_deleted_newsletters',
    tag: TAG,
    summary: 'List deleted newsletters whose consents are kept',
    access: { scope: 'subscribers:read' },
    query: Type.Object(pageQuery),
    response: listEnvelope(DeletedListRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const asked = { workspaceId: ctx.workspaceId, ids: newslettersOfKey(ctx.actor) };
      const { rows, total } = await listDeletedLists(ctx, asked, page);
      return answerPage(page, rows.map(deletedListView), { total, url: request.url });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/deleted-newsletters/:id/consents',
    id: 'list_consents_of_deleted_newsletter',
    tag: TAG,
    summary: 'List the consents of a deleted newsletter',
    description: 'Newest first, of all subscribers or of one `email`. They are kept for `POSTHORN_CONSENT_DAYS`.',
    access: { scope: 'subscribers:read' },
    params: NewsletterParams,
    query: Type.Object({ ...pageQuery, email: Type.Optional(Email) }),
    response: listEnvelope(ConsentRecord),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const email = query.email === undefined ? null : readAddress(query.email).identity;
      const list = { workspaceId: ctx.workspaceId, listId: params.id };
      const rows = isUuid(params.id) ? await listConsentsOfDeleted(ctx, list, email, page) : undefined;
      if (rows === undefined) throw notFound('newsletter', params.id);
      requireKeyForNewsletter(ctx.actor, params.id);
      return answerPage(page, rows.map(consentView), { total: null, url: request.url });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/deleted-newsletters/erase',
    id: 'erase_from_deleted_newsletters',
    tag: TAG,
    summary: 'Erase an address from deleted newsletters',
    description:
      'This cannot be undone. The consents of the address keep their times and a keyed hash. A key that is ' +
      'restricted to some newsletters erases from these only.',
    access: { scope: 'subscribers:write' },
    body: { json: Type.Object({ email: Email }) },
    example: { body: { email: 'ada@example.com' } },
    response: Erased,
    handler: async (ctx, { body }) => {
      const asked = { workspaceId: ctx.workspaceId, ids: newslettersOfKey(ctx.actor) };
      const email = readAddress(body.email).identity;
      return { success: true, newsletters: await eraseFromDeletedLists(ctx, asked, { email, at: ctx.clock.now() }) };
    },
  }),
];
