import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { feedbackService } from './feedback-service.ts';

export interface FeedbackWiring {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  safeFetch: SafeFetch;
}

export interface FeedbackFeature {
  name: 'feedback';
  routes: Route[];
  /** Those of the worker, of the API, and of the SMTP listener (where bounce messages arrive). */
  services: { ofWorker: Service[]; ofApi: Service[]; ofSmtp: Service[] };
}

export function createFeedbackFeature({ db, log }: FeedbackWiring): FeedbackFeature {
  return {
    name: 'feedback',
    routes: [],
    services: { ofWorker: [feedbackService({ db, log })], ofApi: [], ofSmtp: [] },
  };
}
