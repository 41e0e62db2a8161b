import { lookupRoutes } from './routes.ts';

export const lookupFeature = { name: 'lookup', routes: lookupRoutes } as const;
