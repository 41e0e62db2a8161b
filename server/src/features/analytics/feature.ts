import { countRoutes } from './counts/routes.ts';
import { overviewRoutes } from './overview/routes.ts';

export const createAnalyticsFeature = () =>
  ({ name: 'analytics', routes: [...countRoutes, ...overviewRoutes] }) as const;
