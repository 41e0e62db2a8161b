import type { AuditLog } from '#features/audit';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { AccountList } from './lifting/account-list.ts';
import { createLiftService } from './lifting/lift-service.ts';
import { suppressionRoutes } from './routes.ts';

export interface SuppressionsFeature {
  name: 'suppressions';
  routes: Route[];
  services: { ofWorker: Service[] };
}

export interface SuppressionsWiring {
  db: Db;
  clock: Clock;
  log: Log;
  audit: AuditLog;
  /** null: the provider keeps no list of its own. */
  accountList: AccountList | null;
}

export function createSuppressionsFeature({ audit, accountList, ...parts }: SuppressionsWiring): SuppressionsFeature {
  return {
    name: 'suppressions',
    routes: suppressionRoutes({ audit, hasAccountList: accountList !== null }),
    services: { ofWorker: accountList === null ? [] : [createLiftService({ ...parts, accountList })] },
  };
}
