import { isLargeProvider } from '#mail/addresses/large-providers.ts';
import { type AttemptLimit, countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { limitsOfCaller } from '#platform/attempts/caller-limits.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { Visitor } from '#platform/http/visitor.ts';

const MINUTE = 60;
const HOUR = 3_600;
const READS_PER_WRITE = 10;

/**
 * The one check of all ways to sign up or to ask for an email again, whether JSON, somebody's form or our own page:
 * before anything the request says is looked at. Throws 429.
 */
export const admitSignUp = (ctx: Ctx, { ip }: Pick<Visitor, 'ip'>): Promise<void> =>
  countOrRefuse(ctx, limitsOfCaller('newsletter sign-up', ip, ctx.settings), ctx.clock.now());

/** Pages, feeds and what they are made of read and send nothing: ten times as many. Throws 429. */
export const admitReading = (ctx: Ctx, { ip }: Pick<Visitor, 'ip'>): Promise<void> =>
  countOrRefuse(
    ctx,
    limitsOfCaller('newsletter page', ip, ctx.settings).map((limit) => ({
      ...limit,
      max: limit.max * READS_PER_WRITE,
    })),
    ctx.clock.now(),
  );

/**
 * A link that is none of ours counts against whoever tries it; good ones never do, because a mail provider unsubscribes
 * all its people from a few addresses. Throws 429.
 */
export const countBadLink = (ctx: Ctx): Promise<void> =>
  countOrRefuse(ctx, limitsOfCaller('newsletter bad link', ctx.ip, ctx.settings), ctx.clock.now());

/**
 * Brakes for a flood from many addresses of the network at once: so many sign-ups on one newsletter, and so many with
 * addresses of one domain, which may be one company's mailboxes, on the whole instance. Far above what a launch brings.
 * Throws 429.
 */
export async function brake(ctx: Ctx, newsletter: Pick<Newsletter, 'id'>, domain: string): Promise<void> {
  const limits: AttemptLimit[] = [
    { subject: `newsletter sign-ups, minute ${newsletter.id}`, max: 600, windowSeconds: MINUTE },
    { subject: `newsletter sign-ups, hour ${newsletter.id}`, max: 10_000, windowSeconds: HOUR },
    ...(isLargeProvider(domain)
      ? []
      : [
          { subject: `newsletter domain, minute ${domain}`, max: 120, windowSeconds: MINUTE },
          { subject: `newsletter domain, hour ${domain}`, max: 1_000, windowSeconds: HOUR },
        ]),
  ];
  await countOrRefuse(ctx, limits, ctx.clock.now());
}

/** How often somebody may ask for the email again: known and unknown addresses alike. Throws 429. */
export async function countSendAgain(ctx: Ctx, newsletter: Pick<Newsletter, 'id'>, email: string): Promise<void> {
  const limit = { subject: `newsletter send again, hour ${newsletter.id} ${email}`, max: 5, windowSeconds: HOUR };
  await countOrRefuse(ctx, [limit], ctx.clock.now());
}

/** The same where nobody knows the newsletter: an address on every list together. Throws 429. */
export async function countNewLinks(ctx: Ctx, email: string): Promise<void> {
  const limit = { subject: `newsletter new links, hour ${email}`, max: 5, windowSeconds: HOUR };
  await countOrRefuse(ctx, [limit], ctx.clock.now());
}
