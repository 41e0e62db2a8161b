import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { markCancelled } from '../queries/moves.ts';
import { deleteFiles } from '../queries/one.ts';
import { type Done, lockOpen } from '../reading/read-scheduled.ts';
import { byText, whyClosed } from '../scheduled-email.ts';
import { requireSameMode } from './same-mode.ts';

/** After its answer the email is never sent: it and the start of sending compete for one row. */
export async function cancelScheduled(ctx: Ctx, id: string): Promise<Done> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await lockOpen({ ...ctx, db: tx }, id);
    requireSameMode(ctx, before);
    const by = { type: ctx.actor.type, id: ctx.actor.id };
    const row = await markCancelled(tx, before, by);
    if (row === undefined) throw conflict(whyClosed(before));
    await deleteFiles(tx, row.workspaceId, row.id);
    return { row, action: 'cancelled', details: { cancelled_by: byText(by) } };
  });
}
