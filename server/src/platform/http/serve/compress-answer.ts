import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Shorter answers fit into the first packets of a connection anyway. */
const BYTES_MIN = 4_096;
/** A longer one would keep a thread of Node's pool busy for long, and others wait for these (names, files, hashes). */
const BYTES_MAX = 1_048_576;
/** Media types of text. Pictures, fonts and archives are compressed already. */
const TEXT =
  /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:json|javascript|xml|x-ndjson|[\w.-]+\+(?:json|xml))\b)/;

/**
 * The payload of a GET with gzip, where the caller takes it and it is worth it; undefined leaves it as it is. HEAD has
 * the same headers. Streams leave as they come. Answers to a write stay plain: they repeat words of the caller beside
 * secrets, such as a new key, and the length of a compressed answer would tell about both (BREACH).
 */
export async function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<Buffer | undefined> {
  if (!READS.has(request.method) || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return undefined;
  if (payload.length < BYTES_MIN || payload.length > BYTES_MAX || reply.hasHeader('content-encoding')) return undefined;
  if (!TEXT.test(String(reply.getHeader('content-type')))) return undefined;
  varyByEncoding(reply);
  if (!takesEncoding(request.headers['accept-encoding'], 'gzip')) return undefined;
  reply.removeHeader('content-length').header('content-encoding', 'gzip');
  return compress(payload);
}

function varyByEncoding(reply: FastifyReply): void {
  const names = String(reply.getHeader('vary') ?? '');
  if (/\baccept-encoding\b/i.test(names)) return;
  reply.header('vary', names === '' ? 'Accept-Encoding' : `${names}, Accept-Encoding`);
}

/** `br;q=0` refuses it (RFC 9110 §12.5.3); finer wishes make no difference here. */
export const takesEncoding = (accepted = '', encoding: string): boolean =>
  accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.toLowerCase().split(';');
    return name.trim() === encoding && !parameters.some((one) => /^\s*q=0(\.0{0,3})?\s*$/.test(one));
  });
