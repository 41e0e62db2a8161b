import type { AuditLog } from '#features/audit';
import { searchAsStored } from '#mail/addresses/search-as-stored.ts';
import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readTimedPage } from '#platform/http/paging.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { exportSuppressions } from './export-suppressions.ts';
import { importSuppressions } from './import/import-suppressions.ts';
import { createImportSlots } from './import/import-slots.ts';
import { countSuppressions, pageSuppressions } from './list-queries.ts';
import { removeSuppression } from './remove-suppression.ts';
import * as schemas from './schemas.ts';
import { readSuppression, readSuppressions, suppressBatch, suppressByHand } from './suppress-by-hand.ts';
import type { SuppressionReason } from './suppression.ts';
import { getSuppression, suppressionView } from './suppression-record.ts';

const TAG = 'Suppressions';
const IMPORT_BYTES_MAX = 20 * 1_048_576;

export const suppressionRoutes = (
  { audit, hasAccountList }: { audit: AuditLog; hasAccountList: boolean },
  inImportSlot = createImportSlots(),
): Route[] => [
  route({
    method: 'GET',
    path: '/v1/suppressions',
    id: 'list_suppressions',
    tag: TAG,
    summary: 'List suppressions',
    description: 'Newest first, without expired suppressions.',
    access: { scope: 'suppressions:read' },
    query: schemas.SuppressionsQuery,
    response: listEnvelope(schemas.Suppression),
    handler: async (ctx, { query, request }) => {
      const page = readTimedPage(query);
      const filter = filterOf(query);
      const rows = await pageSuppressions(ctx.db, ctx.workspaceId, { ...page, ...filter });
      const counted = page.after === null;
      const total = counted ? await countSuppressions(ctx.db, ctx.workspaceId, filter, EXACT_TOTAL_MAX + 1) : null;
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      const timeOf = (index: number) => rows[index]?.createdAtText ?? '';
      return answerPage(page, rows.map(suppressionView), { total, url: request.url, totalIsEstimate, timeOf });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/suppressions',
    id: 'add_suppression',
    tag: TAG,
    summary: 'Suppress an address',
    description:
      'This workspace sends no more mail to the address. Emails to it that wait in the queue are stopped too. ' +
      'An address that is already suppressed gives 200 and `X-Existing-Resource: true`; its reason never ' +
      'becomes a weaker one.',
    access: { scope: 'suppressions:write' },
    status: 201,
    body: { json: schemas.AddSuppressionBody, read: readSuppression },
    example: { body: { email: 'ada@example.com', note: 'Asked by phone' } },
    response: schemas.Suppression,
    otherResponses: { 200: schemas.Suppression },
    errors: [422],
    handler: async (ctx, { body }) => {
      const { row, added } = await suppressByHand(ctx, body, audit);
      const record = suppressionView(row);
      return added ? record : answer(record, { status: 200, headers: { 'x-existing-resource': 'true' } });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/suppressions/batch',
    id: 'add_suppressions',
    tag: TAG,
    summary: 'Suppress up to 1,000 addresses',
    description: 'If one address is invalid, none is suppressed. An import skips invalid rows instead.',
    access: { scope: 'suppressions:write' },
    body: { json: schemas.BatchBody, read: readSuppressions },
    example: { body: { emails: ['ada@example.com', 'bob@example.com'] } },
    response: schemas.BatchAnswer,
    handler: async (ctx, { body }) => ({ success: true, ...(await suppressBatch(ctx, body, audit)) }),
  }),
  route({
    method: 'POST',
    path: '/v1/suppressions/import',
    id: 'import_suppressions',
    tag: TAG,
    summary: 'Import suppressions from a CSV file',
    description:
      'A header line names the columns: `email`, and optionally `reason`, `note`, `created_at` and ' +
      '`expires_at`. Exports of other services work too. Without a header line, the column that contains ' +
      'addresses is read. A reason is never made weaker. At most 20 MB of UTF-8. Two imports run at a time; a ' +
      'third gets 503 with `Retry-After`.',
    access: { scope: 'suppressions:write' },
    body: { bytes: ['text/csv'], bytesMax: IMPORT_BYTES_MAX },
    query: schemas.ImportQuery,
    example: { body: 'email,reason\nada@example.com,unsubscribe\nbob@example.com,hard_bounce\n' },
    response: schemas.ImportAnswer,
    errors: [413, 415, 503],
    handler: async (ctx, { query, body }) => {
      const options = { dryRun: query.dry_run === 'true', reason: query.reason ?? 'manual' } as const;
      const imported = await inImportSlot(() => importSuppressions(ctx, body, options, audit));
      return { success: true, dry_run: options.dryRun, ...imported };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/suppressions/export',
    id: 'export_suppressions',
    tag: TAG,
    summary: 'Export suppressions as CSV',
    description: 'All suppressions, newest first. An import accepts the file unchanged.',
    access: { scope: 'suppressions:read' },
    query: schemas.ExportQuery,
    response: { file: 'text/csv; charset=utf-8' },
    handler: async (ctx, { query }) =>
      answer(exportSuppressions(ctx, filterOf(query)), {
        headers: { 'content-disposition': 'attachment; filename="suppressions.csv"' },
      }),
  }),
  route({
    method: 'GET',
    path: '/v1/suppressions/:id_or_email',
    id: 'get_suppression',
    tag: TAG,
    summary: 'Read a suppression',
    description: '404 means that the address is not suppressed.',
    access: { scope: 'suppressions:read' },
    params: schemas.SuppressionParams,
    response: schemas.Suppression,
    errors: [404],
    handler: async (ctx, { params }) => suppressionView(await getSuppression(ctx, params.id_or_email)),
  }),
  route({
    method: 'DELETE',
    path: '/v1/suppressions/:id_or_email',
    id: 'remove_suppression',
    tag: TAG,
    summary: 'Lift a suppression',
    description:
      'The address can receive mail again, and its transient bounces are forgotten. No subscription starts ' +
      'again. With Amazon SES the address is also taken off the suppression list of the account, within seconds, when it ' +
      'had bounced or complained. The security log records the caller.',
    access: { scope: 'suppressions:write' },
    params: schemas.SuppressionParams,
    response: schemas.Removed,
    errors: [404],
    handler: async (ctx, { params }) => {
      await removeSuppression(ctx, params.id_or_email, hasAccountList);
      return { success: true };
    },
  }),
];

/** An address is searched for as it is stored, however it was typed. */
function filterOf(query: { search?: string; reason?: SuppressionReason }) {
  const search = searchAsStored(query.search ?? '').toLowerCase();
  return { reason: query.reason ?? null, search: search || null };
}
