import { type Db, inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { cancelWaitingEmails, countCancelled, markSendCancelled } from './queries/cancel-send.ts';

/**
 * Cancels what a send has not handed over yet. The counts are exact: `cancelled` emails will never leave, `alreadySent`
 * ones have left or are leaving. Doing it again gives the same answer.
 */
export async function cancelSend(
  ctx: { readonly workspaceId: string; readonly db: Db },
  jobId: string,
): Promise<{ cancelled: number; alreadySent: number }> {
  return inTransaction(ctx.db, async (tx) => {
    if (!(await markSendCancelled(tx, ctx.workspaceId, jobId))) throw notFound('send', jobId);
    await cancelWaitingEmails(tx, ctx.workspaceId, jobId);
    return countCancelled(tx, ctx.workspaceId, jobId);
  });
}
