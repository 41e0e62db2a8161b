import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { isUuid } from '#platform/ids.ts';
import { changeList, createList, getList, removeList } from './change-lists.ts';
import { addMembers, readMembers, removeMembers } from './change-members.ts';
import { ContactListRecord, listView } from './list.ts';
import { countLists, lockList, pageOfLists } from './queries.ts';
import * as schemas from './schemas.ts';

const version = recordVersion(schemas.UpdateListBody, async (ctx, { id = '' }) =>
  isUuid(id) ? lockList(ctx.db, ctx.workspaceId, id) : undefined,
);

const TAG = 'Contacts';
const one = { tag: TAG, params: schemas.ListParams } as const;
const readers = { scope: 'contacts:read' } as const;
const writers = { scope: 'contacts:write' } as const;

export const listRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/lists',
    id: 'list_lists',
    tag: TAG,
    summary: 'List the lists of contacts',
    description: 'Newest first.',
    access: readers,
    query: schemas.ListsQuery,
    response: listEnvelope(ContactListRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const search = query.search ?? null;
      const rows = await pageOfLists(ctx.db, ctx.workspaceId, { ...page, search });
      const total = page.after === null ? await countLists(ctx.db, ctx.workspaceId, search) : null;
      return answerPage(page, rows.map(listView), { total, url: request.url });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/lists',
    id: 'create_list',
    version,
    tag: TAG,
    summary: 'Create a list of contacts',
    description: 'A workspace has at most 1,000.',
    access: writers,
    status: 201,
    body: { json: schemas.CreateListBody },
    example: { body: { name: 'Customers' } },
    response: ContactListRecord,
    errors: [409],
    handler: async (ctx, { body }) => listView(await createList(ctx, body)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/lists/:id',
    id: 'get_list',
    version,
    summary: 'Read a list of contacts',
    description: '`contact_count` leaves out contacts who left the list.',
    access: readers,
    response: ContactListRecord,
    errors: [404],
    handler: async (ctx, { params }) => listView(await getList(ctx, params.id)),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/v1/lists/:id',
    id: 'update_list',
    version,
    summary: 'Change a list of contacts',
    access: writers,
    body: { json: schemas.UpdateListBody },
    example: { body: { description: 'Everybody with an order' } },
    response: ContactListRecord,
    errors: [404],
    handler: async (ctx, { params, body }) => listView(await changeList(ctx, params.id, body)),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/v1/lists/:id',
    id: 'delete_list',
    version,
    summary: 'Delete a list of contacts',
    description: 'Its contacts stay.',
    access: writers,
    response: schemas.RemovedList,
    errors: [404],
    handler: async (ctx, { params }) => {
      await removeList(ctx, params.id);
      return { success: true, id: params.id };
    },
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/lists/:id/contacts',
    id: 'add_to_list',
    summary: 'Add contacts to a list',
    description:
      'Up to 1,000, by their ids or addresses. Addresses of no contact are named in `not_found`; add them as contacts ' +
      'first. A contact who left the list is not added again.',
    access: writers,
    body: { json: schemas.MembersBody, read: readMembers },
    example: { body: { emails: ['ada@example.com'] } },
    response: schemas.AddedToList,
    errors: [404],
    handler: async (ctx, { params, body }) => ({ success: true, ...(await addMembers(ctx, params.id, body)) }),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/v1/lists/:id/contacts',
    id: 'remove_from_list',
    summary: 'Remove contacts from a list',
    description: 'Up to 1,000, by their ids or addresses. A contact who left the list stays known as such.',
    access: writers,
    body: { json: schemas.MembersBody, read: readMembers },
    example: { body: { emails: ['ada@example.com'] } },
    response: schemas.RemovedFromList,
    errors: [404],
    handler: async (ctx, { params, body }) => ({ success: true, removed: await removeMembers(ctx, params.id, body) }),
  }),
];
