import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import type { BroadcastsCtx, Done } from '../broadcasts-ctx.ts';
import { getBroadcast } from '../get-broadcast.ts';
import { duplicateBroadcast } from './create-broadcast.ts';
import { insertCorrection } from '../corrections/correction-queries.ts';

/**
 * Makes a draft for exactly those who were sent a broadcast, or one version of its content (null: any), with its newest
 * texts to write the correction from. The people are read when the correction is sent.
 */
export async function correctBroadcast(ctx: BroadcastsCtx, id: string, contentVersion: number | null): Promise<Done> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const wrong = await getBroadcast(inside, id);
    const { sendId } = await bulkSends.requireSent(tx, wrong, contentVersion);
    const { broadcast } = await duplicateBroadcast(inside, id, { isCorrection: true });
    await insertCorrection(tx, broadcast, { correctsId: wrong.id, sendId, contentVersion });
    const details = { corrects: { id: wrong.id, content_version: contentVersion } };
    return { broadcast, auditEntries: [{ action: 'created', details }] };
  });
}
