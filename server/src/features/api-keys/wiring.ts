import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import type { Log } from '#platform/log.ts';
import type { FindMissing } from './key-input.ts';

/** The dependencies of this feature, given by main. */
export interface ApiKeysWiring {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  settings: Pick<Settings, 'dashboardUrl' | 'publicUrl'>;
  /** Without one, a change made by another process is seen when the cache runs out (under a second). */
  listener?: Listener;
  /** Which of these domains (newsletters) a workspace does not have; those features are above this one. */
  missingDomains?: FindMissing;
  missingNewsletters?: FindMissing;
}

/** The dependencies of the verbs of this feature. */
export interface KeyPorts {
  missingDomains: FindMissing;
  missingNewsletters: FindMissing;
  /** Forgets what this process has cached, so that it sees its own change at once. */
  keysChanged(): void;
}
