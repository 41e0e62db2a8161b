/** Addresses of links and pictures: what may stand in mail, and how variables stand in them. */
import { cleanText, escapeFor, variableFor } from './escape.ts';
import { piecesOf } from './template-text.ts';

const LINK_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'sms']);
const PICTURE_SCHEMES = new Set(['http', 'https']);

/** Browsers pass over line breaks and tabs in an address, so they are gone before it is read. */
export const trimAddress = (address: string): string =>
  cleanText(address)
    .replace(/[\t\n\u200b\ufeff]/g, '')
    .trim();

/** Whether mail may link to it: it has a known scheme, is a place in this document, or begins with a variable. */
export const isLink = (address: string): boolean => hasScheme(address, LINK_SCHEMES, true);
export const isPictureAddress = (address: string): boolean => hasScheme(address, PICTURE_SCHEMES, false);

function hasScheme(address: string, schemes: ReadonlySet<string>, orPlace: boolean): boolean {
  const [first] = piecesOf(address);
  if (first === undefined) return false;
  if (typeof first !== 'string') return true;
  const start = first.replace(/\s/g, '');
  if (start.startsWith('#')) return orPlace && start.length > 1;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(start)?.[1]?.toLowerCase();
  return scheme !== undefined && schemes.has(scheme);
}

/** The address that a person meant who left out the scheme: `example.com`, `me@example.com`. */
export function completeAddress(typed: string): string {
  const address = trimAddress(typed);
  if (address === '' || isLink(address)) return address;
  if (/^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(address)) return `mailto:${address}`;
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(address)) return address;
  return /^[^\s/:?#]+\.[^\s]+$/.test(address) ? `https://${address}` : address;
}

/**
 * The address as the value of an attribute. A value of the reader's is encoded where it is a part of a query, so that
 * a `+` or `&` in it stays what it is.
 */
export function addressFor(address: string): string {
  let before = '';
  return piecesOf(trimAddress(address))
    .map((piece) => {
      if (typeof piece === 'string') {
        before += piece;
        return escapeFor('attribute', piece.replace(/\s/g, encodeURIComponent));
      }
      const encoded = /^https?:[^#]*\?/i.test(before);
      before += ' ';
      return variableFor('attribute', piece, { encoded });
    })
    .join('');
}
