import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid, newId } from '#platform/ids.ts';
import {
  type ExportFilters,
  exportsOf,
  targetOf,
  type TransferTarget,
  type TransferTargets,
} from '../transfer-target.ts';
import { type Export, expiryOf, type ExportFormat } from './export.ts';
import { countOpenExports, findExport, findExportPart, insertExport } from './export-queries.ts';
import { readFileLink, signFileLink } from './file-link.ts';

const unpack = promisify(gunzip);
/** Of a workspace, that are not at their end. */
const OPEN_MAX = 10;

/** Begins a file of a list. Not found for an unknown list, conflict while too many are being written. */
export async function createExport(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor' | 'ip'>,
  target: TransferTarget,
  asked: { targetId: string; format: ExportFormat; filters: ExportFilters },
): Promise<Export> {
  const targetType = target.type;
  await exportsOf(target).authorise(ctx, asked.targetId);
  if ((await countOpenExports(ctx.db, ctx.workspaceId)) >= OPEN_MAX) {
    throw conflict(`${OPEN_MAX} exports are waiting already.`);
  }
  const { type, id, email } = ctx.actor;
  return inTransaction(ctx.db, async (tx) => {
    const made = await insertExport(tx, {
      workspaceId: ctx.workspaceId,
      id: newId(),
      targetType,
      targetId: asked.targetId,
      format: asked.format,
      filters: asked.filters,
      createdBy: { type, id, email },
    });
    const of = { targetType, targetId: asked.targetId };
    await recordSecurityEvent(tx, ctx, { action: 'export.created', ...of, details: { export_id: made.id } });
    return made;
  });
}

export async function getExport(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor'>,
  targets: TransferTargets,
  id: string,
): Promise<Export> {
  const found = isUuid(id) ? await findExport(ctx.db, ctx.workspaceId, id) : undefined;
  if (found === undefined || !exportsOf(targetOf(targets, found.targetType)).maySee(ctx.actor, found.targetId)) {
    throw notFound('export', id);
  }
  return found;
}

/** Where its file is, or null: it is not finished, or has run out. */
export function fileUrlOf(ctx: Pick<Ctx, 'settings' | 'secrets' | 'clock'>, row: Export): string | null {
  const until = expiryOf(row);
  if (row.status !== 'completed' || until === null || until < ctx.clock.now()) return null;
  const token = signFileLink(ctx.secrets, { workspaceId: row.workspaceId, exportId: row.id, until });
  return `${ctx.settings.publicUrl}/v1/exports/${row.id}/file?token=${token}`;
}

/** The finished file of a link. Not found for a link that is wrong or has run out: it says nothing about the export. */
export async function openExportFile(
  ctx: Pick<Ctx, 'db' | 'secrets' | 'clock'>,
  id: string,
  token: string,
): Promise<{ file: Readable; row: Export }> {
  const claims = readFileLink(ctx.secrets, token, ctx.clock.now());
  const row = claims?.exportId === id ? await findExport(ctx.db, claims.workspaceId, id) : undefined;
  if (row?.status !== 'completed') throw notFound('export', id);
  return { file: Readable.from(partsOf(ctx, row), { objectMode: false }), row };
}

async function* partsOf({ db }: Pick<Ctx, 'db'>, row: Export): AsyncGenerator<Buffer> {
  for (let part = 0; part < row.parts; part += 1) {
    const bytes = await findExportPart(db, row.workspaceId, row.id, part);
    // Half a file must not look like a whole one: the connection ends in the middle.
    if (bytes === undefined) throw new Error('the file was removed while it was read');
    const text = await unpack(bytes);
    if (text.length > 0) yield text;
  }
}
