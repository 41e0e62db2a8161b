import { mtaStsDomainOf, mtaStsPolicy } from '#mail/mta-sts.ts';
import { mailHostOf } from '#platform/config/mail-host.ts';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { providerHostsOf } from '../records/provider-hosts.ts';
import { findReceivingDomain } from './queries.ts';

/**
 * The MTA-STS policy of the domain that a host is for: the bounce domain, or a verified one that receives mail. Throws
 * not found for every other host, and while there is no policy.
 */
export async function policyOfHost({ db, settings }: Ctx, host: string): Promise<string> {
  const { mtaSts, bounceDomain } = settings;
  const domain = mtaStsDomainOf(host);
  if (mtaSts === 'off' || domain === undefined) throw noPolicy();
  if (domain === bounceDomain?.toLowerCase()) return mtaStsPolicy(mtaSts, mailHostOf(settings));
  const found = await findReceivingDomain(db, domain);
  if (found?.isVerified !== true) throw noPolicy();
  return mtaStsPolicy(mtaSts, providerHostsOf(settings, found.providerRegion).inbound);
}

const noPolicy = (): AppError => new AppError('not_found_error', 'This host has no MTA-STS policy.');
