import { toAsciiDomain } from './ascii-domain.ts';
import { identityIn } from './read-address.ts';

/**
 * The text of a search as stored addresses have it: a whole address as its identity, and of a text with an @ the domain
 * behind that in ASCII. Part of a domain in other letters has no ASCII form of its own (RFC 3492), and stays as it is.
 */
export function searchAsStored(text: string): string {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  if (at === -1) return trimmed;
  const whole = identityIn(trimmed);
  if (whole !== undefined) return whole;
  const read = toAsciiDomain(trimmed.slice(at + 1));
  return 'domain' in read ? `${trimmed.slice(0, at + 1)}${read.domain}` : trimmed;
}
