import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import { exportRoutes } from './exports/routes.ts';
import { importRoutes } from './imports/routes.ts';
import { transferServices } from './services.ts';
import type { TransferTarget } from './transfer-target.ts';
import type { TransfersWiring } from './wiring.ts';

export interface TransfersFeature {
  name: 'transfers';
  routes: Route[];
  services: { ofWorker: Service[] };
}

export function createTransfersFeature(
  given: Omit<TransfersWiring, 'targets'> & { targets: readonly TransferTarget[] },
): TransfersFeature {
  const wiring = { ...given, targets: new Map(given.targets.map((target) => [target.type, target])) };
  return {
    name: 'transfers',
    routes: [...importRoutes(wiring), ...exportRoutes(wiring)],
    services: { ofWorker: transferServices(wiring) },
  };
}
