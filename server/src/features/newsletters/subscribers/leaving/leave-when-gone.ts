import { type Evidence, hashOfAddress, listLeftAmong, recordConsents } from '#features/consents';
import { inTransaction } from '#platform/db/database.ts';
import { findSubscriberByEmail } from '../queries.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';
import { countUnsubscribe } from './count-unsubscribe.ts';
import { awaitAdditions } from './leaving-lock-queries.ts';
import { unsubscribeSubscriber } from './unsubscribe-subscriber.ts';

/** Somebody who holds a link of mail to a subscription that was removed. */
export interface FormerSubscriber {
  newsletterId: string;
  /** Of the row that is gone. */
  subscriberId: string;
  /** The identity of the address that the link was mailed to. */
  email: string;
}

/**
 * The person at this address wants no more of a newsletter from which they were removed. That is put on record under
 * the keyed hash of the address, and nothing else of it: no import, no call of the API and no undo of an import mails
 * them before they have signed up again. A subscriber with the address is unsubscribed. A repetition changes nothing.
 */
export async function leaveWhenGone(
  ctx: SubscribersCtx,
  { newsletterId, subscriberId, email }: FormerSubscriber,
  { issueId, evidence }: { issueId: string | null; evidence: Evidence },
): Promise<void> {
  const { workspaceId } = ctx;
  const list = { workspaceId, listId: newsletterId };
  await inTransaction(ctx.db, async (tx) => {
    await awaitAdditions(tx, list);
    const held = await findSubscriberByEmail(tx, workspaceId, newsletterId, email);
    if (held !== undefined) {
      const asked = { newsletterId, subscriberId: held.id, reason: 'user', issueId, evidence } as const;
      await unsubscribeSubscriber({ ...ctx, db: tx }, asked);
      return;
    }
    if ((await listLeftAmong(tx, list, [hashOfAddress(ctx.secrets, email).toString('hex')])).length > 0) return;
    const at = ctx.clock.now();
    if (issueId !== null)
      await countUnsubscribe(tx, { workspaceId, newsletterId, id: subscriberId }, issueId, { change: 1, at });
    await recordConsents(tx, ctx.secrets, [
      {
        person: { ...list, id: null, email, source: null },
        action: 'unsubscribed',
        at,
        evidence,
        typed: null,
        details: {
          reason: 'user',
          issue_id: issueId,
          ...(evidence.method === undefined ? {} : { method: evidence.method }),
        },
      },
    ]);
  });
}

/** Whether the last thing on record of this address is that its person left. */
export async function hasLeft(ctx: SubscribersCtx, newsletterId: string, email: string): Promise<boolean> {
  const { db, secrets, workspaceId } = ctx;
  const hash = hashOfAddress(secrets, email).toString('hex');
  return (await listLeftAmong(db, { workspaceId, listId: newsletterId }, [hash])).length > 0;
}
