/** The PROXY protocol (HAProxy, versions 1 and 2): a proxy says in front of a connection whose connection it is. */
import { isIPv4, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../clock.ts';

export type ProxyHeader =
  /** More bytes are needed to say. */
  | { kind: 'incomplete' }
  /** The connection begins with something else. */
  | { kind: 'none' }
  | { kind: 'malformed' }
  /** `address` null: the proxy speaks for itself, or does not know. */
  | { kind: 'header'; length: number; address: string | null };

const V1_START = Buffer.from('PROXY ');
const V1_BYTES_MAX = 107;
const V2_START = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const V2_FIXED_BYTES = 16;
/** Addresses and the additions that proxies make take some hundred bytes. */
const V2_REST_MAX = 2_048;

/** Reads the header at the beginning of a connection from the bytes that have come. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsLike(bytes, V1_START)) return bytes.length < V1_START.length ? { kind: 'incomplete' } : parseV1(bytes);
  if (startsLike(bytes, V2_START)) return bytes.length < V2_FIXED_BYTES ? { kind: 'incomplete' } : parseV2(bytes);
  return { kind: 'none' };
}

const startsLike = (bytes: Buffer, start: Buffer): boolean => {
  const length = Math.min(bytes.length, start.length);
  return bytes.subarray(0, length).equals(start.subarray(0, length));
};

function parseV1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, V1_BYTES_MAX).indexOf('\r\n');
  if (end === -1) return bytes.length < V1_BYTES_MAX ? { kind: 'incomplete' } : { kind: 'malformed' };
  const length = end + 2;
  const [, family, source = ''] = bytes.toString('latin1', 0, end).split(' ');
  if (family === 'UNKNOWN') return { kind: 'header', length, address: null };
  const isAddress = family === 'TCP4' ? isIPv4(source) : family === 'TCP6' && isIPv6(source);
  return isAddress ? { kind: 'header', length, address: source } : { kind: 'malformed' };
}

function parseV2(bytes: Buffer): ProxyHeader {
  const rest = bytes.readUInt16BE(14);
  if (rest > V2_REST_MAX) return { kind: 'malformed' };
  const length = V2_FIXED_BYTES + rest;
  if (bytes.length < length) return { kind: 'incomplete' };
  const [command, family] = [bytes[12], bytes[13]];
  if (command === 0x20) return { kind: 'header', length, address: null };
  if (command !== 0x21) return { kind: 'malformed' };
  const source = bytes.subarray(V2_FIXED_BYTES, length);
  if (family === 0x11 && rest >= 12) return { kind: 'header', length, address: addressOf(source, 4) };
  if (family === 0x21 && rest >= 36) return { kind: 'header', length, address: addressOf(source, 16) };
  // Unspecified, UDP or a UNIX socket: the bytes are passed over, as the protocol says.
  return { kind: 'header', length, address: null };
}

const addressOf = (bytes: Buffer, length: 4 | 16): string =>
  ipaddr.fromByteArray([...bytes.subarray(0, length)]).toString();

/**
 * Takes the header off a connection that a trusted proxy made, and leaves what follows. A connection without one is
 * passed on as it is: when something else comes, or nothing for so long. Rejects when the connection ends.
 */
export function takeProxyHeader(
  socket: Socket,
  { clock, waitMs }: { clock: Clock; waitMs: number },
): Promise<Exclude<ProxyHeader, { kind: 'incomplete' }>> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0);
    const settle = (act: () => void): void => {
      timer.cancel();
      socket.off('readable', read).off('error', fail).off('close', fail).off('end', fail);
      act();
    };
    const give = (header: Exclude<ProxyHeader, { kind: 'incomplete' }>): void =>
      settle(() => {
        const rest = header.kind === 'header' ? held.subarray(header.length) : held;
        if (rest.length > 0) socket.unshift(rest);
        resolve(header);
      });
    const fail = (): void => settle(() => reject(new Error('the connection ended before it began')));
    const read = (): void => {
      // A socket without an encoding gives bytes.
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
        held = Buffer.concat([held, chunk]);
      }
      const header = parseProxyHeader(held);
      if (header.kind !== 'incomplete' && held.length > 0) give(header);
    };
    // A header that has begun and does not end is none of a proxy.
    const timer = clock.timer(waitMs, () => give({ kind: held.length === 0 ? 'none' : 'malformed' }));
    socket.on('readable', read).on('error', fail).on('close', fail).on('end', fail);
    read();
  });
}
