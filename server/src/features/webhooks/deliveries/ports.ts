import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { EmailEvents } from '../events/email-events.ts';
import type { FailingEndpoint } from './queries/endpoint-health.ts';

/** How an attempt ended; `discarded` is a delivery whose event is gone. */
export type AttemptEnd = 'succeeded' | 'failed' | 'given_up' | 'blocked' | 'discarded';

/** The dependencies of delivering. */
export interface DeliveryPorts {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  safeFetch: SafeFetch;
  emailEvents: EmailEvents;
  /** Waits between attempts; one more attempt than there are waits. */
  retrySeconds: readonly number[];
  /** In [0, 1): spreads retries. */
  random: () => number;
  /** A receiver said that it is gone. */
  disable(endpoint: FailingEndpoint, reason: string): Promise<void>;
  counted(end: AttemptEnd): void;
  /** The time that a receiver has for its answer; ten seconds when left out. */
  attemptSeconds?: number;
}
