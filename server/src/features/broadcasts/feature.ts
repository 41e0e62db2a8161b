import type { Route } from '#platform/http/route.ts';
import { broadcastRoutes } from './routes.ts';
import type { BroadcastsWiring } from './wiring.ts';

export interface BroadcastsFeature {
  name: 'broadcasts';
  routes: Route[];
}

export const createBroadcastsFeature = (wiring: BroadcastsWiring): BroadcastsFeature => ({
  name: 'broadcasts',
  routes: broadcastRoutes(wiring),
});
