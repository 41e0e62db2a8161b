import { readEach } from '#platform/http/fields/read-meaning.ts';
import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { isUuid } from '#platform/ids.ts';
import { ContactRecord } from '../contact.ts';
import { changeSegment, createSegment, getSegment, removeSegment } from './change-segments.ts';
import { listContactsOfSegment, previewFilter } from './contacts-of-segment.ts';
import { explainSegment } from './explain-segment.ts';
import { countSegments, lockSegment, pageOfSegments } from './queries.ts';
import { checkFilter } from './read-filter.ts';
import * as schemas from './schemas.ts';
import { SegmentRecord, segmentView } from './segment.ts';

const version = recordVersion(schemas.UpdateSegmentBody, async (ctx, { id = '' }) =>
  isUuid(id) ? lockSegment(ctx.db, ctx.workspaceId, id) : undefined,
);

const TAG = 'Contacts';
const one = { tag: TAG, params: schemas.SegmentParams } as const;
const readers = { scope: 'contacts:read' } as const;
const writers = { scope: 'contacts:write' } as const;
const filter = { match: 'all', conditions: [{ field: 'domain', op: 'equals', value: 'example.com' }] };

export const segmentRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/segments',
    id: 'list_segments',
    tag: TAG,
    summary: 'List the segments of contacts',
    description: 'Newest first.',
    access: readers,
    query: schemas.SegmentsQuery,
    response: listEnvelope(SegmentRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const search = query.search ?? null;
      const rows = await pageOfSegments(ctx.db, ctx.workspaceId, { ...page, search });
      const total = page.after === null ? await countSegments(ctx.db, ctx.workspaceId, search) : null;
      return answerPage(page, rows.map(segmentView), { total, url: request.url });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/segments',
    id: 'create_segment',
    version,
    tag: TAG,
    summary: 'Create a segment of contacts',
    description:
      'A segment is a filter with a name. It is evaluated each time, and never stored with its contacts. Conditions ' +
      'nest to a depth of 5, 50 in all. Any fault is 422 with its place: an unknown field, an operation that the type ' +
      'of a property does not have, a list or a segment that is not there, segments that name each other in a circle.',
    access: writers,
    status: 201,
    body: {
      json: schemas.CreateSegmentBody,
      read: readEach<typeof schemas.CreateSegmentBody>({ filter: checkFilter }),
    },
    example: { body: { name: 'At Example', filter } },
    response: SegmentRecord,
    errors: [409, 422],
    handler: async (ctx, { body }) => segmentView(await createSegment(ctx, body)),
  }),
  route({
    method: 'POST',
    path: '/v1/segments/preview',
    id: 'preview_segment',
    tag: TAG,
    summary: 'Count the contacts of a filter',
    description:
      'Stores nothing. It counts from the newest contact on and stops after a second: then `complete` is false, and ' +
      '`count` is about the `looked_at` newest contacts.',
    access: readers,
    body: {
      json: schemas.PreviewSegmentBody,
      read: readEach<typeof schemas.PreviewSegmentBody>({ filter: checkFilter }),
    },
    example: { body: { filter } },
    response: schemas.SegmentPreview,
    errors: [422],
    handler: async (ctx, { body }) => previewFilter(ctx, body.filter),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/segments/:id',
    id: 'get_segment',
    version,
    summary: 'Read a segment of contacts',
    access: readers,
    response: SegmentRecord,
    errors: [404],
    handler: async (ctx, { params }) => segmentView(await getSegment(ctx, params.id)),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/v1/segments/:id',
    id: 'update_segment',
    version,
    summary: 'Change a segment of contacts',
    description: 'A given `filter` replaces the old one.',
    access: writers,
    body: {
      json: schemas.UpdateSegmentBody,
      read: readEach<typeof schemas.UpdateSegmentBody>({ filter: checkFilter }),
    },
    example: { body: { name: 'Everybody at Example' } },
    response: SegmentRecord,
    errors: [404, 422],
    handler: async (ctx, { params, body }) => segmentView(await changeSegment(ctx, params.id, body)),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/v1/segments/:id',
    id: 'delete_segment',
    version,
    summary: 'Delete a segment of contacts',
    description: 'Its contacts stay. 409 while another segment names it.',
    access: writers,
    response: schemas.RemovedSegment,
    errors: [404, 409],
    handler: async (ctx, { params }) => {
      await removeSegment(ctx, params.id);
      return { success: true, id: params.id };
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/segments/:id/contacts',
    id: 'list_segment_contacts',
    summary: 'List the contacts of a segment',
    description:
      'Newest first, as of now. A page ends after 10,000 contacts that were looked at, even when it is short or ' +
      'empty. Continue while `has_more` is true, with `cursor`.',
    access: readers,
    query: schemas.SegmentContactsQuery,
    response: listEnvelope(ContactRecord),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query);
      const { contacts, goOnAfter } = await listContactsOfSegment(ctx, params.id, page);
      return answerPage(page, contacts, { total: null, url: request.url, goOnAfter });
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/segments/:id/explain',
    id: 'explain_segment',
    summary: 'Explain why a contact is in a segment, or is not',
    description: 'For every condition and group, whether the contact meets it.',
    access: readers,
    query: schemas.ExplainQuery,
    example: { query: { contact: 'ada@example.com' } },
    response: schemas.SegmentExplanation,
    errors: [404],
    handler: async (ctx, { params, query }) => explainSegment(ctx, params.id, query.contact),
  }),
];
