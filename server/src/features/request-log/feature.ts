import type { Route } from '#platform/http/route.ts';
import { createRequestLog, type RequestLog, type RequestLogWiring } from './request-log.ts';
import { requestLogRoutes } from './routes.ts';

export interface RequestLogFeature {
  name: 'request-log';
  routes: Route[];
  /** Sees every answer, and is a service. */
  requestLog: RequestLog;
}

export function createRequestLogFeature(wiring: RequestLogWiring): RequestLogFeature {
  const requestLog = createRequestLog(wiring);
  return { name: 'request-log', routes: requestLogRoutes(requestLog), requestLog };
}
