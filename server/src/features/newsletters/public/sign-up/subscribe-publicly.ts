import type { Mailbox } from '#mail/addresses.ts';
import { AppError, invalid, notFound, unacceptable, unavailable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { findNewsletterBySlug } from '../../get-newsletter.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { Evidence } from '../../subscribers/consent/evidence.ts';
import { findSubscriberByEmail } from '../../subscribers/queries.ts';
import { resendConfirmation } from '../../subscribers/confirmation/resend-confirmation.ts';
import { signUp } from '../../subscribers/joining/sign-up.ts';
import { readAddress, readPublicName } from '../../subscribers/joining/subscriber-input.ts';
import { isBlockedDomain } from './blocked-domains.ts';
import { inEvenTime } from './even-time.ts';
import { readFillTime, SOONEST_MS } from './fill-time.ts';
import { brake, countSendAgain } from './public-limits.ts';

export interface PublicSignUp {
  email: string;
  name?: string | null | undefined;
  source?: string | null | undefined;
  /** The field that people do not see. */
  website?: string | null | undefined;
  /** When our own form was shown; others have none. */
  shown_at?: string | undefined;
}

/**
 * Somebody types an address on a page: ours, a form of somebody else, or a program. Whatever the address was before, the
 * answer and its time are the same. Throws not found; 422 (param `slug`) where sign-up is closed, and (param `email`)
 * for an address that is suppressed or of a blocked domain, which are not told apart; 400 for an address that is none,
 * a name with web addresses and a form of ours that was shown a week ago or never (param `shown_at`); 429 under a flood.
 */
export async function subscribePublicly(
  ctx: Ctx,
  slug: string,
  asked: PublicSignUp,
  evidence: Evidence,
): Promise<Newsletter> {
  const newsletter = await openNewsletter(ctx, slug);
  const email = readAddress(asked.email);
  const name = readPublicName(asked.name);
  await untilFilledIn(ctx, asked.shown_at);
  await inEvenTime(ctx.clock, async () => {
    if (asked.website != null && asked.website !== '') return; // a program filled it: it is told what it expects
    if (await isBlockedDomain(email.domain, ctx.settings.blockedEmailDomains)) throw refusedAddress();
    await brake(ctx, newsletter, email.domain);
    await add(ctx, newsletter, { email, name, source: asked.source ?? null, evidence });
  });
  return newsletter;
}

/**
 * Sends the confirmation email again when the address is waiting for it. Whether it is, is told neither by the answer
 * nor by its time. Throws as signing up does, and 429 for one address too often.
 */
export async function sendAgainPublicly(ctx: Ctx, slug: string, typed: string): Promise<Newsletter> {
  const newsletter = await openNewsletter(ctx, slug);
  const { identity } = readAddress(typed);
  await inEvenTime(ctx.clock, async () => {
    await countSendAgain(ctx, newsletter, identity);
    const within = { ...ctx, workspaceId: newsletter.workspaceId };
    const found = await findSubscriberByEmail(ctx.db, newsletter.workspaceId, newsletter.id, identity);
    if (found?.status !== 'pending') return;
    // Mailed enough, paused, without a sender: the person behind the address is told nothing else than anybody.
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
    // No sender, or a workspace that is paused: nothing that the one who signs up can mend or should know.
    if (error.extras.param === 'from_email' || error.name === 'permission_error') {
      ctx.log.warn({ newsletterId: newsletter.id, reason: error.message }, 'a sign-up could not be taken');
      throw unavailable('Sign-up is not possible just now. Try again later.', error);
    }
    throw error;
  }
}

/** Suppressed or blocked: one and the same answer. */
const refusedAddress = (): AppError => unacceptable('email', 'This address cannot be subscribed. Use another one.');

/**
 * Our own form, sent sooner than a person types, waits for the time it should have taken: whoever's browser fills it in
 * by itself is not sent away, and a program that posts forms by the thousand holds a connection for each.
 */
async function untilFilledIn(ctx: Ctx, shownAt: string | undefined): Promise<void> {
  const filledIn = shownAt === undefined ? 'good' : readFillTime(ctx.secrets, shownAt, ctx.clock.now());
  if (filledIn === 'too_soon') await ctx.clock.sleep(SOONEST_MS);
  else if (filledIn !== 'good') throw invalid('shown_at', 'The form is too old. Send it again.');
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
