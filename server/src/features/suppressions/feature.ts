import type { AuditLog } from '#features/audit';
import type { Route } from '#platform/http/route.ts';
import { suppressionRoutes } from './routes.ts';

export interface SuppressionsFeature {
  name: 'suppressions';
  routes: Route[];
}

export function createSuppressionsFeature({ audit }: { audit: AuditLog }): SuppressionsFeature {
  return { name: 'suppressions', routes: suppressionRoutes(audit) };
}
