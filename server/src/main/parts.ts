import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Role } from './arguments.ts';

/** The common dependencies of every part of one process. */
export interface Parts {
  /** For requests. */
  db: Db;
  /** For the services of a worker: requests that hold all of theirs do not stop the mail, nor the reverse. */
  workerDb: Db;
  /** A pool of its own, so that a full main pool does not make `/health` wait. */
  healthDb: Db;
  listener: Listener;
  settings: Settings;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  roles: readonly Role[];
  metrics: Metrics;
}
