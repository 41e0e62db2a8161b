/**
 * Bodies as 7-bit lines of at most 76 characters (RFC 2045 §6), so that no relay on the way has a reason to change a
 * byte: what DKIM signed is what arrives.
 */
import { encode as toBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { bytesWithLineBreaks, QuotedLines, textBytes } from './quoted-lines.ts';

export interface EncodedBody {
  encoding: 'quoted-printable' | 'base64';
  /** Whole lines, the last one ended too. */
  chunks: Buffer[];
}

const lineChars = 76;
/** A multiple of 57, the bytes of one base64 line: encoded a piece at a time, a 25 MB file never exists as a string. */
const chunkBytes = 57 * 4096;

/** Text for people. Line breaks of any kind become CRLF, as text parts require. */
export const encodeTextBody = (text: string): EncodedBody => encodeTextBytes(Buffer.from(text));

/** The same of text that is in bytes already, in a charset that has ASCII in it. */
export function encodeTextBytes(bytes: Buffer): EncodedBody {
  if (textEncoding([bytes]) === 'base64') return encodeFileBody(bytesWithLineBreaks(bytes));
  return { encoding: 'quoted-printable', chunks: quotedPrintable(bytes) };
}

/** 1: takes three characters in quoted-printable. White space does so at the end of a line only. */
const isCostly = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 0x7e || byte === 0x3d || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) ? 1 : 0,
);

/** Quoted-printable stays readable and searchable, but takes three characters for a byte where base64 takes 1.33. */
export function textEncoding(parts: readonly Buffer[]): EncodedBody['encoding'] {
  let costly = 0;
  let length = 0;
  for (const bytes of parts) {
    length += bytes.length;
    // Not `for of`: an iterator takes five times as long, and this looks at every byte of every text.
    for (let at = 0; at < bytes.length; at += 1) costly += isCostly[bytes[at] ?? 0] ?? 0;
  }
  return costly * 3 > length ? 'base64' : 'quoted-printable';
}

/** Text in base64, whatever it is. */
export const encodeTextBase64 = (text: string): Buffer[] => encodeFileBody(textBytes(text)).chunks;

function quotedPrintable(bytes: Buffer): Buffer[] {
  const lines = new QuotedLines(bytes.length);
  lines.add(bytes);
  // White space at the end of the last line would be taken off on the way.
  if (isBlank(bytes.at(-1))) lines.breakLine();
  return [...lines.take(), Buffer.from('\r\n')];
}

const isBlank = (byte: number | undefined): boolean => byte === 0x09 || byte === 0x20;

/** Bytes that must come back as they are. */
export function encodeFileBody(bytes: Buffer): EncodedBody {
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    const lines = wrapBase64(toBase64(bytes.subarray(from, from + chunkBytes)), lineChars);
    chunks.push(Buffer.from(`${lines}\r\n`, 'latin1'));
  }
  return { encoding: 'base64', chunks };
}
