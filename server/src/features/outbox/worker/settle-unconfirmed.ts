import { type Db, onCommit } from '#platform/db/database.ts';
import { markUnconfirmedSent, requeueUnconfirmed } from './queries/settle-unconfirmed.ts';
import { queueSignal } from './queue-signal.ts';

interface Settling {
  readonly workspaceId: string;
  readonly db: Db;
}

/** A person wants an unconfirmed email sent once more, with the same Message-ID. False when it is not unconfirmed. */
export async function sendUnconfirmedAgain(ctx: Settling, emailId: string): Promise<boolean> {
  const isBack = await requeueUnconfirmed(ctx.db, ctx.workspaceId, emailId);
  if (isBack) onCommit(ctx.db, queueSignal.tell);
  return isBack;
}

/** A person knows that an unconfirmed email arrived. False when it is not unconfirmed. */
export async function treatUnconfirmedAsSent(ctx: Settling, emailId: string): Promise<boolean> {
  return markUnconfirmedSent(ctx.db, ctx.workspaceId, emailId);
}
