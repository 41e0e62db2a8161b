import type { Clock } from '#platform/clock.ts';
import { SmtpFailure } from './smtp-failure.ts';
import { type SessionOptions, SmtpSession } from './smtp-session.ts';

// Servers end idle sessions after 10 s (Amazon SES) to 5 minutes (RFC 5321 §4.5.3.2.7). Leaving first costs one
// connect after a quiet spell and saves finding a dead one.
const IDLE_MS = 8_000;
// A server that refused one more connection while others work has a limit: it is asked again after this long.
const LIMIT_HOLDS_MS = 60_000;

interface Waiter {
  resolve(session: SmtpSession): void;
  reject(failure: SmtpFailure): void;
  timer: NodeJS.Timeout;
}

/**
 * Kept-open connections. One is opened when a message waits and none is free, up to the configured number; the one
 * used last is used next, so that the ones a quieter hour does not need fall idle and are closed.
 */
export class ConnectionPool {
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #sessions = new Set<SmtpSession>();
  readonly #idle: SmtpSession[] = [];
  readonly #waiting = new Set<Waiter>();
  #connecting = 0;
  #opening = new AbortController();
  #stopped = true;
  #sweep: NodeJS.Timeout | undefined;
  #drained: (() => void) | undefined;
  #limit = Number.POSITIVE_INFINITY;
  #limitUntilMs = 0;

  constructor(options: SessionOptions & { idleMs?: number }) {
    this.#options = options;
    this.#clock = options.clock;
    this.#idleMs = options.idleMs ?? IDLE_MS;
  }

  get open(): number {
    return this.#sessions.size;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#opening = new AbortController();
    // unref: idle connections must not keep a process alive that has nothing else to do.
    this.#sweep = setInterval(() => this.#closeIdle(), this.#idleMs / 4).unref();
  }

  /** Waiting messages are refused, messages in work are waited for. */
  async stop(): Promise<void> {
    if (!this.#stopped) {
      this.#stopped = true;
      clearInterval(this.#sweep);
      this.#opening.abort();
      for (const waiter of this.#waiting) this.#refuse(waiter, stopping());
      for (const session of this.#idle.splice(0)) void this.#leave(session);
    }
    while (this.#sessions.size + this.#connecting > 0)
      await new Promise<void>((resolve) => {
        const before = this.#drained;
        this.#drained = () => {
          before?.();
          resolve();
        };
      });
  }

  /**
   * A session for one message, until `untilMs` (monotonic); rejects with SmtpFailure. Each is given back by
   * `release`.
   */
  acquire(untilMs: number): Promise<SmtpSession> {
    if (this.#stopped) return Promise.reject(stopping());
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (!session.dead) return Promise.resolve(session);
      this.#forget(session);
    }
    return new Promise((resolve, reject) => {
      const leftMs = Math.max(0, untilMs - this.#clock.monotonicMs());
      const timer = setTimeout(() => this.#refuse(waiter, busy()), leftMs);
      const waiter: Waiter = { resolve, reject, timer };
      this.#waiting.add(waiter);
      this.#grow();
    });
  }

  /** Gives a session back after a message. One that is dead or has carried its share is replaced. */
  release(session: SmtpSession): void {
    if (session.dead) {
      this.#forget(session);
      this.#grow();
    } else if (this.#stopped || session.messages >= this.#options.settings.messagesPerConnection) {
      void this.#leave(session);
      this.#grow();
    } else {
      this.#offer(session);
    }
  }

  /** One kept session was found dead, so the server was away: the others are not trusted either. */
  dropIdle(): void {
    for (const session of this.#idle.splice(0)) {
      session.destroy();
      this.#forget(session);
    }
  }

  #offer(session: SmtpSession): void {
    const [waiter] = this.#waiting;
    if (waiter === undefined) {
      session.idleSinceMs = this.#clock.monotonicMs();
      this.#idle.push(session);
      return;
    }
    this.#waiting.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.resolve(session);
  }

  #grow(): void {
    if (this.#stopped) return;
    const limit = this.#clock.monotonicMs() < this.#limitUntilMs ? this.#limit : Number.POSITIVE_INFINITY;
    const most = Math.min(this.#options.settings.connections, limit);
    while (this.#waiting.size > this.#connecting && this.#sessions.size + this.#connecting < most) void this.#connect();
  }

  async #connect(): Promise<void> {
    this.#connecting += 1;
    try {
      const session = await SmtpSession.open(this.#options, this.#opening.signal);
      this.#connecting -= 1;
      this.#sessions.add(session);
      session.onEnd = () => this.#ended(session);
      if (this.#stopped) void this.#leave(session);
      else this.#offer(session);
    } catch (error) {
      this.#connecting -= 1;
      this.#connectFailed(error instanceof SmtpFailure ? error : unexpected(error));
    }
    this.#noteIfDrained();
  }

  /** The message that waited is told, unless a session that works will come free for it. */
  #connectFailed(failure: SmtpFailure): void {
    if (this.#sessions.size > 0) {
      this.#limit = this.#sessions.size;
      this.#limitUntilMs = this.#clock.monotonicMs() + LIMIT_HOLDS_MS;
      return;
    }
    const [waiter] = this.#waiting;
    if (waiter !== undefined) this.#refuse(waiter, failure);
    this.#grow();
  }

  #ended(session: SmtpSession): void {
    const index = this.#idle.indexOf(session);
    if (index < 0) return; // in use: whoever uses it gives it back
    this.#idle.splice(index, 1);
    this.#forget(session);
  }

  #closeIdle(): void {
    const nowMs = this.#clock.monotonicMs();
    const old = this.#idle.filter((session) => nowMs - session.idleSinceMs >= this.#idleMs);
    for (const session of old) {
      this.#idle.splice(this.#idle.indexOf(session), 1);
      void this.#leave(session);
    }
  }

  async #leave(session: SmtpSession): Promise<void> {
    await session.quit();
    this.#forget(session);
    this.#grow();
  }

  #forget(session: SmtpSession): void {
    this.#sessions.delete(session);
    this.#noteIfDrained();
  }

  #refuse(waiter: Waiter, failure: SmtpFailure): void {
    this.#waiting.delete(waiter);
    clearTimeout(waiter.timer);
    waiter.reject(failure);
  }

  #noteIfDrained(): void {
    if (this.#sessions.size + this.#connecting > 0) return;
    const drained = this.#drained;
    this.#drained = undefined;
    drained?.();
  }
}

const notBegun = (response: string, isBusy = false): SmtpFailure =>
  new SmtpFailure({ stage: 'connect', response, replied: false, isBusy });
const stopping = (): SmtpFailure => notBegun('the provider is stopped');
const busy = (): SmtpFailure => notBegun('no connection came free within the deadline', true);
const unexpected = (error: unknown): SmtpFailure => notBegun(error instanceof Error ? error.message : String(error));
