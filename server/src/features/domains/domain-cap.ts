import type { Db } from '#platform/db/database.ts';
import { type AppError, forbidden } from '#platform/errors/app-error.ts';
import { listUsage } from '#platform/usage/queries.ts';
import type { Take } from '#platform/usage/take.ts';
import { windowOf } from '#platform/utc-windows.ts';
import type { SenderDomain } from './sender-domain.ts';

const TIERS = ['daily', 'monthly'] as const;
type Tier = (typeof TIERS)[number];

/** A limit of a send from a domain: the quota of its workspace, or a cap of the domain. */
interface Limit {
  tier: Tier;
  cap: number;
  subjectId: string;
  refuse(now: Date): AppError;
}

function limitsOf(workspaceId: string, domain: SenderDomain): Limit[] {
  const { domainId, emailsPerMonth, caps } = domain;
  const quota: Limit[] =
    emailsPerMonth === null
      ? []
      : [
          {
            tier: 'monthly',
            cap: emailsPerMonth,
            subjectId: workspaceId,
            refuse: (now) => quotaReached(emailsPerMonth, now),
          },
        ];
  if (domainId === null) return quota;
  const ofDomain = TIERS.flatMap((tier): Limit[] => {
    const cap = caps[tier];
    return cap === null ? [] : [{ tier, cap, subjectId: domainId, refuse: (now) => capReached(domain, tier, now) }];
  });
  return [...quota, ...ofDomain];
}

/**
 * The places that so many recipients take from the quota of its workspace and the caps of its domain; empty when there
 * are none. Suppressed recipients take none. A request that does not fit whole is refused whole.
 */
export function takesOfDomain(workspaceId: string, domain: SenderDomain, recipients: number, now: Date): Take[] {
  return limitsOf(workspaceId, domain).map(({ tier, cap, subjectId, refuse }) => ({
    workspaceId,
    subjectId,
    tier,
    windowStart: windowOf(tier, now).start,
    cap,
    count: recipients,
    ofRecipients: true,
    refuse: () => refuse(now),
  }));
}

const NO_CAP = 2_147_483_647; // the highest integer of the database

/**
 * The same for mail that is counted in the caps of its domain, and never refused: confirmations of sign-ups. The quota
 * of the workspace does not count it.
 */
export const countsOfDomain = (workspaceId: string, domain: SenderDomain, recipients: number, now: Date): Take[] =>
  takesOfDomain(workspaceId, { ...domain, emailsPerMonth: null }, recipients, now).map((take) => ({
    ...take,
    cap: NO_CAP,
  }));

const resetOf = (tier: Tier, now: Date): string => windowOf(tier, now).resetAt.toISOString().replace('.000Z', 'Z');

function capReached(domain: SenderDomain, tier: Tier, now: Date): AppError {
  const cap = domain.caps[tier] ?? 0;
  return forbidden(`${tier} limit of ${cap} reached for ${domain.domain}; resets ${resetOf(tier, now)}`, 'from');
}

const quotaReached = (quota: number, now: Date): AppError =>
  forbidden(
    `The quota of this workspace is ${quota} emails a month, and it has no room for this send. It resets ${resetOf('monthly', now)}. The operator of this installation can raise it.`,
  );

/** The sentence a send of this size would be refused with, or undefined when there is room. Takes nothing. */
export async function domainCapProblem(
  db: Db,
  workspaceId: string,
  domain: SenderDomain,
  recipients: number,
  now: Date,
): Promise<string | undefined> {
  if (recipients === 0) return undefined; // all are suppressed: they take no place, however full it is
  for (const { tier, cap, subjectId, refuse } of limitsOf(workspaceId, domain)) {
    const [usage] = await listUsage(db, workspaceId, subjectId, [{ tier, windowStart: windowOf(tier, now).start }]);
    if ((usage?.used ?? 0) + recipients > cap) return refuse(now).message;
  }
  return undefined;
}
