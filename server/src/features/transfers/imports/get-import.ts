import { mayUseNewsletter, recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, forbidden, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { canBeUndone, type Import, shownStatus, UNDO_HOURS } from './import.ts';
import { findImport, moveImport } from './import-queries.ts';
import { STAY_REASONS, targetOf, type TransferTargets } from '../transfer-target.ts';
import { canGoAgain, scopeOf } from '../target-type.ts';

type ImportsCtx = Pick<Ctx, 'db' | 'workspaceId' | 'actor' | 'clock' | 'ip'>;

/**
 * Not found for an id that is none, or whose newsletter the key may not use. Forbidden without the scope of the records
 * in its file: subscribers, contacts or suppressions.
 */
export async function getImport(ctx: ImportsCtx, id: string, verb: 'read' | 'write' = 'read'): Promise<Import> {
  const found = isUuid(id) ? await findImport(ctx.db, ctx.workspaceId, id) : undefined;
  if (found === undefined || !mayUse(ctx.actor, found)) throw notFound('import', id);
  const scope = scopeOf(found.targetType, verb);
  if (!ctx.actor.may(scope)) throw forbidden(`An import into a ${found.targetType} needs the scope "${scope}".`);
  return found;
}

/** With their scopes, a key that is limited to newsletters is not limited in lists of contacts and suppressions. */
const mayUse = (actor: Ctx['actor'], { targetType, targetId }: Import): boolean =>
  targetType !== 'newsletter' || mayUseNewsletter(actor, targetId);

/** Stops an import at its next page; what it has done stays. Conflict when it is at its end. */
export async function cancelImport(ctx: ImportsCtx, id: string): Promise<Import> {
  const found = await getImport(ctx, id, 'write');
  const moved = await moveNoted(ctx, found, { from: ['queued', 'processing'], to: 'cancelled' });
  if (moved === undefined) throw conflict(`This import is ${shownStatus(found)}: there is nothing to cancel.`);
  return moved;
}

/**
 * Takes back what an import added: rows that have not been touched since are removed, in the background. Its changes
 * to other rows stay. Conflict while it runs, for a dry run, and after 24 hours.
 */
export async function undoImport(ctx: ImportsCtx, id: string): Promise<Import> {
  const found = await getImport(ctx, id, 'write');
  if (found.status === 'undoing' || found.status === 'undone') return found;
  requireUndoable(found, ctx.clock.now());
  const from = ['completed', 'cancelled', 'failed'];
  return (await moveNoted(ctx, found, { from, to: 'undoing' })) ?? getImport(ctx, id);
}

function requireUndoable(found: Import, now: Date): void {
  if (!canGoAgain(found.targetType)) {
    throw conflict('An import of suppressions cannot be undone. Take addresses off with DELETE /v1/suppressions/:id.');
  }
  if (!canBeUndone(found, now)) {
    throw conflict(
      `This import cannot be undone: it runs, was a dry run, or ended more than ${UNDO_HOURS} hours ago. Cancel it first if it runs.`,
    );
  }
}

/**
 * How many people an undo would remove from now on, and why others stay: also while it works, and afterwards. Conflict
 * for an import that cannot be undone.
 */
export async function countUndo(ctx: ImportsCtx, targets: TransferTargets, id: string) {
  const found = await getImport(ctx, id);
  if (found.status !== 'undoing' && found.status !== 'undone') requireUndoable(found, ctx.clock.now());
  const { removes, ...stays } = await targetOf(targets, found.targetType).imports.countUndo(ctx.db, found);
  const reasons = STAY_REASONS.map((reason) => [reason, stays[reason] ?? 0] as const);
  return {
    removes,
    stays: { total: reasons.reduce((sum, [, count]) => sum + count, 0), ...Object.fromEntries(reasons) },
  };
}

/** With its entry in the security log, or neither. */
function moveNoted(
  ctx: ImportsCtx,
  { id, targetType, targetId }: Import,
  move: Parameters<typeof moveImport>[3],
): Promise<Import | undefined> {
  return inTransaction(ctx.db, async (tx) => {
    const moved = await moveImport(tx, ctx.workspaceId, id, move);
    if (moved === undefined) return undefined;
    const action = move.to === 'cancelled' ? 'import.cancelled' : 'import.undone';
    await recordSecurityEvent(tx, ctx, { action, targetType, targetId, details: { import_id: id } });
    return moved;
  });
}
