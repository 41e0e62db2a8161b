/**
 * The ASCII form of a mail domain, or the reason why there is none.
 *
 * Each label is converted on its own and converted back, because `domainToASCII` (the host parser of the URL standard)
 * is far more generous than mail: it lets `_` through, decodes `%2e`, reads `１` as the IPv4 address 0.0.0.1, splits at
 * `。`, turns fullwidth and invisible letters into plain ASCII, and passes `xn--` labels that decode to nothing.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

export type DomainResult = { domain: string } | { reason: string };

/** RFC 1035 §2.3.4: 255 octets on the wire, which is 253 characters of text. */
const domainCharsMax = 253;
const labelCharsMax = 63;
const asciiLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const onlyAscii = /^[\x00-\x7f]*$/;

export function toAsciiDomain(text: string): DomainResult {
  if (text === '') return { reason: 'The domain after the @ is missing.' };
  if (text.startsWith('[')) return { reason: 'An IP address in place of a domain is not accepted.' };
  // Before any conversion, so that a hostile text is never given to it whole.
  if (text.length > domainCharsMax) return { reason: `The domain is longer than ${domainCharsMax} characters.` };

  const labels: string[] = [];
  for (const label of text.split('.')) {
    if (label === '') return { reason: 'The domain has an empty part: two dots in a row, or one at its edge.' };
    const ascii = onlyAscii.test(label) ? checkAsciiLabel(label.toLowerCase()) : convertLabel(label);
    if (ascii === undefined) return { reason: `“${printable(label)}” is not a valid part of a domain name.` };
    if (ascii.length > labelCharsMax) {
      return { reason: `A part of the domain is longer than ${labelCharsMax} characters.` };
    }
    labels.push(ascii);
  }

  const top = labels.at(-1) ?? '';
  if (labels.length < 2) return { reason: 'The domain needs a dot, as in example.com.' };
  if (/^[0-9]+$/.test(top)) return { reason: 'The domain ends in a number: an IP address is not accepted.' };
  const domain = labels.join('.');
  if (domain.length > domainCharsMax) return { reason: `The domain is longer than ${domainCharsMax} characters.` };
  return { domain };
}

function checkAsciiLabel(label: string): string | undefined {
  if (!asciiLabel.test(label)) return undefined;
  if (!label.startsWith('xn--')) return label;
  const unicode = domainToUnicode(label);
  // A fake A-label comes back as it is; a real one decodes to something that encodes to the same.
  if (onlyAscii.test(unicode) || domainToASCII(unicode) !== label) return undefined;
  return label;
}

function convertLabel(label: string): string | undefined {
  // U+0130 and U+212A fold to ASCII letters in some lower-casings and not in others, so two stores may disagree.
  if (/[\u0130\u212a]/.test(label) || label.startsWith('-') || label.endsWith('-')) return undefined;
  // Only letters of other scripts may ride along with ASCII letters, digits and hyphens: `%`, `/` and `@` mean
  // something to the URL parser.
  if (!/^[a-zA-Z0-9\u0080-\u{10ffff}-]+$/u.test(label)) return undefined;
  const ascii = domainToASCII(label);
  if (!ascii.startsWith('xn--') || ascii.includes('.')) return undefined;
  // Apart from case, what is stored must be what was typed: no fullwidth forms, ligatures or invisible characters.
  // Case by code point, because a whole-word lower-casing of a Greek final sigma differs from the one of IDNA.
  const folded = Array.from(label, (char) => char.toLowerCase())
    .join('')
    .normalize('NFC');
  return domainToUnicode(ascii) === folded ? ascii : undefined;
}

function printable(label: string): string {
  return label.slice(0, 40).replace(/[^\x21-\x7e\p{L}\p{N}]/gu, '\u{fffd}');
}
