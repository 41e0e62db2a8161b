import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';

export interface AuditFeature {
  name: 'audit';
  routes: Route[];
  services: Service[];
}

export function createAuditFeature(_wiring: { db: Db; clock: Clock; log: Log }): AuditFeature {
  return { name: 'audit', routes: [], services: [] };
}
