import type { SendingPorts } from '#features/emails';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';

/** The dependencies of this feature, given by main. */
export interface AutomationsWiring extends SendingPorts {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  safeFetch: SafeFetch;
}
