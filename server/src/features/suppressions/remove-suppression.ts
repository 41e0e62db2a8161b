import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction, onCommit } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { askForLift } from './lifting/queries.ts';
import { liftAsked } from './lifting/lift-service.ts';
import { deleteSuppression } from './list-queries.ts';
import { deleteSoftBounces } from './soft-bounce-queries.ts';
import { hashInLog } from './hash-in-log.ts';
import type { SuppressionReason } from './suppression.ts';
import { getSuppression } from './suppression-record.ts';

/**
 * Lets the workspace mail an address again. Its transient bounces are forgotten, so that the next one does not bring
 * the suppression back. It subscribes nobody to anything. The security log records the actor and a keyed hash of the
 * address, in the same transaction: taking an address off the list is what gets a sender into trouble. The log keeps
 * nothing of a person who is erased later. `hasAccountList`: the provider keeps a list of its own, off which the
 * address is taken after the commit.
 */
export async function removeSuppression(ctx: Ctx, name: string, hasAccountList: boolean): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const { id, email } = await getSuppression({ ...ctx, db: tx }, name);
    // Bounces before the suppression, as a round of provider events locks them: the two must not wait in a circle.
    await deleteSoftBounces(tx, ctx.workspaceId, [email]);
    const removed = await deleteSuppression(tx, ctx.workspaceId, id);
    if (removed === undefined) throw notFound('suppression', name);
    if (hasAccountList && isOfProvider(removed.reason)) {
      await askForLift(tx, ctx.workspaceId, email);
      onCommit(tx, () => liftAsked.tell());
    }
    await recordSecurityEvent(tx, ctx, {
      action: 'suppression.removed',
      targetType: 'suppression',
      targetId: id,
      details: { reason: removed.reason, address_hash: hashInLog(ctx.secrets, email) },
    });
  });
}

/** The provider lists addresses that bounced or complained; a person's own entry says nothing about its list. */
const isOfProvider = (reason: SuppressionReason): boolean => reason === 'hard_bounce' || reason === 'complaint';
