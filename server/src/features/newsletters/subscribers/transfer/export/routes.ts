import { answer, type Route, route } from '#platform/http/route.ts';
import { getNewsletter } from '../../../get-newsletter.ts';
import * as schemas from '../schemas.ts';
import { type ExportFormat, exportView, mediaTypeOf } from './export.ts';
import { exportRows } from './export-rows.ts';
import { createExport, fileUrlOf, getExport, openExportFile } from './exports.ts';

const TAG = 'Subscribers';

const asFile = (format: ExportFormat) => ({
  headers: {
    'content-type': mediaTypeOf(format),
    'content-disposition': `attachment; filename="subscribers.${format}"`,
  },
});

export const exportRoutes = (): Route[] => [
  route({
    method: 'GET',
    path: '/v1/newsletters/:id/subscribers/export',
    id: 'export_subscribers',
    tag: TAG,
    summary: 'Export subscribers as a file',
    description:
      'In the order of addresses, as fast as you read. An import takes the file as it is, with statuses, times and ' +
      'consent. Cells that a spreadsheet would take for formulas begin with an apostrophe, which an import takes away. ' +
      'For a list too long to wait for there is `POST /v1/exports`.',
    access: { scope: 'subscribers:read' },
    params: schemas.NewsletterParams,
    query: schemas.ExportQuery,
    response: { file: 'text/csv; charset=utf-8' },
    errors: [404],
    handler: async (ctx, { params, query }) => {
      const newsletter = await getNewsletter(ctx, params.id);
      const format = query.format ?? 'csv';
      return answer(exportRows(ctx.db, newsletter, { format, status: query.status ?? null }), asFile(format));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/exports',
    id: 'create_export',
    tag: TAG,
    summary: 'Export in the background',
    description: 'The file is there for 24 hours after it is finished, at an address that needs no key.',
    access: { scope: 'subscribers:read' },
    status: 202,
    body: { json: schemas.CreateExportBody },
    response: schemas.Export,
    errors: [404, 409],
    handler: async (ctx, { body: { filters, format = 'csv' } }) =>
      exportView(
        await createExport(ctx, { newsletterId: filters.newsletter_id, format, status: filters.status ?? null }),
        null,
      ),
  }),
  route({
    method: 'GET',
    path: '/v1/exports/:id',
    id: 'get_export',
    tag: TAG,
    summary: 'Read an export',
    access: { scope: 'subscribers:read' },
    params: schemas.TransferParams,
    response: schemas.Export,
    errors: [404],
    handler: async (ctx, { params }) => {
      const row = await getExport(ctx, params.id);
      return exportView(row, fileUrlOf(ctx, row));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/exports/:id/file',
    id: 'get_export_file',
    tag: TAG,
    summary: 'Fetch the file of an export',
    description: 'By the `url` of the export; no key is needed, the link is the right to it.',
    access: 'public',
    params: schemas.TransferParams,
    query: schemas.FileQuery,
    response: { file: 'text/csv; charset=utf-8' },
    errors: [404],
    handler: async (ctx, { params, query }) => {
      const { file, format } = await openExportFile(ctx, params.id, query.token);
      return answer(file, asFile(format));
    },
  }),
];
