import { type Evidence, recordConsents, storableEvidence } from '#features/consents';
import { inTransaction } from '#platform/db/database.ts';
import { invalid, notFound } from '#platform/errors/app-error.ts';
import { selectNewsletter } from '../../queries.ts';
import { lockSubscriber, moveSubscriber } from '../queries.ts';
import { personOf, type Subscriber } from '../subscriber.ts';
import { tellConfirmed } from '../subscriber-events.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

export interface Confirming {
  newsletterId: string;
  subscriberId: string;
  /** The link's; 0 when it says none. */
  generation?: number;
  /** The link stands in an email of a test key: automations let the person in as in a test. */
  isTest?: boolean;
}

export interface Moved {
  subscriber: Subscriber;
  /** False: it was so already. */
  changed: boolean;
}

/**
 * Makes a pending subscriber active. One who is active already stays so and is answered the same. Throws not found for
 * one who is gone, and 400 (param `token`) for a link from before an unsubscribe.
 */
export async function confirmSubscriber(ctx: SubscribersCtx, link: Confirming, evidence: Evidence): Promise<Moved> {
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockSubscriber(tx, ctx.workspaceId, link.newsletterId, link.subscriberId);
    const newsletter = await selectNewsletter(tx, ctx.workspaceId, link.newsletterId);
    if (row === undefined || newsletter === undefined) throw notFound('subscriber', link.subscriberId);
    if (row.status === 'active') return { subscriber: row, changed: false };
    if (row.status === 'unsubscribed' || row.generation !== (link.generation ?? 0)) {
      throw invalid('token', 'This link is from before the subscription was ended, and does not bring it back.');
    }
    const at = ctx.clock.now();
    const proof = storableEvidence(evidence);
    const subscriber = await moveSubscriber(tx, row, {
      status: 'active',
      at,
      generation: 0,
      confirmedAt: at,
      unsubscribedAt: null,
      statusBefore: null,
      unsubscribedIssueId: null,
      reason: null,
      consent: {
        ...row.consent,
        confirmed_at: at.toISOString(),
        confirmed_ip: proof.ip,
        confirmed_user_agent: proof.userAgent,
      },
    });
    if (subscriber === undefined) throw notFound('subscriber', link.subscriberId);
    await recordConsents(tx, ctx.secrets, [{ person: personOf(subscriber), action: 'confirmed', at, evidence }]);
    await tellConfirmed(tx, newsletter, [subscriber], { mode: link.isTest === true ? 'test' : 'live' });
    return { subscriber, changed: true };
  });
}
