/**
 * Kept connections. A pool belongs to whoever asks, to an origin and to the set of addresses that were judged for it,
 * so a socket is only used again for a name that still leads to where the socket goes, and nobody waits for a socket
 * because of somebody else.
 */
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, Pool } from 'undici';
import { canonicalAddress } from './address-rules.ts';
import { Channel } from './channel.ts';
import { Aborted, NotJudged } from './failure-reasons.ts';
import type { Target } from './read-url.ts';

/** Idle sockets are closed after this time; servers rarely close theirs earlier. */
const idleMsMax = 4_000;
/** The overall deadline is usually earlier; this frees sockets of requests that have given up. */
const connectMsMax = 10_000;
/** When a name has several addresses, how long one is waited for before the next is tried. */
const addressMsMax = 1_000;
const socketsPerPoolMax = 64;
const headerBytesMax = 16_384;
const poolsMax = 1_000;

interface Kept {
  channel: Channel;
  lastUsedMs: number;
}

export class ConnectionPools {
  readonly #pools = new Map<string, Kept>();
  readonly #ca: string | undefined;
  readonly #nowMs: () => number;
  #closed = false;

  constructor(options: { ca: string | undefined; nowMs: () => number }) {
    this.#ca = options.ca;
    this.#nowMs = options.nowMs;
  }

  /** The way to `target` over `addresses`, which have been judged; one for each of those who ask. */
  channel(target: Target, addresses: readonly string[], onBehalfOf = ''): Channel {
    if (this.#closed) throw new Aborted();
    const key = `${onBehalfOf} ${target.origin} ${[...addresses].sort().join(' ')}`;
    const kept = this.#pools.get(key) ?? { channel: this.#open(target, addresses), lastUsedMs: 0 };
    kept.lastUsedMs = this.#nowMs();
    // Last in the map is used last, so the first ones are those to close.
    this.#pools.delete(key);
    this.#pools.set(key, kept);
    this.#closeUnused();
    return kept.channel;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const kept = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(kept.map(({ channel }) => channel.destroy()));
  }

  #closeUnused(): void {
    const unusedSinceMs = this.#nowMs() - 2 * idleMsMax;
    for (const [key, { channel, lastUsedMs }] of this.#pools) {
      if (lastUsedMs > unusedSinceMs && this.#pools.size <= poolsMax) return;
      if (channel.isInUse) continue;
      this.#pools.delete(key);
      void channel.close();
    }
  }

  #open({ origin }: Target, addresses: readonly string[]): Channel {
    const pool = new Pool(origin, {
      connect: judgedConnector(addresses, this.#ca),
      connections: socketsPerPoolMax,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: idleMsMax,
      keepAliveMaxTimeout: idleMsMax,
      maxHeaderSize: headerBytesMax,
      // The deadline of a request is over everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return new Channel(pool, socketsPerPoolMax);
  }
}

/** Connects to `addresses` and nowhere else, under the name of the URL (SNI, Host, the certificate's name). */
function judgedConnector(addresses: readonly string[], ca: string | undefined): buildConnector.connector {
  const judged = new Set(addresses.map(canonicalAddress));
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, options, callback) => {
    const [first] = all;
    if (options.all === true || first === undefined) callback(null, all);
    else callback(null, first.address, first.family);
  };
  const connect = buildConnector({
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressMsMax,
    timeout: connectMsMax,
    allowH2: false,
    // A resumed session would not show its certificate again.
    maxCachedSessions: 0,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    // A literal address is never looked up.
    if (isIP(options.hostname) !== 0 && !judged.has(canonicalAddress(options.hostname))) {
      callback(new NotJudged('the address was not judged'), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      if (socket.remoteAddress === undefined) {
        return callback(Object.assign(new Error('closed as soon as it was open'), { code: 'ECONNRESET' }), null);
      }
      if (judged.has(canonicalAddress(socket.remoteAddress))) return callback(null, socket);
      socket.destroy();
      callback(new NotJudged('the connection leads elsewhere'), null);
    });
  };
}
