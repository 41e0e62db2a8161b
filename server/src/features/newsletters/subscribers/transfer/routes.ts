import type { Route } from '#platform/http/route.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { exportRoutes } from './export/routes.ts';
import { importRoutes } from './import/routes.ts';

export const transferRoutes = (wiring: NewslettersWiring): Route[] => [...importRoutes(wiring), ...exportRoutes()];
