import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getCountedNewsletter, getNewsletter } from '../get-newsletter.ts';
import type { CountedNewsletter } from '../newsletter.ts';
import { clearConfirmationsPause, lockNewsletter } from '../queries.ts';

/** Lets confirmation emails go on that rest because of a flood of sign-ups. 409 when they do not rest. */
export async function resumeConfirmations(ctx: Ctx, id: string): Promise<CountedNewsletter> {
  const { id: known } = await getNewsletter(ctx, id);
  await inTransaction(ctx.db, async (tx) => {
    const current = await lockNewsletter(tx, ctx.workspaceId, known);
    if (current === undefined) throw notFound('newsletter', id);
    if (current.confirmationsPausedAt === null)
      throw conflict('Confirmation emails of this newsletter are not paused.');
    await clearConfirmationsPause(tx, ctx.workspaceId, known, ctx.clock.now());
    await recordSecurityEvent(tx, ctx, {
      action: 'newsletter.confirmations_resumed',
      targetType: 'newsletter',
      targetId: known,
      details: { paused_at: current.confirmationsPausedAt },
    });
  });
  return await getCountedNewsletter(ctx, known);
}
