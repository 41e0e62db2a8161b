import { toAsciiDomain } from '#mail/addresses/ascii-domain.ts';
import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import { registrableDomain } from '../registrable-domain.ts';

/** So that the name of a DKIM record fits: a selector of ten characters, `._domainkey.`, and the domain. */
const DOMAIN_CHARS_MAX = 230;

/**
 * The name of a domain as it is stored: lower case, ASCII, without the dot at the end. Throws 400 for what is none, and
 * 422 for a public suffix (`co.uk`, `github.io`): whoever had it would have the mail of everybody below it.
 */
export function readDomainName(given: string): string {
  const text = given.trim().toLowerCase();
  const read = toAsciiDomain(text.endsWith('.') ? text.slice(0, -1) : text);
  if ('reason' in read) throw invalid('domain', `domain must be a domain name such as example.com. ${read.reason}`);
  const { domain } = read;
  if (domain.length > DOMAIN_CHARS_MAX) {
    throw unacceptable('domain', `domain must have at most ${DOMAIN_CHARS_MAX} characters: its DKIM record has more.`);
  }
  if (registrableDomain(domain) === null) {
    throw unacceptable('domain', `${domain} is a public suffix: many people register domains below it. Add your own.`);
  }
  return domain;
}
