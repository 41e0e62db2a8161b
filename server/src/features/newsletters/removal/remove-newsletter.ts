import { keepConsentsOfList } from '#features/consents';
import { bulkSends } from '#features/outbox';
import { removeTransfersOf } from '#features/transfers';
import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { forbidden, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getNewsletter } from '../get-newsletter.ts';
import { cancelIssues, deleteNewsletter, insertPurge, lockNewsletter } from '../queries.ts';

/**
 * Deletes a newsletter. With the answer it is gone from everywhere: its pages and links are not found, its slug is
 * free, its scheduled issues never start, those being sent have stopped, and no email of theirs is handed over any
 * more, also none that was in the queue already. Its subscribers, issues and counts go afterwards, page by page,
 * however many. Stopping what is scheduled or being sent needs what cancelling it needs: 403, and nothing is deleted.
 */
export async function removeNewsletter(ctx: Ctx, id: string): Promise<void> {
  const { id: known } = await getNewsletter(ctx, id);
  const { workspaceId } = ctx;
  const withdrawn = await inTransaction(ctx.db, async (tx) => {
    const newsletter = await lockNewsletter(tx, workspaceId, known);
    if (newsletter === undefined) throw notFound('newsletter', id);
    const issues = await cancelIssues(tx, workspaceId, known, ctx.clock.now());
    if (issues.some((issue) => issue.wasSending || issue.wasScheduled)) requireMayCancel(ctx);
    for (const { sendId, wasSending } of issues) {
      if (wasSending && sendId !== null) await bulkSends.cancel(tx, { workspaceId, sendId });
    }
    const sends = await bulkSends.withdrawSendsOfIssues(
      tx,
      workspaceId,
      issues.map((issue) => issue.id),
    );
    await insertPurge(tx, workspaceId, known);
    await keepConsentsOfList(tx, { workspaceId, listId: known }, newsletter.name, ctx.clock.now());
    await deleteNewsletter(tx, workspaceId, known);
    await removeTransfersOf(tx, { workspaceId, type: 'newsletter', id: known });
    await recordSecurityEvent(tx, ctx, {
      action: 'newsletter.deleted',
      targetType: 'newsletter',
      targetId: known,
      details: { name: newsletter.name, slug: newsletter.slug },
    });
    return sends;
  });
  await bulkSends.untilWithdrawn(ctx, withdrawn);
}

function requireMayCancel({ actor }: Ctx): void {
  if (actor.may('issues:send')) return;
  const why = 'Issues of this newsletter are scheduled or being sent, and deleting it would stop them';
  throw forbidden(
    actor.type === 'api_key'
      ? `${why}: that needs the scope "issues:send".`
      : `${why}: your role "${actor.role ?? 'none'}" does not allow that.`,
  );
}
