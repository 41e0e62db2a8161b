import { erasePeople, peopleErased } from '#features/consents';
import { forgetImportedAddresses, rewriteExports } from '#features/transfers';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { subscribersErased, subscribersUnsubscribed } from '../../announcements.ts';
import { deleteSubscriber } from '../queries.ts';
import type { Subscriber } from '../subscriber.ts';
import { newsOf } from '../subscriber-events.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

/**
 * Erases a subscriber: the row at once, and from the record of consents everything but what happened when and a keyed
 * hash of the address; exports are written anew without them. Mail that waits to be sent to them is stopped; what
 * their emails and events have of them is removed soon after (`eraseTraces`). A suppression of the address stays,
 * since nobody asked to be mailed again. Throws not found for one who is gone.
 */
export async function removeSubscriber(
  ctx: SubscribersCtx,
  { newsletterId, id }: Pick<Subscriber, 'newsletterId' | 'id'>,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const row = await deleteSubscriber(tx, ctx.workspaceId, newsletterId, id);
    if (row === undefined) throw notFound('subscriber', id);
    const at = ctx.clock.now();
    const emails = await eraseFrom(tx, ctx.secrets, row, [row], at);
    await peopleErased.announce(tx, { workspaceId: ctx.workspaceId, emails, at });
    if (row.status === 'unsubscribed') return;
    await subscribersUnsubscribed.announce(tx, [
      { ...newsOf(row, ctx.actor), reason: 'api', issueId: null, previousStatus: row.status, isErased: true },
    ]);
  });
}

/** Of one newsletter, whose rows are deleted: what else has them. Returns all addresses that they had. */
export async function eraseFrom(
  tx: Db,
  secrets: Secrets,
  { workspaceId, newsletterId }: Pick<Subscriber, 'workspaceId' | 'newsletterId'>,
  rows: readonly Subscriber[],
  at: Date,
): Promise<string[]> {
  const former = await erasePeople(tx, secrets, { workspaceId, listId: newsletterId }, rows, at);
  const emails = [...rows.map(({ email }) => email), ...former];
  await subscribersErased.announce(tx, { workspaceId, emails });
  await forgetImportedAddresses(tx, workspaceId, emails);
  await rewriteExports(tx, { workspaceId, type: 'newsletter', id: newsletterId });
  return emails;
}
