import { noEvidence, recordConsents } from '#features/consents';
import { mailboxOf } from '#mail/addresses/stored-mailbox.ts';
import { inTransaction } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { countResend } from './confirmation-limits.ts';
import { requireConfirmationSender, sendConfirmation } from './confirmation-mail.ts';
import { lockSubscriber } from '../queries.ts';
import { personOf, type Subscriber } from '../subscriber.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

/**
 * Sends the confirmation email again. Throws conflict for who is not pending and while confirmations rest, 429 for more
 * than three an hour to one subscriber (or more to one address than all of this instance may send), 422 (param
 * `from_email`) without a sender, and not found for one who is gone.
 */
export async function resendConfirmation(
  ctx: SubscribersCtx,
  newsletter: Newsletter,
  subscriber: Pick<Subscriber, 'id'>,
  { via }: { via: 'public' | 'api' },
): Promise<Subscriber> {
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockSubscriber(tx, ctx.workspaceId, newsletter.id, subscriber.id);
    if (row === undefined) throw notFound('subscriber', subscriber.id);
    if (row.status !== 'pending') throw conflict('Only a pending subscriber is asked to confirm.');
    if (newsletter.confirmationsPausedAt !== null) {
      throw conflict('Confirmation emails of this newsletter rest, because sign-ups came unusually fast.');
    }
    const within = { ...ctx, db: tx };
    const sender = await requireConfirmationSender(within, newsletter);
    await countResend(within, row, via);
    const at = ctx.clock.now();
    const to = mailboxOf({ address: row.email, name: null });
    const sent = await sendConfirmation(within, { newsletter, subscriber: row, to, sender, at });
    if (sent === null) throw new Error('a locked subscriber changed its state');
    await recordConsents(tx, ctx.secrets, [
      {
        person: personOf(row),
        action: 'confirmation_sent',
        at,
        evidence: noEvidence,
        emailId: sent.emailId,
        details: { via },
      },
    ]);
    return sent.subscriber;
  });
}
