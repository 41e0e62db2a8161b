/**
 * DKIM signatures (RFC 6376 with RFC 8301): rsa-sha256 over 2048 bits, relaxed/relaxed, no `l=`.
 *
 * The body hash is computed once per content; per message only the header fields are signed, on the thread pool.
 * Fields are over-signed: named once more than they occur, so that a second From or Subject added on the way breaks the
 * signature instead of being shown to the reader.
 */
import { createHash, createPrivateKey, generateKeyPair, hash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

export interface DkimKey {
  domain: string;
  selector: string;
  privateKey: KeyObject;
}

/** One header field as it is signed: lower-case name, `name:value` in relaxed form, no line break. */
export interface SignableField {
  name: string;
  canonical: string;
}

/** Over-signed whether or not they occur: no honest relay adds one of these. */
// biome-ignore format: a list of words
const alwaysNames = [
  'from', 'to', 'cc', 'subject', 'date', 'message-id', 'reply-to', 'mime-version', 'content-type',
  'content-transfer-encoding', 'in-reply-to', 'references',
];
/** Over-signed only where they occur: mailing lists may add their own, and their mail should still verify. */
const presentNames = ['list-unsubscribe', 'list-unsubscribe-post', 'list-id', 'feedback-id'];

const modulusBits = 2048;
const nameLineChars = 70;
const hashBytesAtOnce = 64 * 1024;

/** A new key: the private half as PKCS#8 DER, the public half as it stands in DNS after `p=`. */
export async function createDkimKeyPair(): Promise<{ privateKey: Buffer; publicKey: string }> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: modulusBits,
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  return { privateKey, publicKey: publicKey.toString('base64') };
}

/** Parses a stored private key. Keep the result: parsing for every message costs as much as signing. */
export function loadDkimKey(domain: string, selector: string, privateKey: Buffer): DkimKey {
  return { domain, selector, privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }) };
}

/** A signature of another domain would verify and still fail DMARC. */
export function refuseForeignKey(key: DkimKey, fromDomain: string): void {
  if (key.domain === fromDomain || fromDomain.endsWith(`.${key.domain}`)) return;
  throw new Error(`The DKIM key of ${key.domain} cannot sign mail from ${fromDomain}`);
}

/** The `bh=` of a body in relaxed form (RFC 6376 §3.4.4), base64. */
export function dkimBodyHash(body: Buffer): string {
  const sum = createHash('sha256');
  let end = body.length;
  while (end > 0 && isBlank(body[end - 1])) end--;
  for (let from = 0; from < end; ) {
    const lineEnd = body.indexOf(0x0a, from + hashBytesAtOnce);
    const to = lineEnd === -1 || lineEnd >= end ? end : lineEnd + 1;
    sum.update(relaxedLines(body.subarray(from, to)));
    from = to;
  }
  if (end > 0) sum.update('\r\n');
  return sum.digest('base64');
}

/** The same of lines that `relaxedLines` made, or would leave as they are. */
export function relaxedBodyHash(body: Buffer): string {
  let end = body.length;
  while (end > 0 && isBlank(body[end - 1])) end--;
  if (end === 0) return hash('sha256', Buffer.alloc(0), 'base64');
  // With the first line break behind the last text; a space of white space before it is gone.
  const isWhole = body[end] === 0x0d && body[end + 1] === 0x0a;
  return hash(
    'sha256',
    isWhole ? body.subarray(0, end + 2) : Buffer.from(`${body.toString('latin1', 0, end)}\r\n`, 'latin1'),
    'base64',
  );
}

/**
 * Whole lines, or parts of lines, in relaxed form (RFC 6376 §3.4.4); the same Buffer when they are in it already, as
 * most of our own are.
 */
export function relaxedLines(lines: Buffer): Buffer {
  if (!lines.includes(0x09) && !lines.includes('  ') && !lines.includes(' \r\n')) return lines;
  // The first pattern leaves one space at most, so the second cannot take time by the square of a run.
  const relaxed = lines
    .toString('latin1')
    .replace(/[ \t]+/g, ' ')
    .replaceAll(' \r\n', '\r\n');
  return Buffer.from(relaxed, 'latin1');
}

export function signableField(name: string, value: string): SignableField {
  const lower = name.toLowerCase();
  return { name: lower, canonical: `${lower}:${value.replace(/[ \t\r\n]+/g, ' ').trim()}` };
}

/** The DKIM-Signature field, with its line break, for a message with these fields. */
export async function dkimSignature(
  fields: readonly SignableField[],
  bodyHash: string,
  at: Date,
  key: DkimKey,
): Promise<string> {
  const signed = fieldsToSign(fields);
  const value =
    `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${key.domain};\r\n s=${key.selector}; t=${Math.floor(at.getTime() / 1000)};` +
    `\r\n bh=${bodyHash};\r\n h=${foldNames(signed.map(({ name }) => name))};\r\n b=`;
  const lines = signed.filter(({ canonical }) => canonical !== '').map(({ canonical }) => `${canonical}\r\n`);
  const input = lines.join('') + signableField('DKIM-Signature', value).canonical;
  const signature = await signOnPool(Buffer.from(input, 'latin1'), key.privateKey);
  return `DKIM-Signature: ${value}${foldSignature(signature.toString('base64'))}\r\n`;
}

/**
 * Not `promisify`: Node keeps the callback in the old generation (decision 0189), and that of `promisify` holds what
 * was signed.
 */
const signOnPool = (input: Buffer, key: KeyObject): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    sign('sha256', input, key, (error, signature) => (error === null ? resolve(signature) : reject(error)));
  });

/** The fields in the order of `h=`; an absent one has no canonical form and adds nothing (RFC 6376 §5.4). */
function fieldsToSign(fields: readonly SignableField[]): SignableField[] {
  const signed: SignableField[] = [];
  for (const name of [...alwaysNames, ...presentNames]) {
    // From the bottom up, as a verifier takes them.
    const present = fields.filter((field) => field.name === name).reverse();
    signed.push(...present);
    if (present.length > 0 || alwaysNames.includes(name)) signed.push({ name, canonical: '' });
  }
  return signed;
}

function foldNames(names: string[]): string {
  let folded = '';
  let column = 0;
  for (const name of names) {
    if (column + name.length > nameLineChars) {
      folded += '\r\n  ';
      column = 0;
    }
    folded += `${name}:`;
    column += name.length + 1;
  }
  return folded.slice(0, -1);
}

function foldSignature(base64: string): string {
  return (base64.match(/.{1,72}/g) ?? []).join('\r\n ');
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x0d || byte === 0x0a || byte === 0x20 || byte === 0x09;
}
