import type { AuditLog } from '#features/audit';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';

/** The dependencies of this feature, given by main. */
export interface BroadcastsWiring {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  audit: AuditLog;
}
