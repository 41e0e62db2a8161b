import { type Evidence, recordConsents } from '#features/consents';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { selectNewsletter } from '../../queries.ts';
import type { Moved } from '../confirmation/confirm-subscriber.ts';
import { countUnsubscribe } from './count-unsubscribe.ts';
import { keepUnsubscribed, lockSubscriber, moveSubscriber } from '../queries.ts';
import { personOf, type Subscriber } from '../subscriber.ts';
import { tellUnsubscribed } from '../subscriber-events.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

export interface Unsubscribing {
  newsletterId: string;
  subscriberId: string;
  /** user: by a link or a page; api: by an API call. */
  reason: 'user' | 'api';
  /** The issue whose link was followed. */
  issueId: string | null;
  evidence: Evidence;
}

/**
 * Takes a subscriber off one list. Repeated it changes nothing, but that a visit which may have been a machine's is not
 * undone after it. Throws not found for one who is gone.
 */
export async function unsubscribeSubscriber(ctx: SubscribersCtx, asked: Unsubscribing): Promise<Moved> {
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockSubscriber(tx, ctx.workspaceId, asked.newsletterId, asked.subscriberId);
    const newsletter = await selectNewsletter(tx, ctx.workspaceId, asked.newsletterId);
    if (row === undefined || newsletter === undefined) throw notFound('subscriber', asked.subscriberId);
    if (row.status === 'unsubscribed') {
      if (row.unsubscribedByVisit) await keepUnsubscribed(tx, row.workspaceId, [row.id]);
      return { subscriber: row, changed: false };
    }
    return { subscriber: await takeOff({ ...ctx, db: tx }, newsletter, row, asked), changed: true };
  });
}

/** For one that is locked and on the list. */
export async function takeOff(
  ctx: Omit<SubscribersCtx, 'db'> & { db: Db },
  newsletter: Newsletter,
  row: Subscriber,
  why: Pick<Unsubscribing, 'reason' | 'issueId' | 'evidence'> & { visitAt?: Date },
): Promise<Subscriber> {
  const previousStatus = row.status === 'pending' ? 'pending' : 'active';
  const at = why.visitAt ?? ctx.clock.now();
  const subscriber = await moveSubscriber(ctx.db, row, {
    status: 'unsubscribed',
    at,
    generation: 1,
    confirmedAt: row.confirmedAt,
    unsubscribedAt: at,
    statusBefore: previousStatus,
    unsubscribedIssueId: why.issueId,
    unsubscribedByVisit: why.visitAt !== undefined,
    reason: why.reason,
    consent: row.consent,
  });
  if (subscriber === undefined) throw notFound('subscriber', row.id);
  if (why.issueId !== null) await countUnsubscribe(ctx.db, subscriber, why.issueId, { change: 1, at });
  await recordConsents(ctx.db, ctx.secrets, [
    {
      person: personOf(subscriber),
      action: 'unsubscribed',
      at,
      evidence: why.evidence,
      details: {
        reason: why.reason,
        previous_status: previousStatus,
        issue_id: why.issueId,
        ...(why.evidence.method === undefined ? {} : { method: why.evidence.method }),
      },
    },
  ]);
  const { reason, issueId } = why;
  await tellUnsubscribed(ctx.db, newsletter, subscriber, { reason, issueId, previousStatus, by: ctx.actor });
  return subscriber;
}
