import type { SendSystemMail } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Route } from '#platform/http/route.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { Listener } from '#platform/db/listener.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';

export interface WebhooksWiring {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  listener: Listener;
  safeFetch: SafeFetch;
  sendSystemMail: SendSystemMail;
  /** Those of the given domain ids that this workspace does not have. */
  missingDomains(db: Db, workspaceId: string, ids: readonly string[]): Promise<readonly string[]>;
  missingNewsletters(db: Db, workspaceId: string, ids: readonly string[]): Promise<readonly string[]>;
}

export interface WebhooksFeature {
  name: 'webhooks';
  routes: Route[];
  services: { ofWorker: Service[]; ofApi: Service[] };
}

export function createWebhooksFeature(_wiring: WebhooksWiring): WebhooksFeature {
  return { name: 'webhooks', routes: [], services: { ofWorker: [], ofApi: [] } };
}
