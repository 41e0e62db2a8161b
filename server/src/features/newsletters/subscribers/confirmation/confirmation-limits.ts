import { mailboxBehind } from '#mail/addresses/mailbox-behind.ts';
import { type AttemptLimit, countOrRefuse, firstExceeded } from '#platform/attempts/attempt-limits.ts';
import type { Subscriber } from '../subscriber.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

/**
 * How many confirmation emails one address is sent from this whole instance, whatever it is put on: an attacker signs a
 * victim up everywhere. Counted in the transaction that sends, so never one more.
 */
const hourOf = (email: string): AttemptLimit => ({
  subject: `newsletter confirmations, hour ${email}`,
  max: 3,
  windowSeconds: 3_600,
});
const dayOf = (email: string): AttemptLimit => ({
  subject: `newsletter confirmations, day ${email}`,
  max: 10,
  windowSeconds: 86_400,
});
/** Wider than those of an address: who tries a form out with labels of their own is served. */
function ofMailbox(email: string): AttemptLimit[] {
  // Where providers let their customers try things out every label is a mailbox of its own.
  if (email.endsWith('@simulator.amazonses.com')) return [];
  const mailbox = mailboxBehind(email);
  return [
    { subject: `newsletter confirmations of a mailbox, hour ${mailbox}`, max: 10, windowSeconds: 3_600 },
    { subject: `newsletter confirmations of a mailbox, day ${mailbox}`, max: 30, windowSeconds: 86_400 },
  ];
}
const resendsOf = ({ id }: Subscriber): AttemptLimit => ({
  subject: `newsletter confirmations sent again, hour ${id}`,
  max: 3,
  windowSeconds: 3_600,
});

/**
 * Counts the email that goes with a sign-up. False: the address has been sent enough, or for a sign-up by anybody the
 * mailbox behind it.
 */
export async function mayMailFirst(ctx: SubscribersCtx, email: string, via: 'public' | 'api'): Promise<boolean> {
  const limits = [hourOf(email), dayOf(email), ...(via === 'public' ? ofMailbox(email) : [])];
  return (await firstExceeded(ctx, limits, ctx.clock.now())) === undefined;
}

/**
 * Counts an email that is sent again; throws 429 when it is one too many. A caller with a key may send three an hour to
 * each subscriber after the one of the sign-up, so the hour of the address counts them and refuses only the public.
 */
export async function countResend(ctx: SubscribersCtx, row: Subscriber, via: 'public' | 'api'): Promise<void> {
  const now = ctx.clock.now();
  const isPublic = via === 'public';
  const strict = [
    resendsOf(row),
    ...(isPublic ? [hourOf(row.email)] : []),
    dayOf(row.email),
    ...(isPublic ? ofMailbox(row.email) : []),
  ];
  await countOrRefuse(ctx, strict, now);
  if (via === 'api') await firstExceeded(ctx, [hourOf(row.email)], now);
}

/**
 * Counts an email that somebody asked for who need not be the one it goes to: among the confirmation emails, so that
 * nobody is sent more by both. Throws 429 when it is one too many.
 */
export const countAskedMail = (ctx: SubscribersCtx, email: string): Promise<void> =>
  countOrRefuse(ctx, [hourOf(email), dayOf(email)], ctx.clock.now());
