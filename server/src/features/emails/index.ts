import { capturedRoutes } from './captured/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { recordRoutes } from './records/routes.ts';
import { sendingRoutes } from './sending/routes.ts';

export const feature = {
  name: 'emails',
  routes: [...sendingRoutes, ...jobRoutes, ...recordRoutes, ...capturedRoutes],
} as const;
