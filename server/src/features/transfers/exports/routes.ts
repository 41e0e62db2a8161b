import { answer, type Answer, type Route, route } from '#platform/http/route.ts';
import * as schemas from '../schemas.ts';
import { type ExportOf, exportsOf, targetOf, targetOfResource } from '../transfer-target.ts';
import type { Db } from '#platform/db/database.ts';
import type { TransfersWiring } from '../wiring.ts';
import { type ExportFormat, exportView, fileHeaders } from './export.ts';
import { exportRows, type ReadableSource } from './export-rows.ts';
import { createExport, fileUrlOf, getExport, openExportFile } from './exports.ts';

const TAG = 'Subscribers';

interface CreateExport {
  resource: string;
  filters: unknown;
  format?: ExportFormat;
}

export function exportRoutes({ targets }: Pick<TransfersWiring, 'targets'>): Route[] {
  const sources = [...targets.values()].flatMap(({ exports }) => exports ?? []);
  const Export = schemas.exportRecord(sources);
  const [first] = sources;
  return [
    route({
      method: 'POST',
      path: '/v1/exports',
      id: 'create_export',
      tag: TAG,
      summary: 'Export in the background',
      description:
        'The finished file is kept for 24 hours, at a URL that needs no key. Subscribers need `subscribers:read`, ' +
        'contacts `contacts:read`.',
      access: { scope: 'subscribers:read', orScope: 'contacts:read' },
      status: 202,
      body: { json: schemas.createExportBody(sources) },
      ...(first === undefined
        ? {}
        : { example: { body: { resource: first.resource, filters: first.filters.example } } }),
      response: Export,
      errors: [404, 409],
      handler: async (ctx, { body }) => {
        const { resource, filters, format = 'csv' } = body as CreateExport; // the schema that checked it is made of the targets
        const target = targetOfResource(targets, resource);
        const row = await createExport(ctx, target, { ...exportsOf(target).filters.read(filters), format });
        return exportView(row, exportsOf(target), null);
      },
    }),
    route({
      method: 'GET',
      path: '/v1/exports/:id',
      id: 'get_export',
      tag: TAG,
      summary: 'Read an export',
      access: { scope: 'subscribers:read', orScope: 'contacts:read' },
      params: schemas.TransferParams,
      response: Export,
      errors: [404],
      handler: async (ctx, { params }) => {
        const row = await getExport(ctx, targets, params.id);
        return exportView(row, exportsOf(targetOf(targets, row.targetType)), fileUrlOf(ctx, row));
      },
    }),
    route({
      method: 'GET',
      path: '/v1/exports/:id/file',
      id: 'get_export_file',
      tag: TAG,
      summary: 'Fetch the file of an export',
      description: 'Use the `url` of the export. It needs no key: anybody with the link can fetch the file.',
      access: 'public',
      params: schemas.TransferParams,
      query: schemas.FileQuery,
      response: { file: 'text/csv; charset=utf-8' },
      errors: [404],
      handler: async (ctx, { params, query }) => {
        const { file, row } = await openExportFile(ctx, params.id, query.token);
        return answer(file, fileHeaders(exportsOf(targetOf(targets, row.targetType)).resource, row.format));
      },
    }),
  ];
}

/** A whole list as a file, while the caller reads it. The route that answers it has asked whether the caller may. */
export const exportFile = (db: Db, source: ReadableSource, of: ExportOf, format: ExportFormat): Answer =>
  answer(exportRows(db, source, of, format), fileHeaders(source.resource, format));
