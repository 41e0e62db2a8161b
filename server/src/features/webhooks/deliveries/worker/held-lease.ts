import type { Lease } from '../queries/leases.ts';

/**
 * A lease in seconds, for attempts that last `attemptSeconds` at most: half of that over, for a database that is away
 * for some seconds. 15 for attempts of 10; not more, because a DELETE waits for it when a process has died, and
 * nobody else serves the endpoint until then. Never less than 2 over: leases are renewed every second.
 */
export const leaseSecondsFor = (attemptSeconds: number): number => attemptSeconds + Math.max(2, attemptSeconds / 2);

/** Between what the database thinks and what we do. */
const MARGIN_MS = 500;

/** A lease as this process may rely on it: by the monotonic clock, counted from before the statement that took it. */
export class HeldLease {
  readonly key: Lease;
  readonly #leaseMs: number;
  #endsAtMs: number;

  constructor(key: Lease, askedAtMs: number, leaseSeconds: number) {
    this.key = key;
    this.#leaseMs = leaseSeconds * 1_000;
    this.#endsAtMs = askedAtMs + this.#leaseMs;
  }

  /** It was prolonged by a statement that was begun then. */
  renewed(askedAtMs: number): void {
    this.#endsAtMs = askedAtMs + this.#leaseMs;
  }

  /**
   * Whether something may begin now that can last so long: it must be over before anybody else may serve the endpoint.
   * A process that stood still finds its time over.
   */
  hasTimeFor(lastsMs: number, nowMs: number): boolean {
    return this.#endsAtMs - nowMs >= lastsMs + MARGIN_MS;
  }
}
