import type { Mailbox } from '#mail/addresses.ts';
import type { Newsletter } from '../newsletter.ts';
import type { Evidence } from './evidence.ts';
import type { Subscriber } from './subscriber.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

export interface SignUp {
  email: Mailbox;
  name: string | null;
  source: string | null;
  metadata?: Record<string, unknown>;
  evidence: Evidence;
  via: 'public' | 'api';
  /** Lets somebody who left start again; a public sign-up always does. */
  resubscribe?: boolean;
  /** Active at once: the caller vouches for the consent that it describes. */
  skipConfirmation?: boolean;
  consent?: Record<string, unknown>;
}

export interface SignedUp {
  subscriber: Subscriber;
  /** existing: nothing was changed. restarted: had left, and began anew. */
  outcome: 'created' | 'existing' | 'restarted';
}

/**
 * Puts an address on a list, once: pending with a confirmation email, or active where none is asked for. Throws 422 for
 * a suppressed address (param `email`) and, by API, when the newsletter has no sender (param `from_email`).
 */
export async function signUp(_ctx: SubscribersCtx, _newsletter: Newsletter, _asked: SignUp): Promise<SignedUp> {
  throw new Error('not there yet');
}
