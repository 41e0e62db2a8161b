import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { DNSResolver } from 'mailauth';

/** The checks of the sender of a message. */
export interface MailAuth {
  spf: string;
  dkim: string;
  dmarc: string;
  arc: string;
}

export interface AuthenticateOptions {
  clientIp: string;
  clientName: string | null;
  /** '' is the null sender. */
  envelopeFrom: string;
  /** The name of this server. */
  host: string;
  resolve: DNSResolver;
  /** Ends the reading of the body. */
  signal: AbortSignal;
}

export const UNKNOWN_AUTH: MailAuth = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'temperror' };

const UNREADABLE: MailAuth = { spf: 'permerror', dkim: 'permerror', dmarc: 'permerror', arc: 'permerror' };

/**
 * A larger header is not checked: the checks take the square of its folded lines, 20 seconds for 64,000 of them.
 */
const HEADER_BYTES_MAX = 256 * 1_024;
const HEADER_LINES_MAX = 5_000;
/** Each signature may need a hash of the whole body and questions to other people's DNS; mail has one to four. */
const SIGNATURES_MAX = 10;
/** Read at once. The library takes 4 µs for a short line and each hash, so this stays below 100 ms for ten hashes. */
const PIECE_BYTES = 16 * 1_024;

/**
 * Checks SPF, DKIM, DMARC and ARC. A DNS that does not answer gives `temperror`, and a message that the checks cannot
 * read gives `permerror`; nothing here refuses mail.
 */
export async function authenticateMessage(raw: Buffer, options: AuthenticateOptions): Promise<MailAuth> {
  if (isTooMuch(raw)) return UNREADABLE;
  const { authenticate } = await import('mailauth');
  try {
    const { spf, dkim, dmarc, arc } = await authenticate(Readable.from(piecesOf(raw, options.signal)), {
      ip: options.clientIp.replace(/^::ffff:(?=\d+\.)/i, ''),
      helo: options.clientName ?? '',
      sender: options.envelopeFrom,
      mta: options.host,
      resolver: options.resolve,
      disableBimi: true,
    });
    return {
      spf: (spf && spf.status.result) || 'none',
      dkim: bestOf(dkim?.results.map(({ status }) => status.result) ?? []),
      dmarc: (dmarc && dmarc.status.result) || 'none',
      arc: (arc && arc.status.result) || 'none',
    };
  } catch {
    return UNREADABLE;
  }
}

/** Others have their turn between two pieces: the library reads a whole message without letting go of the process. */
async function* piecesOf(raw: Buffer, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = 0; at < raw.length; at += PIECE_BYTES) {
    signal.throwIfAborted();
    yield raw.subarray(at, at + PIECE_BYTES);
    await setImmediate();
  }
}

function isTooMuch(raw: Buffer): boolean {
  const ends = ['\r\n\r\n', '\n\n'].map((end) => raw.indexOf(end)).filter((at) => at !== -1);
  const header = raw.subarray(0, Math.min(raw.length, ...ends));
  if (header.length > HEADER_BYTES_MAX) return true;
  const text = header.toString('latin1');
  if (text.split('\n', HEADER_LINES_MAX + 1).length > HEADER_LINES_MAX) return true;
  return [...text.matchAll(/^dkim-signature[ \t]*:/gim)].length > SIGNATURES_MAX;
}

const ORDER = ['pass', 'temperror', 'fail', 'permerror', 'policy', 'neutral', 'none'];

/** One good signature is enough (RFC 6376 §6.1); one that could not be checked may have been good. */
const bestOf = (results: readonly string[]): string =>
  ORDER.find((result) => results.includes(result)) ?? results[0] ?? 'none';
