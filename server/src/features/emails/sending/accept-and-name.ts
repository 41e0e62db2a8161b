import { acceptSend, type AcceptedSend, type SendReceipt } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';

/**
 * Accepts a send, and names the suppressed addresses of a group, which costs one statement more in the same
 * transaction.
 */
export const acceptAndName = (ctx: Pick<Ctx, 'db' | 'workspaceId'>, send: AcceptedSend): Promise<SendReceipt> =>
  send.grouped === undefined
    ? acceptSend(ctx, send)
    : inTransaction(ctx.db, (db) => acceptSend({ db, workspaceId: ctx.workspaceId }, send));
