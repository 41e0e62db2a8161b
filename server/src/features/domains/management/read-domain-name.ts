import { toAsciiDomain } from '#mail/addresses/ascii-domain.ts';
import { type AppError, invalid, unacceptable } from '#platform/errors/app-error.ts';
import { isTopLevel, registrableDomain } from '../registrable-domain.ts';

/** So that the name of a DKIM record fits: a selector of ten characters, `._domainkey.`, and the domain. */
const DOMAIN_CHARS_MAX = 230;

/**
 * The name of a domain as it is stored: lower case, ASCII, without the dot at the end. Throws 400 for what is none, and
 * 422 for a public suffix (`com`, `co.uk`, `github.io`): whoever had it would have the mail of everybody below it.
 */
export function readDomainName(given: string): string {
  const text = given.trim().toLowerCase();
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const read = toAsciiDomain(name);
  // A suffix without a dot (`com`) is well-formed, and nobody's own.
  if ('reason' in read && isTopLevel(name)) throw publicSuffix(name);
  if ('reason' in read) throw invalid('domain', `domain must be a domain name such as example.com. ${read.reason}`);
  const { domain } = read;
  if (domain.length > DOMAIN_CHARS_MAX) {
    throw unacceptable('domain', `domain must have at most ${DOMAIN_CHARS_MAX} characters: its DKIM record has more.`);
  }
  if (registrableDomain(domain) === null) throw publicSuffix(domain);
  return domain;
}

const publicSuffix = (domain: string): AppError =>
  unacceptable('domain', `${domain} is a public suffix: many people register domains below it. Add your own.`);
