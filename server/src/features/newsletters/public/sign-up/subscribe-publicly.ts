import type { Evidence } from '#features/consents';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import { AppError, invalid, notFound, unacceptable, unavailable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { findNewsletterBySlug } from '../../get-newsletter.ts';
import type { Newsletter } from '../../newsletter.ts';
import { findSubscriberByEmail } from '../../subscribers/queries.ts';
import { resendConfirmation } from '../../subscribers/confirmation/resend-confirmation.ts';
import { signUp } from '../../subscribers/joining/sign-up.ts';
import { readAddress } from '#mail/addresses/read-address.ts';
import { readPublicName } from '#platform/pages/typed-name.ts';
import { isBlockedDomain } from '#mail/addresses/blocked-domains.ts';
import { inEvenTime } from '#platform/pages/even-time.ts';
import { readFillTime, SOONEST_MS } from '#platform/pages/fill-time.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { type ProofFields, requireProof } from '../human-proof/require-proof.ts';
import { brake, countSendAgain } from '../limits/public-limits.ts';

export interface PublicSignUp extends ProofFields {
  email: string;
  name?: string | null | undefined;
  source?: string | null | undefined;
  /** The hidden field: only a program fills it. */
  website?: string | null | undefined;
  /** When our own form was shown. Other forms do not send it. */
  shown_at?: string | undefined;
}

/**
 * Signs up an address from a public page: ours, a form on another site, or a program. The answer and its time are the
 * same, whatever the address was before. Throws:
 * - not found: no such newsletter.
 * - 422 with param `slug`: sign-up is closed.
 * - 422 with param `email`: the address is suppressed or its domain is blocked; the answer does not say which.
 * - 400: not an address, a name with web addresses, or a form of ours that was shown a week ago or never (param
 *   `shown_at`).
 * - 400, 422 or 503 with the field of the proof of a person, as `requireProof` does.
 * - 429: too many requests.
 */
export async function subscribePublicly(
  ctx: Ctx,
  { safeFetch }: { safeFetch: SafeFetch },
  slug: string,
  { asked, evidence }: { asked: PublicSignUp; evidence: Evidence },
): Promise<Newsletter> {
  const newsletter = await openNewsletter(ctx, slug);
  const email = readAddress(asked.email);
  const name = readPublicName(asked.name);
  await untilFilledIn(ctx, asked.shown_at);
  // Before the address is looked at: the time that the service takes tells nothing of it.
  await requireProof({ ...ctx, safeFetch }, asked);
  await inEvenTime(ctx.clock, async () => {
    if (asked.website != null && asked.website !== '') return; // a program filled it, and gets the usual answer
    if (await isBlockedDomain(email.domain, ctx.settings.blockedEmailDomains)) throw refusedAddress();
    await brake(ctx, newsletter, email.domain);
    await add(ctx, newsletter, { email, name, source: asked.source ?? null, evidence });
  });
  return newsletter;
}

/**
 * Sends the confirmation email again if the address waits for it. Neither the answer nor its time tells whether it
 * does. Throws as `subscribePublicly` does, and 429 for one address too often.
 */
export async function sendAgainPublicly(ctx: Ctx, slug: string, typed: string): Promise<Newsletter> {
  const newsletter = await openNewsletter(ctx, slug);
  const { identity } = readAddress(typed);
  await inEvenTime(ctx.clock, async () => {
    await countSendAgain(ctx, newsletter, identity);
    const within = { ...ctx, workspaceId: newsletter.workspaceId };
    const found = await findSubscriberByEmail(ctx.db, newsletter.workspaceId, newsletter.id, identity);
    if (found?.status !== 'pending') return;
    // Too many emails, a paused workspace or no sender: the answer is the same as for everybody.
    await resendConfirmation(within, newsletter, found, { via: 'public' }).catch(ignoreRefusal);
  });
  return newsletter;
}

async function openNewsletter(ctx: Ctx, slug: string): Promise<Newsletter> {
  const newsletter = await findNewsletterBySlug(ctx.db, slug);
  if (newsletter === undefined) throw notFound('newsletter', slug);
  if (!newsletter.signupEnabled) throw unacceptable('slug', 'This newsletter takes no new subscribers at the moment.');
  return newsletter;
}

async function add(
  ctx: Ctx,
  newsletter: Newsletter,
  asked: { email: Mailbox; name: string | null; source: string | null; evidence: Evidence },
): Promise<void> {
  try {
    await signUp({ ...ctx, workspaceId: newsletter.workspaceId }, newsletter, { ...asked, via: 'public' });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.extras.param === 'email') throw refusedAddress();
    // No sender, or a paused workspace: the person who signs up cannot remedy it and should not learn of it.
    if (error.extras.param === 'from_email' || error.name === 'permission_error') {
      ctx.log.warn({ newsletterId: newsletter.id, reason: error.message }, 'a sign-up could not be taken');
      throw unavailable('Sign-up is not possible just now. Try again later.', error);
    }
    throw error;
  }
}

/** A suppressed address and a blocked domain get the same answer. */
const refusedAddress = (): AppError => unacceptable('email', 'This address cannot be subscribed. Use another one.');

/**
 * Our own form, sent sooner than a person types, waits for the time that typing takes. A person whose browser fills
 * in the form is not refused. A program that posts forms by the thousand holds a connection for each.
 */
async function untilFilledIn(ctx: Ctx, shownAt: string | undefined): Promise<void> {
  const filledIn = shownAt === undefined ? 'good' : readFillTime(ctx.secrets, shownAt, ctx.clock.now());
  if (filledIn === 'too_soon') await ctx.clock.sleep(SOONEST_MS);
  else if (filledIn !== 'good') throw invalid('shown_at', 'The form is too old. Send it again.');
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
