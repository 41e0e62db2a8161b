/**
 * Bodies as 7-bit lines of at most 76 characters (RFC 2045 §6), so that no relay on the way has a reason to change a
 * byte: what DKIM signed is what arrives.
 */
import { encode as toBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { encode as toQuotedPrintable, wrap as wrapQuotedPrintable } from 'nodemailer/lib/qp';

export interface EncodedBody {
  encoding: 'quoted-printable' | 'base64';
  /** Whole lines, the last one ended too. */
  chunks: Buffer[];
}

const lineChars = 76;
/** A multiple of 57, the bytes of one base64 line: encoded a piece at a time, a 25 MB file never exists as a string. */
const chunkBytes = 57 * 4096;

/** Text for people. Line breaks of any kind become CRLF, as text parts require. */
export function encodeTextBody(text: string): EncodedBody {
  const bytes = textBytes(text);
  if (textEncoding(text) === 'base64') return encodeFileBody(bytes);
  return { encoding: 'quoted-printable', chunks: [quotedPrintable(bytes)] };
}

/** Quoted-printable stays readable and searchable, but takes three characters for a byte where base64 takes 1.33. */
export function textEncoding(text: string): EncodedBody['encoding'] {
  const others = Buffer.byteLength(text.replace(/[\t\n\r\x20-<>-~]+/g, ''));
  return others * 3 > Buffer.byteLength(text) ? 'base64' : 'quoted-printable';
}

/** Text in base64, whatever it is. */
export const encodeTextBase64 = (text: string): Buffer[] => encodeFileBody(textBytes(text)).chunks;

const textBytes = (text: string): Buffer => Buffer.from(text.replace(/\r\n|\r|\n/g, '\r\n'));

const quotedPrintable = (bytes: Buffer): Buffer =>
  Buffer.from(`${wrapQuotedPrintable(toQuotedPrintable(bytes), lineChars)}\r\n`, 'latin1');

/** Bytes that must come back as they are. */
export function encodeFileBody(bytes: Buffer): EncodedBody {
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    const lines = wrapBase64(toBase64(bytes.subarray(from, from + chunkBytes)), lineChars);
    chunks.push(Buffer.from(`${lines}\r\n`, 'latin1'));
  }
  return { encoding: 'base64', chunks };
}
