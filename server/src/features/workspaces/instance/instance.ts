import { requireOperator } from './require-operator.ts';
import { instanceRoutes } from './routes.ts';

/** For main, which has more routes of the operator. */
export const instance = { routes: instanceRoutes, requireOperator } as const;
