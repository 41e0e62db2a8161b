/**
 * One question to one DNS server, over UDP, and over TCP when the answer does not fit (RFC 1035, 7766, 6891).
 *
 * node:dns keeps from its callers what a check of records must know: the TTL of a text, whether a server is the
 * authority, where a zone is delegated to, and which of several servers gave the answer. So the wire format is read by
 * dns-packet, and this file moves the bytes. An answer must come from the address that was asked, with the id and the
 * question that were sent; everything else is not for us.
 */
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { randomInt } from 'node:crypto';
import { type Answer, type DecodedPacket, decode, encode, RECURSION_DESIRED, type RecordType } from 'dns-packet';
import type { Clock } from '../clock.ts';
import type { ServerAddress } from './server-address.ts';

/** The reason why a server has given no answer that can be used. */
export type DnsFailure = 'timeout' | 'unreachable' | 'malformed';

export class DnsError extends Error {
  readonly failure: DnsFailure;
  constructor(failure: DnsFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

export interface Question {
  name: string;
  type: RecordType;
  /** False asks an authoritative server for its own data only. */
  recursive: boolean;
}

export interface Reply {
  rcode: string;
  isAuthoritative: boolean;
  answers: Answer[];
  authorities: Answer[];
  additionals: Answer[];
}

export interface ExchangeOptions {
  clock: Clock;
  /** Of each try over UDP, and of the whole conversation over TCP. */
  timeoutMs: number;
  tries: number;
}

/** Most networks carry so much in one piece (DNS flag day 2020). */
const UDP_BYTES_MAX = 1_232;
const TCP_BYTES_MAX = 65_535;

/** Conversations at once: callers that check a thousand domains must not use up the sockets of the process. */
const AT_ONCE_MAX = 200;
let underWay = 0;
const inLine: (() => void)[] = [];

/** Rejects with a DnsError. A server that says no (SERVFAIL, REFUSED) has replied. */
export async function exchange(server: ServerAddress, question: Question, options: ExchangeOptions): Promise<Reply> {
  if (underWay >= AT_ONCE_MAX) await new Promise<void>((resolve) => inLine.push(resolve));
  underWay += 1;
  try {
    return await converse(server, question, options);
  } finally {
    underWay -= 1;
    inLine.shift()?.();
  }
}

async function converse(server: ServerAddress, question: Question, options: ExchangeOptions): Promise<Reply> {
  for (let tried = 1; ; tried += 1) {
    try {
      const packet = await overUdp(server, question, options);
      return readReply(packet.flag_tc ? await overTcp(server, question, options) : packet);
    } catch (error) {
      const failed = error instanceof DnsError ? error : new DnsError('malformed', error);
      if (failed.failure !== 'timeout' || tried >= options.tries) throw failed;
    }
  }
}

const readReply = (packet: DecodedPacket): Reply => ({
  // The types of the library leave the name of the code out.
  rcode: String(Reflect.get(packet, 'rcode')),
  isAuthoritative: packet.flag_aa,
  answers: packet.answers ?? [],
  authorities: packet.authorities ?? [],
  additionals: packet.additionals ?? [],
});

function encodeQuestion({ name, type, recursive }: Question): { id: number; bytes: Buffer } {
  const id = randomInt(0x1_0000);
  const bytes = encode({
    type: 'query',
    id,
    flags: recursive ? RECURSION_DESIRED : 0,
    questions: [{ type, name }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: UDP_BYTES_MAX,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });
  return { id, bytes };
}

/** The packet, when it answers this question; undefined when it does not, or cannot be read. */
function answerTo(bytes: Buffer, id: number, { name, type }: Question): DecodedPacket | undefined {
  let packet: DecodedPacket;
  try {
    packet = decode(bytes);
  } catch {
    return undefined;
  }
  const asked = packet.questions?.[0];
  const isOurs = packet.id === id && packet.type === 'response' && asked?.type === type && sameName(asked.name, name);
  return isOurs ? packet : undefined;
}

/** Names are compared without regard to case, and with or without the dot at the end. */
export const sameName = (one: string, other: string): boolean => plainName(one) === plainName(other);
export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '');

function overUdp(
  server: ServerAddress,
  question: Question,
  { clock, timeoutMs }: ExchangeOptions,
): Promise<DecodedPacket> {
  const { id, bytes } = encodeQuestion(question);
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const timer = clock.timer(timeoutMs, () => reject(new DnsError('timeout')));
  socket.on('error', (error) => reject(new DnsError('unreachable', error)));
  // A connected socket gets datagrams of this server alone, and hears when nobody listens there.
  socket.on('message', (message) => {
    const packet = answerTo(message, id, question);
    if (packet !== undefined) resolve(packet);
  });
  socket.connect(server.port, server.address, () => {
    socket.send(bytes, (error) => {
      if (error !== null) reject(new DnsError('unreachable', error));
    });
  });
  return promise.finally(() => {
    timer.cancel();
    socket.close();
  });
}

function overTcp(
  server: ServerAddress,
  question: Question,
  { clock, timeoutMs }: ExchangeOptions,
): Promise<DecodedPacket> {
  const { id, bytes } = encodeQuestion(question);
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket>();
  const socket = connect({ host: server.address, port: server.port });
  const timer = clock.timer(timeoutMs, () => reject(new DnsError('timeout')));
  const parts: Buffer[] = [];
  let length = 0;
  socket.on('error', (error) => reject(new DnsError('unreachable', error)));
  socket.on('close', () => reject(new DnsError('malformed')));
  socket.on('connect', () => {
    const head = Buffer.alloc(2);
    head.writeUInt16BE(bytes.length);
    socket.write(Buffer.concat([head, bytes]));
  });
  socket.on('data', (part) => {
    parts.push(part);
    length += part.length;
    if (length < 2) return;
    const all = Buffer.concat(parts);
    const wanted = all.readUInt16BE(0) + 2;
    if (length > TCP_BYTES_MAX + 2) return reject(new DnsError('malformed'));
    if (length < wanted) return;
    const packet = answerTo(all.subarray(2, wanted), id, question);
    if (packet === undefined) reject(new DnsError('malformed'));
    else resolve(packet);
  });
  return promise.finally(() => {
    timer.cancel();
    socket.destroy();
  });
}
