import { answer, type Answer, type Route, route } from '#platform/http/route.ts';
import * as schemas from '../schemas.ts';
import { type ExportOf, type ExportSource, targetOf } from '../transfer-target.ts';
import type { Db } from '#platform/db/database.ts';
import type { TransfersWiring } from '../wiring.ts';
import { type ExportFormat, exportView, fileHeaders } from './export.ts';
import { exportRows } from './export-rows.ts';
import { createExport, fileUrlOf, getExport, openExportFile } from './exports.ts';

const TAG = 'Subscribers';

export const exportRoutes = ({ targets }: Pick<TransfersWiring, 'targets'>): Route[] => [
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
    example: {
      body: { resource: 'subscribers', filters: { newsletter_id: '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11' } },
    },
    response: schemas.Export,
    errors: [404, 409],
    handler: async (ctx, { body: { filters, format = 'csv' } }) =>
      exportView(
        await createExport(ctx, targetOf(targets, 'newsletter'), {
          targetId: filters.newsletter_id,
          format,
          status: filters.status ?? null,
        }),
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
      const { file, row } = await openExportFile(ctx, params.id, query.token);
      return answer(file, fileHeaders(targetOf(targets, row.targetType).exports.resource, row.format));
    },
  }),
];

/** A whole list as a file, while the caller reads it. The route that answers it has asked whether the caller may. */
export const exportFile = (db: Db, source: ExportSource, of: ExportOf, format: ExportFormat): Answer =>
  answer(exportRows(db, source, of, format), fileHeaders(source.resource, format));
