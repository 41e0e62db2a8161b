import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { refuseInTransaction } from '../db/open-transaction.ts';
import { invalid, unacceptable } from '../errors/app-error.ts';
import { createAddressRules } from './address-rules.ts';
import type { ConnectionPools } from './connection-pools.ts';
import { startDeadline } from './deadline.ts';
import type { Exchange } from './exchange.ts';
import { Aborted, NotJudged, reasonOf, type Stage, TimeIsUp } from './failure-reasons.ts';
import { createTargetJudge, NOT_PUBLIC, refuseDoor } from './judge-target.ts';
import { type Refusal, readUrl, type Target } from './read-url.ts';
import { createLookup, type Lookup } from './resolve-name.ts';

/** One request to an address that somebody else chose. */
export interface SafeRequest {
  method: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For everything together: name look-up, connection, TLS, answer. */
  timeoutMs: number;
  /** The rest of a longer answer is not read. */
  bodyBytesMax: number;
  /**
   * Whose request it is. Connections are shared only among requests of one: those of another that swallows its requests
   * are not waited for, although they go to the same host.
   */
  onBehalfOf?: string;
  signal?: AbortSignal;
}

/** The result. It never rejects: everything that can happen to a request is one of these. */
export type SafeAnswer =
  /** Whatever the status: redirects are answers too, and are never followed. */
  | {
      kind: 'answered';
      status: number;
      statusText: string;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      body: Buffer;
      truncated: boolean;
      tookMs: number;
    }
  /** Not sent: the address is not one that we may reach. `reason` may be shown to anyone. */
  | { kind: 'blocked'; reason: string; tookMs: number }
  /** Sent or not, no answer came: time is up, no connection, bad TLS, a broken answer, aborted. */
  | { kind: 'failed'; reason: string; tookMs: number };

/**
 * The only way to a URL that a customer can influence (webhooks, certificates, logos). A name is resolved once, every
 * address it has is judged, and the connection goes to a judged address; redirects are not followed. Both calls throw
 * inside a transaction.
 */
export interface SafeFetch {
  /**
   * Judges a URL before it is stored: throws validation_error (422, `param`) for one that could never be reached. A
   * name that cannot be resolved now may be resolved later, and passes. Returns the URL in its canonical form.
   */
  checkUrl(url: string, param: string): Promise<string>;
  request(url: string, request: SafeRequest): Promise<SafeAnswer>;
  close(): Promise<void>;
}

export interface SafeFetchOptions {
  /** CIDRs that may be reached although they are not public, over http and on any port. */
  allow: readonly string[];
  /**
   * Development on one machine (nothing leaves it, nobody else reaches it, no `allow`): the addresses 127.0.0.1 and
   * localhost may be reached, written exactly so, with a port from 1024 that is neither
   * one of `ownPorts` nor the usual one of a database or a queue.
   */
  development: { ownPorts: readonly number[] } | null;
  /** All addresses of a name; the machine's name servers when left out. */
  lookup?: Lookup;
  /** PEM of the authorities to believe in place of the usual ones. */
  ca?: string;
  clock: Clock;
}

/** Throws when the text is no URL that could be called, whatever its name leads to: 400 or 422 naming `param`. */
export function requireUrl(text: string, param: string): Target {
  const target = readUrl(text);
  if (!('advice' in target)) return target;
  throw target.isMalformed === true ? invalid(param, target.advice) : unacceptable(param, target.advice);
}

/** A URL is checked while somebody waits for an answer. */
const checkMsMax = 1_500;

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { clock } = options;
  const judgeTarget = createTargetJudge({
    addresses: createAddressRules(options.allow),
    ownPorts: options.development?.ownPorts ?? null,
    lookup: options.lookup ?? createLookup(),
    clock,
  });
  // Its client takes megabytes, which a process that calls nobody does not spend.
  let pools: Promise<ConnectionPools> | undefined;
  let closed = false;
  const openPools = (): Promise<ConnectionPools> => {
    pools ??= import('./connection-pools.ts').then(
      (module) => new module.ConnectionPools({ ca: options.ca, nowMs: () => clock.monotonicMs() }),
    );
    return pools;
  };
  return {
    async checkUrl(url, param) {
      refuseInTransaction('a name is looked up');
      const target = requireUrl(url, param);
      const refusal = await judgeInTime(clock, target, judgeTarget);
      if (refusal !== undefined) throw unacceptable(param, refusal.advice);
      return target.href;
    },
    async request(url, request) {
      refuseInTransaction('another server is called');
      const opened = await openPools();
      const startedMs = clock.monotonicMs();
      const tookMs = (): number => Math.round(clock.monotonicMs() - startedMs);
      const answer = await call(url, request, { clock, pools: opened, judgeTarget, tookMs, isClosed: () => closed });
      return { ...answer, tookMs: tookMs() };
    },
    async close() {
      closed = true;
      await (await pools)?.close();
    },
  };
}

type JudgeTarget = ReturnType<typeof createTargetJudge>;

/** A name that has no address yet, or whose servers are slow, is judged when it is called. */
async function judgeInTime(clock: Clock, target: Target, judgeTarget: JudgeTarget): Promise<Refusal | undefined> {
  const deadline = startDeadline(clock, { timeoutMs: checkMsMax });
  try {
    const judged = await deadline.race(judgeTarget(target));
    return 'advice' in judged ? judged : undefined;
  } catch (error) {
    if (error instanceof TimeIsUp) return refuseDoor(target);
    throw error;
  } finally {
    deadline.stop();
  }
}

interface CallPorts {
  clock: Clock;
  pools: ConnectionPools;
  judgeTarget: JudgeTarget;
  /** Milliseconds since the call began. */
  tookMs(): number;
  isClosed(): boolean;
}

type Untimed<Outcome> = Outcome extends unknown ? Omit<Outcome, 'tookMs'> : never;

async function call(
  url: string,
  request: SafeRequest,
  { clock, pools, judgeTarget, tookMs, isClosed }: CallPorts,
): Promise<Untimed<SafeAnswer>> {
  const target = readUrl(url);
  if ('advice' in target) return { kind: 'blocked', reason: target.reason };
  const deadline = startDeadline(clock, request);
  let running: Omit<Exchange, 'over'> | undefined;
  try {
    const judged = await deadline.race(judgeTarget(target));
    if ('reason' in judged) return { kind: 'blocked', reason: judged.reason };
    if ('unresolved' in judged) return { kind: 'failed', reason: 'name could not be resolved' };
    if (isClosed()) throw new Aborted();
    // A process that stood still hears of its timers too late: nothing is sent that nobody may wait for any more.
    const isTimeUp = (): boolean => tookMs() >= request.timeoutMs;
    if (isTimeUp()) throw new TimeIsUp();
    const channel = pools.channel(target, judged.addresses, request.onBehalfOf);
    running = channel.exchange(dispatchOptions(target, request), {
      bodyBytesMax: request.bodyBytesMax,
      isTimeUp,
    });
    return { kind: 'answered', ...(await deadline.race(running.answer)) };
  } catch (error) {
    if (error instanceof NotJudged) return { kind: 'blocked', reason: NOT_PUBLIC.reason };
    const stage: Stage = running?.stage() ?? 'looking up the name';
    if (error instanceof Error) running?.abort(error);
    return { kind: 'failed', reason: reasonOf(error, stage, request.timeoutMs) };
  } finally {
    deadline.stop();
  }
}

function dispatchOptions(target: Target, request: SafeRequest): Dispatcher.DispatchOptions {
  return {
    origin: target.origin,
    path: target.path,
    method: request.method,
    headers: { accept: '*/*', ...request.headers, 'accept-encoding': 'identity' },
    body: request.body ?? null,
  };
}
