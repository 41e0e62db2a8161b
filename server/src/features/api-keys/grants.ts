import { type AppError, forbidden } from '#platform/errors/app-error.ts';
import type { Actor } from '#platform/http/context.ts';
import { TIERS } from '#platform/utc-windows.ts';
import type { KeyGrant } from './api-key.ts';
import { isRangeWithin } from './ip-ranges.ts';

/**
 * What a key is given must be held by whoever gives it: scopes for everybody; domains, newsletters, network, mode,
 * limits and life for a key that makes or changes a key. `own` is that key, undefined for a person.
 */
export function refuseBeyondOwn(actor: Actor, own: KeyGrant | undefined, grant: KeyGrant): void {
  for (const scope of grant.scopes) {
    if (!actor.may(scope)) throw beyond('scopes', `the scope "${scope}"`);
    // A key for everything reads the mail of the system too, and with it the links that sign an owner in.
    if (scope === '*' && actor.type === 'user' && actor.role !== 'owner') {
      throw forbidden('Only an owner can make or change a key with every scope; name the scopes it needs.', 'scopes');
    }
  }
  if (own === undefined) return;
  if (own.mode === 'test' && grant.mode === 'live') throw beyond('mode', 'live mode');
  refuseWider('domain_ids', own.domainIds, grant.domainIds);
  refuseWider('newsletter_ids', own.newsletterIds, grant.newsletterIds);
  refuseWiderNetwork(own.allowedIps, grant.allowedIps);
  for (const tier of TIERS) {
    // 0 is unlimited, which is more than any number.
    const isMore = own.limits[tier] !== 0 && (grant.limits[tier] === 0 || grant.limits[tier] > own.limits[tier]);
    if (isMore) throw beyond(`limits.${tier}`, `more than ${own.limits[tier]} sends (${tier})`);
  }
  if (own.expiresAt !== null && (grant.expiresAt === null || grant.expiresAt > own.expiresAt)) {
    throw beyond('expires_at', 'a longer life');
  }
}

/** An empty list means all of them. */
function refuseWider(param: string, own: readonly string[], granted: readonly string[]): void {
  if (own.length === 0) return;
  if (granted.length === 0) throw beyond(param, `all of them; name some in ${param}`);
  const foreign = granted.findIndex((id) => !own.includes(id));
  if (foreign !== -1) throw beyond(`${param}[${foreign}]`, granted[foreign] ?? '');
}

function refuseWiderNetwork(own: readonly string[], granted: readonly string[]): void {
  if (own.length === 0) return;
  if (granted.length === 0) throw beyond('allowed_ips', 'every network; name some in allowed_ips');
  const outside = granted.findIndex((range) => !isRangeWithin(range, own));
  if (outside !== -1) throw beyond(`allowed_ips[${outside}]`, granted[outside] ?? '');
}

const beyond = (param: string, what: string): AppError =>
  forbidden(`A key cannot be given more than its giver has: ${what}.`, param);
