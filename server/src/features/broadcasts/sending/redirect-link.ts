import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { BroadcastsCtx, Done } from '../broadcasts-ctx.ts';
import { getBroadcast } from '../get-broadcast.ts';

/** Lets a tracked link of a broadcast lead elsewhere from now on, also in mail that has left. */
export async function redirectLink(ctx: BroadcastsCtx, id: string, asked: { from: string; to: string }): Promise<Done> {
  return inTransaction(ctx.db, async (tx) => {
    const broadcast = await getBroadcast({ ...ctx, db: tx }, id);
    const { workspaceId, sendId } = broadcast;
    if (sendId === null) throw conflict('The broadcast was not sent yet. Change its links in its text.');
    const changed = await bulkSends.redirectLink(tx, { workspaceId, sendId }, asked, ctx.settings);
    const details = { ...asked, was: changed?.before };
    return { broadcast, auditEntries: changed === undefined ? [] : [{ action: 'link_redirected', details }] };
  });
}
