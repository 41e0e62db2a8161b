import { forgetImportedAddresses, rewriteExports } from '#features/transfers';
import { inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { subscribersUnsubscribed } from '../../announcements.ts';
import { hashOfAddress, recordConsents } from '../consent/consent.ts';
import { forgetPeopleOfConsents } from '../consent/consent-queries.ts';
import { insertErasures } from '../consent/erase-traces-queries.ts';
import { noEvidence } from '../consent/evidence.ts';
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
    await forgetPeopleOfConsents(tx, ctx.workspaceId, newsletterId, [hashOfAddress(ctx.secrets, row.email)]);
    await recordConsents(tx, ctx.secrets, [erasedEntry(row, ctx.clock.now())]);
    await forgetImportedAddresses(tx, ctx.workspaceId, [row.email]);
    await insertErasures(tx, [row]);
    await rewriteExports(tx, { workspaceId: row.workspaceId, type: 'newsletter', id: row.newsletterId });
    if (row.status === 'unsubscribed') return;
    await subscribersUnsubscribed.announce(tx, [
      { ...newsOf(row), reason: 'api', issueId: null, previousStatus: row.status },
    ]);
  });
}

/** The hash is made of the address, and nothing else is kept. */
export const erasedEntry = (row: Subscriber, at: Date) =>
  ({
    subscriber: { ...row, id: null, source: null },
    action: 'erased',
    at,
    evidence: noEvidence,
    typed: null,
  }) as const;
