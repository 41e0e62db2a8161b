/**
 * Bodies as 7-bit lines of at most 76 characters (RFC 2045 §6), so that no relay on the way has a reason to change a
 * byte: what DKIM signed is what arrives.
 */
import { encode as toBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { QuotedLines } from './quoted-lines.ts';

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
  if (textEncoding(text) === 'base64') return encodeFileBody(textBytes(text));
  return { encoding: 'quoted-printable', chunks: quotedPrintable(text) };
}

/** Quoted-printable stays readable and searchable, but takes three characters for a byte where base64 takes 1.33. */
export function textEncoding(text: string): EncodedBody['encoding'] {
  const bytes = Buffer.from(text);
  let others = 0;
  for (const byte of bytes) if (byte > 0x7e || byte === 0x3d || (byte < 0x20 && !isBlank(byte))) others += 1;
  return others * 3 > bytes.length ? 'base64' : 'quoted-printable';
}

/** Tab and line breaks. */
const isBlank = (byte: number): boolean => byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** Text in base64, whatever it is. */
export const encodeTextBase64 = (text: string): Buffer[] => encodeFileBody(textBytes(text)).chunks;

const textBytes = (text: string): Buffer => Buffer.from(text.replace(/\r\n|\r|\n/g, '\r\n'));

function quotedPrintable(text: string): Buffer[] {
  const lines = new QuotedLines();
  lines.add(text);
  // White space at the end of the last line would be taken off on the way.
  if (/[\t ]$/.test(text)) lines.breakLine();
  return [...lines.take(), Buffer.from('\r\n')];
}

/** Bytes that must come back as they are. */
export function encodeFileBody(bytes: Buffer): EncodedBody {
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    const lines = wrapBase64(toBase64(bytes.subarray(from, from + chunkBytes)), lineChars);
    chunks.push(Buffer.from(`${lines}\r\n`, 'latin1'));
  }
  return { encoding: 'base64', chunks };
}
