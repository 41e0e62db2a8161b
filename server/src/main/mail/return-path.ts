import { formatVerp, type ReturnPathOf } from '#mail/returned/verp.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { parseProviderUrl } from '#providers/parse-provider-url.ts';

/**
 * Where bounces of an email come back to, when a mail server carries our mail and a domain for bounces is set;
 * undefined otherwise: Amazon SES has its own return path and tells about bounces itself, and capture keeps what it
 * gets.
 */
export function returnPathOf(
  { bounceDomain, providerUrl }: Pick<Settings, 'bounceDomain' | 'providerUrl'>,
  secrets: Secrets,
): ((email: ReturnPathOf) => string) | undefined {
  const provider = parseProviderUrl(providerUrl);
  if (bounceDomain === null || !provider.ok || provider.config.kind !== 'smtp') return undefined;
  const key = secrets.key('return path');
  const domain = bounceDomain.toLowerCase();
  return (email) => `${formatVerp(email, key)}@${domain}`;
}
