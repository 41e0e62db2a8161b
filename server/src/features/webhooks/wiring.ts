import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { SendSystemMail } from '#features/workspaces';
import type { EmailEvents } from './events/email-events.ts';

/** The given ids that do not exist in this workspace. */
export type FindMissing = (db: Db, workspaceId: string, ids: readonly string[]) => Promise<readonly string[]>;

/** The dependencies of this feature, given by main. */
export interface WebhooksWiring {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  listener: Listener;
  safeFetch: SafeFetch;
  metrics: Metrics;
  sendSystemMail: SendSystemMail;
  emailEvents: EmailEvents;
  missingDomains: FindMissing;
  missingNewsletters: FindMissing;
}

/** The dependencies of the verbs of endpoints. */
export interface WebhookPorts {
  safeFetch: SafeFetch;
  missingDomains: FindMissing;
  missingNewsletters: FindMissing;
  /** Resolves when no process starts another attempt for this endpoint, which is disabled or deleted by then. */
  stopDeliveries(ctx: Ctx, webhookId: string): Promise<void>;
}
