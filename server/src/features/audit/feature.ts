import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { auditRoutes } from './routes.ts';

export interface AuditFeature {
  name: 'audit';
  routes: Route[];
  services: Service[];
  /** For the features that have something to tell. */
  auditLog: AuditLog;
}

export function createAuditFeature(wiring: { db: Db; clock: Clock; log: Log }): AuditFeature {
  const auditLog = createAuditLog(wiring);
  return { name: 'audit', routes: auditRoutes(auditLog), services: [auditLog], auditLog };
}
