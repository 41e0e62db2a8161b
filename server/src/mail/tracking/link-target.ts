/**
 * What a link leads to, as a browser understands its href, and how that is said in a Location header (WHATWG URL §4.4,
 * RFC 9110 §10.2.2).
 */
import { domainToASCII } from 'node:url';

const WEB = /^https?:\/\//i;

/**
 * The target of an href (its references decoded), or null when it is none that can be counted: another scheme, a
 * relative one, an address that leads nowhere, or one in which somebody else is still to fill in a `{{tag}}`.
 * Characters that browsers skip are left out: spaces and controls around it, tabs and line breaks in it.
 */
export function webTargetOf(href: string): string | null {
  let start = 0;
  let end = href.length;
  while (start < end && href.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && href.charCodeAt(end - 1) <= 0x20) end -= 1;
  const target = href.slice(start, end).replace(/[\t\n\r]/g, '');
  const isWeb = WEB.test(target) && target.isWellFormed() && URL.canParse(target);
  return isWeb && !target.includes('{{') ? target : null;
}

/**
 * A target as it stands in a Location header: ASCII stays as it is, byte for byte. Beyond ASCII the host becomes its
 * A-labels and the rest percent-encoded UTF-8, which is what a browser would ask for; controls are percent-encoded.
 */
export function locationOf(target: string): string {
  const parts = /^(https?:\/\/)([^/?#\\]*)(.*)$/is.exec(target);
  if (parts === null) throw new Error('a target that is no web address was signed');
  const [, scheme = '', authority = '', rest = ''] = parts;
  return `${scheme}${asciiAuthority(authority)}${asciiPart(rest)}`;
}

function asciiAuthority(authority: string): string {
  if (/^[\x21-\x7e]*$/.test(authority)) return authority;
  const at = authority.lastIndexOf('@') + 1;
  const [, host = '', port = ''] = /^(.*?)(:\d*)?$/s.exec(authority.slice(at)) ?? [];
  // Percent-encoding is how a browser reads a host, too.
  return `${asciiPart(authority.slice(0, at))}${domainToASCII(host) || asciiPart(host)}${port}`;
}

const asciiPart = (text: string): string => text.replace(/[^\x20-\x7e]/gu, encodeURIComponent);
