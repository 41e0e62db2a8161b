import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import { BulkJobRecord, bulkJobView } from './bulk-job.ts';
import { createBulkJob, getBulkJob, undoBulkJob } from './create-bulk-job.ts';
import { readNewJob } from './read-action.ts';
import { countJobs, pageOfJobs } from './job-queries.ts';
import * as schemas from './schemas.ts';

const TAG = 'Contacts';
const one = { tag: TAG, params: schemas.BulkJobParams } as const;

export const bulkRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v1/contacts/bulk',
    id: 'create_bulk_contact_job',
    tag: TAG,
    summary: 'Change all contacts that meet a filter',
    description:
      'A job in the background, in the order of the contacts, each judged by the filter when its turn comes; contacts ' +
      'that are added later are left alone. Nobody is subscribed again, and nobody comes back to a list that they left. ' +
      '`count` is null when a second was not enough to count. 409 while 10 jobs of the workspace wait.',
    access: { scope: 'contacts:write' },
    status: 202,
    body: { json: schemas.CreateBulkJobBody, read: readNewJob },
    example: {
      body: {
        filter: { match: 'all', conditions: [{ field: 'domain', op: 'equals', value: 'example.com' }] },
        action: { type: 'update', set: { properties: { plan: 'free' } } },
      },
    },
    response: BulkJobRecord,
    errors: [409, 422],
    handler: async (ctx, { body }) => bulkJobView(await createBulkJob(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/v1/contacts/bulk',
    id: 'list_bulk_contact_jobs',
    tag: TAG,
    summary: 'List bulk jobs',
    description: 'Newest first. A job is kept for 30 days after its end.',
    access: { scope: 'contacts:read' },
    query: schemas.BulkJobsQuery,
    response: listEnvelope(BulkJobRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const rows = await pageOfJobs(ctx.db, ctx.workspaceId, page);
      const total = page.after === null ? await countJobs(ctx.db, ctx.workspaceId) : null;
      return answerPage(page, rows.map(bulkJobView), { total, url: request.url });
    },
  }),
  route({
    ...one,
    method: 'GET',
    path: '/v1/contacts/bulk/:id',
    id: 'get_bulk_contact_job',
    summary: 'Follow a bulk job',
    description: '`processed` of `count` contacts have had their turn, and `changed` of them were changed.',
    access: { scope: 'contacts:read' },
    response: BulkJobRecord,
    errors: [404],
    handler: async (ctx, { params }) => bulkJobView(await getBulkJob(ctx, params.id)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/v1/contacts/bulk/:id/undo',
    id: 'undo_bulk_contact_job',
    summary: 'Undo a bulk job',
    description:
      'For 24 hours after its end, in the background: `undone` counts contacts that are as they were. Contacts that ' +
      'were changed since stay as they are, and so do people who have opted out themselves.',
    access: { scope: 'contacts:write' },
    status: 202,
    response: BulkJobRecord,
    errors: [404, 409],
    handler: async (ctx, { params }) => bulkJobView(await undoBulkJob(ctx, params.id)),
  }),
];
