import type { AuditLog } from '#features/audit';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import type { TransferTargets } from './transfer-target.ts';

/** The dependencies of this feature, given by main. */
export interface TransfersWiring {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'publicUrl'>;
  audit: AuditLog;
  targets: TransferTargets;
}
