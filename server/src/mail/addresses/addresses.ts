/**
 * One mailbox, read strictly: `local@domain`, `Name <local@domain>` or `"Quoted, name" <local@domain>`.
 *
 * Far less than RFC 5322 allows, on purpose. Quoted local parts, comments, groups, source routes, address literals and
 * encoded words are what address-splitting attacks are made of, and no living mailbox needs them. Accepted addresses
 * read the same to every other parser: the address is printable ASCII without any special character.
 * Limits: RFC 5321 §4.5.3.1 (local part 64, path 256 with its angle brackets, hence 254).
 */
import { toAsciiDomain } from './ascii-domain.ts';

export interface Mailbox {
  /** Display name, decoded and unquoted; null when there is none. */
  name: string | null;
  /** Local part as typed, `@`, domain in lower-case ASCII: what goes into headers and envelopes. */
  address: string;
  local: string;
  domain: string;
  /** `address` in lower case: what addresses are compared and stored by. */
  identity: string;
}

/** Why a text is no mailbox we accept. `reason` is a sentence for the person who typed it. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

const addressCharsMax = 254;
const localCharsMax = 64;
/** More than any name needs, and small enough that a hostile text costs nothing. */
const nameCharsMax = 1000;
const textCharsMax = addressCharsMax + nameCharsMax + 100;

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`);
const encodedWord = /=\?[^?]*\?[bq]\?/i;
/** C0, DEL, C1, line and paragraph separator, byte-order mark, and the characters that reorder text. */
const forbidden = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\u202a-\u202e\u2066-\u2069]/;

/** Reads exactly one mailbox, or throws AddressError. */
export function parseMailbox(text: string): Mailbox {
  if (text.length > textCharsMax) throw new AddressError('The address is too long.');
  const trimmed = text.replace(/^ +/, '').replace(/ +$/, '');
  if (trimmed === '') throw new AddressError('The address is empty.');
  if (forbidden.test(trimmed)) {
    throw new AddressError('The address has a control character, a line break or a text-direction override in it.');
  }
  if (!trimmed.isWellFormed()) throw new AddressError('The address is not valid Unicode.');
  if (!trimmed.endsWith('>')) return { name: null, ...parseAddress(trimmed) };

  const open = trimmed.lastIndexOf('<');
  if (open === -1) throw new AddressError('The address has a “>” without a “<”.');
  const address = parseAddress(trimmed.slice(open + 1, -1));
  return { name: parseName(trimmed.slice(0, open).replace(/ +$/, ''), address.domain), ...address };
}

/** The form addresses are compared by: `local@domain` alone, lower-cased, domain in ASCII. */
export function identityOf(address: string): string {
  return parseAddress(address).identity;
}

function parseAddress(text: string): Omit<Mailbox, 'name'> {
  const at = text.indexOf('@');
  if (at === -1) throw new AddressError('The address has no @.');
  const local = text.slice(0, at);
  const rest = text.slice(at + 1);
  if (rest.includes('@')) throw new AddressError('More than one address, or a second @: give exactly one mailbox.');
  if (local === '') throw new AddressError('The part before the @ is missing.');
  if (local.startsWith('"')) throw new AddressError('A quoted part before the @ is not accepted.');
  if (/[^\x00-\x7f]/.test(local)) {
    throw new AddressError('The part before the @ must be plain ASCII: mailboxes in other scripts cannot be reached.');
  }
  if (local.length > localCharsMax) {
    throw new AddressError(`The part before the @ is longer than ${localCharsMax} characters.`);
  }
  if (!dotAtom.test(local)) {
    throw new AddressError('The part before the @ has a character or a dot where none is allowed.');
  }
  if (encodedWord.test(local)) throw new AddressError('An encoded word is not accepted inside an address.');
  const result = toAsciiDomain(rest);
  if ('reason' in result) throw new AddressError(result.reason);
  const address = `${local}@${result.domain}`;
  if (address.length > addressCharsMax) {
    throw new AddressError(`The address is longer than ${addressCharsMax} characters.`);
  }
  return { address, local, domain: result.domain, identity: address.toLowerCase() };
}

function parseName(text: string, domain: string): string | null {
  if (text === '') return null;
  const name = text.startsWith('"') ? unquote(text) : text;
  if (name === text && /["<>()[\]:;,\\@]/.test(name)) {
    throw new AddressError(
      'The name has one of " < > ( ) [ ] : ; , \\ @ in it: put it into double quotes, for one mailbox.',
    );
  }
  if (/^[\s\p{Cf}]|[\s\u200b]$/u.test(name)) throw new AddressError('The name begins or ends with a space.');
  if (name.length > nameCharsMax) throw new AddressError(`The name is longer than ${nameCharsMax} characters.`);
  refuseForeignAddress(name, domain);
  return name === '' ? null : name;
}

function unquote(text: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1];
  if (quoted === undefined) {
    throw new AddressError(
      'The quoted name does not end where it should, or has a backslash before another character.',
    );
  }
  return quoted.replace(/\\(.)/g, '$1');
}

/**
 * A name that shows another domain's address is how a reader is led to trust the wrong sender. `name` is decoded.
 * Throws AddressError.
 */
export function refuseForeignAddress(name: string, domain: string): void {
  // Other widths of @ and dot look the same in a mail client, and invisible characters like nothing.
  const seen = name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replaceAll('\u3002', '.');
  for (const part of seen.split('@').slice(1)) {
    const shown = (/^[\p{L}\p{N}\p{M}._-]+/u.exec(part)?.[0] ?? '').replace(/[._-]+$/, '');
    if (!shown.includes('.')) continue;
    const result = toAsciiDomain(shown);
    if (!('domain' in result) || result.domain !== domain) {
      throw new AddressError('The name shows an address of another domain.');
    }
  }
}
