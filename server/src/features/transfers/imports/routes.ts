import { newslettersOfKey } from '#features/workspaces';
import { answerPage, listEnvelope, readPage } from '#platform/http/paging.ts';
import { addUnknown } from '#platform/http/fields/unknown-fields.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { type Static, Type } from 'typebox';
import type { StreamedPieces } from '#platform/http/body/streamed-body.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { TransfersWiring } from '../wiring.ts';
import * as schemas from '../schemas.ts';
import { cancelImport, countUndo, getImport, undoImport } from './get-import.ts';
import { type FileFormat, type Import, importView } from './import.ts';
import { readImportOptions } from './import-options.ts';
import { queueImport } from './queue-import.ts';
import { receiveForm } from './receive-form.ts';
import { receiveFile, type ReceivedFile } from './receive-file.ts';
import { accessOf, readableTypes, type TargetType } from '../target-type.ts';
import { type ImportTarget, targetOf } from '../transfer-target.ts';
import { countImports, pageImports } from './import-queries.ts';
import { FILE_BYTES_MAX } from './unpack-gzip.ts';
import { rememberedMap } from './remembered-map.ts';
import { resultsCsv } from './results-csv.ts';

const TAG = 'Subscribers';
const IMPORT_FORM = {
  file: 'email,first_name\nada@example.com,Ada\n',
  target: 'list:0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11',
  on_conflict: 'upsert',
};
const TYPES = ['text/csv', 'application/jsonl', 'application/x-ndjson', 'application/gzip', 'application/x-gzip'];

export function importRoutes({
  settings,
  clock,
  targets,
  audit,
}: Pick<TransfersWiring, 'settings' | 'clock' | 'targets' | 'audit'>): Route[] {
  const view = (row: Import) => {
    const rules = targetOf(targets, row.targetType).imports.layout;
    return importView(row, { publicUrl: settings.publicUrl, now: clock.now(), rules });
  };
  return [
    route({
      method: 'GET',
      path: '/v1/imports',
      id: 'list_imports',
      tag: TAG,
      summary: 'List imports',
      description:
        'Imports into newsletters with `subscribers:read`, those into lists of contacts with `contacts:read`, those of ' +
        'suppressions with `suppressions:read`.',
      access: accessOf('read'),
      query: schemas.ImportsQuery,
      response: listEnvelope(schemas.Import),
      handler: async (ctx, { query, request }) => {
        const page = readPage(query);
        const filter = {
          newsletterId: query.newsletter_id ?? null,
          allowedNewsletterIds: newslettersOfKey(ctx.actor),
          types: readableTypes(ctx.actor),
        };
        const rows = await pageImports(ctx.db, ctx.workspaceId, { ...page, ...filter });
        const total = page.after === null ? await countImports(ctx.db, ctx.workspaceId, filter) : null;
        return answerPage(page, rows, { total, url: request.url, view });
      },
    }),
    route({
      method: 'POST',
      path: '/v1/imports',
      id: 'create_import',
      tag: TAG,
      summary: 'Import a file by a form',
      description:
        'The same as the import of a newsletter or of a list, for forms: `multipart/form-data` with the file, its ' +
        'target and the options as fields, in any order. Needs `subscribers:write` for a newsletter, ' +
        '`contacts:write` for a list, and `suppressions:write` for suppressions, whose import cannot be undone.',
      access: accessOf('write'),
      status: 202,
      body: {
        stream: ['multipart/form-data'],
        fields: schemas.ImportForm,
        bytesMax: FILE_BYTES_MAX,
        receive: (ctx, { request }, pieces) =>
          receiveForm(
            ctx,
            {
              targets,
              contentType: request.headers['content-type'] ?? '',
              ignored: (names) => addUnknown(request, names),
            },
            pieces,
          ),
      },
      example: { body: IMPORT_FORM },
      response: schemas.Import,
      errors: [404, 408, 409, 413, 415, 422, 503],
      handler: async (ctx, { body }) => view(await queueImport(ctx, body, audit)),
    }),
    route({
      method: 'GET',
      path: '/v1/imports/column-map',
      id: 'get_remembered_column_map',
      tag: TAG,
      summary: 'Read the column map of the last import with the same columns',
      description:
        'For a proposal: an import uses only the `column_map` that it is given. All fields are null when no import ' +
        'into a list or a newsletter that still exists had these columns in this order. Dry runs and imports that were ' +
        'undone do not count.',
      access: accessOf('read'),
      query: schemas.ColumnMapQuery,
      example: { query: { target_type: 'list', columns: '["E-Mail privat","Kunde seit"]' } },
      response: schemas.RememberedColumnMap,
      handler: async (ctx, { query }) => rememberedMap(ctx, query.target_type, query.columns),
    }),
    route({
      method: 'GET',
      path: '/v1/imports/:id',
      id: 'get_import',
      tag: TAG,
      summary: 'Read an import',
      access: accessOf('read'),
      params: schemas.TransferParams,
      response: schemas.Import,
      errors: [404],
      handler: async (ctx, { params }) => view(await getImport(ctx, params.id)),
    }),
    route({
      method: 'GET',
      path: '/v1/imports/:id/errors',
      id: 'get_import_errors',
      tag: TAG,
      summary: 'Read the results of the rows of an import',
      description:
        'CSV with line, address, result, reason and message, kept for 7 days. It has the rows with the result ' +
        '`failed` or `skipped`; for a dry run, all rows. It has at most 100,000 rows. The counts of the import ' +
        'include all rows.',
      access: accessOf('read'),
      params: schemas.TransferParams,
      query: schemas.ResultsQuery,
      response: { file: 'text/csv; charset=utf-8' },
      errors: [404],
      handler: async (ctx, { params, query }) =>
        answer(resultsCsv(ctx.db, await getImport(ctx, params.id), query.result === 'failed'), {
          headers: { 'content-disposition': 'attachment; filename="import-results.csv"' },
        }),
    }),
    route({
      method: 'POST',
      path: '/v1/imports/:id/cancel',
      id: 'cancel_import',
      tag: TAG,
      summary: 'Stop an import',
      description: 'The import stops after its current page. Rows that it has added stay, and an undo can remove them.',
      access: accessOf('write'),
      params: schemas.TransferParams,
      response: schemas.Import,
      errors: [404, 409],
      handler: async (ctx, { params }) => view(await cancelImport(ctx, params.id)),
    }),
    route({
      method: 'GET',
      path: '/v1/imports/:id/undo',
      id: 'count_undo',
      tag: TAG,
      summary: 'Count the people that the undo of an import removes',
      description:
        'Also while an undo works and afterwards: `removes` is what is left to remove. 409 for an import that cannot ' +
        'be undone. Issues and broadcasts that somebody was sent since change nothing.',
      access: accessOf('read'),
      params: schemas.TransferParams,
      response: schemas.UndoCount,
      errors: [404, 409],
      handler: async (ctx, { params }) => countUndo(ctx, targets, params.id),
    }),
    route({
      method: 'POST',
      path: '/v1/imports/:id/undo',
      id: 'undo_import',
      tag: TAG,
      summary: 'Undo an import',
      description:
        'Possible for 24 hours after the end of the import. Removes, in the background, the rows that the ' +
        'import added and that have not changed since. Fields that it filled or overwrote stay.',
      access: accessOf('write'),
      params: schemas.TransferParams,
      response: schemas.Import,
      errors: [404, 409],
      handler: async (ctx, { params }) => view(await undoImport(ctx, params.id)),
    }),
  ];
}

/** The owner's description of the route that imports files into its list; `:id` in its path is the list. */
export interface Upload {
  type: TargetType;
  target: ImportTarget;
  /** The description of `:id` in the reference. */
  idDescription: string;
}

/** The rest of such a route: a file is stored piece by piece, then it is an import that goes on in the background. */
export function fileUpload(
  { type, target, idDescription }: Upload,
  { audit, settings, clock }: Pick<TransfersWiring, 'audit' | 'settings' | 'clock'>,
) {
  return {
    status: 202,
    params: Type.Object({ id: Type.String({ description: idDescription }) }),
    query: schemas.ImportQuery,
    response: schemas.Import,
    errors: [404, 408, 409, 413, 415, 422, 503],
    body: {
      stream: TYPES,
      bytesMax: FILE_BYTES_MAX,
      receive: async (
        ctx: Ctx,
        {
          params,
          query,
          request,
        }: { params: { id: string }; query: Static<typeof schemas.ImportQuery>; request: Headed },
        pieces: StreamedPieces,
      ) => {
        const options = readImportOptions(target.layout, query);
        const name = await target.authorise(ctx, params.id, options);
        const format = formatOfType(request.headers['content-type'] ?? 'text/csv');
        return receiveFile(ctx, { pieces, upload: pieces }, { type, id: params.id, name, target, options, format });
      },
    },
    handler: async (ctx: Ctx, { body }: { body: ReceivedFile }) => {
      const queued = await queueImport(ctx, body, audit);
      return importView(queued, { publicUrl: settings.publicUrl, now: clock.now(), rules: target.layout });
    },
  } as const;
}

/** A packed file says by its first character. */
const formatOfType = (type: string): FileFormat | null =>
  /gzip/i.test(type) ? null : /^text\/csv/i.test(type) ? 'csv' : 'jsonl';

/** The parts of the request that are checked. */
interface Headed {
  headers: { 'content-type'?: string | undefined };
}
