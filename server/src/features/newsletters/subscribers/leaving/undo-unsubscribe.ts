import { type Evidence, recordConsents } from '#features/consents';
import { keepOutSuppression, suppressedAmong } from '#features/suppressions';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, notFound, unacceptable } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { selectNewsletter } from '../../queries.ts';
import type { Moved } from '../confirmation/confirm-subscriber.ts';
import { countUnsubscribe } from './count-unsubscribe.ts';
import { findSubscriber, lockSubscriber, moveSubscriber } from '../queries.ts';
import { personOf, type Subscriber } from '../subscriber.ts';
import { tellConfirmed } from '../subscriber-events.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

const UNDO_HOURS = 24;

export interface Undoing {
  newsletterId: string;
  subscriberId: string;
  evidence: Evidence;
}

/**
 * Restores what an unsubscribe within the last 24 hours ended; webhooks hear of who is active again. A person who is
 * on the list is answered unchanged. Throws not found for one who is gone, conflict when there is nothing to undo
 * (too late, or not left by themselves), and 422 (param `email`) when the address has been suppressed.
 */
export async function undoUnsubscribe(ctx: SubscribersCtx, asked: Undoing): Promise<Moved> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await findSubscriber(tx, ctx.workspaceId, asked.newsletterId, asked.subscriberId);
    if (found === undefined) throw notFound('subscriber', asked.subscriberId);
    await keepOutSuppression(tx, [found]);
    const row = await lockSubscriber(tx, ctx.workspaceId, asked.newsletterId, asked.subscriberId);
    const newsletter = await selectNewsletter(tx, ctx.workspaceId, asked.newsletterId);
    if (row === undefined || newsletter === undefined) throw notFound('subscriber', asked.subscriberId);
    if (row.status !== 'unsubscribed') return { subscriber: row, changed: false };
    const at = ctx.clock.now();
    const before = statusToRestore(row, at);
    if (before === null) throw conflict('This can no longer be undone.');
    if ((await suppressedAmong(tx, ctx.workspaceId, [row.email])).has(row.email)) {
      throw unacceptable('email', 'This address cannot be subscribed.');
    }
    const { secrets } = ctx;
    const why = { status: before, at, evidence: asked.evidence };
    return { subscriber: await restore({ db: tx, secrets }, newsletter, row, why), changed: true };
  });
}

/** As if they had never left, for one that is locked and whose address may be mailed. */
export async function restore(
  { db, secrets }: Pick<SubscribersCtx, 'db' | 'secrets'>,
  newsletter: Newsletter,
  row: Subscriber,
  to: { status: 'pending' | 'active'; at: Date; evidence: Evidence; details?: Record<string, unknown> },
): Promise<Subscriber> {
  const subscriber = await moveSubscriber(db, row, {
    status: to.status,
    at: to.at,
    // Links to confirm that were good before are good again.
    generation: -1,
    confirmedAt: row.confirmedAt,
    unsubscribedAt: null,
    statusBefore: null,
    unsubscribedIssueId: null,
    reason: null,
    consent: row.consent,
  });
  if (subscriber === undefined) throw notFound('subscriber', row.id);
  if (row.unsubscribedIssueId !== null) {
    const counted = { change: -1, at: row.unsubscribedAt ?? to.at } as const;
    await countUnsubscribe(db, subscriber, row.unsubscribedIssueId, counted);
  }
  const { at, evidence, details } = to;
  await recordConsents(db, secrets, [
    { person: personOf(subscriber), action: 'undone', at, evidence, details: { restored: to.status, ...details } },
  ]);
  if (to.status === 'active') await tellConfirmed(db, newsletter, [subscriber]);
  return subscriber;
}

/** The state that an undo at this moment would restore; null when there is nothing to undo, or not any more. */
export function statusToRestore(row: Subscriber, now: Date): 'pending' | 'active' | null {
  if (row.status !== 'unsubscribed' || row.unsubscribedAt === null) return null;
  if (now.getTime() - row.unsubscribedAt.getTime() > UNDO_HOURS * 3_600_000) return null;
  return row.statusBefore === 'unsubscribed' ? null : row.statusBefore;
}
