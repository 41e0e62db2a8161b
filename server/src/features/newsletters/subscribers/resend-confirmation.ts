import type { Newsletter } from '../newsletter.ts';
import type { Subscriber } from './subscriber.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

/**
 * Sends the confirmation email again. Throws conflict for who is not pending, 429 for more than three an hour to one
 * subscriber (or more to one address than all of this instance may send), 422 (param `from_email`) without a sender.
 */
export async function resendConfirmation(
  _ctx: SubscribersCtx,
  _newsletter: Newsletter,
  _subscriber: Subscriber,
  _options: { via: 'public' | 'api' },
): Promise<Subscriber> {
  throw new Error('not there yet');
}
