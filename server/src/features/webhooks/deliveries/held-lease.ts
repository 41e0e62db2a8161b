import type { Lease } from './queries/leases.ts';

/**
 * Long enough for an attempt (10 s) and for a database that is away for some seconds; short, because a DELETE waits for
 * it when a process has died, and nobody else serves the endpoint until then.
 */
export const LEASE_SECONDS = 15;

/** Between what the database thinks and what we do. */
const MARGIN_MS = 500;

/** A lease as this process may rely on it: by the monotonic clock, counted from before the statement that took it. */
export class HeldLease {
  readonly key: Lease;
  #endsAtMs: number;

  constructor(key: Lease, askedAtMs: number) {
    this.key = key;
    this.#endsAtMs = askedAtMs + LEASE_SECONDS * 1_000;
  }

  /** It was prolonged by a statement that was begun then. */
  renewed(askedAtMs: number): void {
    this.#endsAtMs = askedAtMs + LEASE_SECONDS * 1_000;
  }

  /**
   * Whether something may begin now that can last so long: it must be over before anybody else may serve the endpoint.
   * A process that stood still finds its time over.
   */
  hasTimeFor(lastsMs: number, nowMs: number): boolean {
    return this.#endsAtMs - nowMs >= lastsMs + MARGIN_MS;
  }
}
