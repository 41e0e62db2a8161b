import type { AuditLog } from '#features/audit';
import type { SendSystemMail } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';

/** The dependencies of this feature, given by main. */
export interface NewslettersWiring {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  listener: Listener;
  safeFetch: SafeFetch;
  metrics: Metrics;
  sendSystemMail: SendSystemMail;
  audit: AuditLog;
}
