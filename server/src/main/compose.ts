import type { FastifyInstance } from 'fastify';
import { createApiKeysFeature, createFirstWorkspace } from '#features/api-keys';
import { createSandboxDomain, dkimKeyOf, missingDomains } from '#features/domains';
import { feature as emails } from '#features/emails';
import { feedbackService } from '#features/feedback';
import { createHeartbeat, createPurger, createQueueSignal, outboxServices, purgeWorkspace } from '#features/outbox';
import { createWorkspacesFeature } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import { createApp } from '#platform/http/app.ts';
import { installDocs } from '#platform/http/docs/docs-routes.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Role } from './arguments.ts';
import type { Announcement } from './first-start.ts';
import { healthRoutes } from './health/health-routes.ts';
import { createHousekeeping } from './housekeeping.ts';
import { findHomeWorkspaceId } from './instance/queries.ts';
import { wireProviders } from './providers.ts';
import { createSystemMail } from './system-mail.ts';

export interface Parts {
  db: Db;
  healthDb: Db;
  listener: Listener;
  settings: Settings;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  roles: readonly Role[];
  metrics: Metrics;
}

export interface Posthorn {
  app: FastifyInstance;
  /** In the order they start. */
  services: Service[];
  /** Makes what an empty database needs; says what to print, or null when nothing was new. */
  firstStart(): Promise<Announcement | null>;
}

/** Puts the features together: the only place that knows them all. */
export async function composePosthorn(parts: Parts): Promise<Posthorn> {
  const { db, settings, secrets, clock, log, listener, roles, metrics } = parts;
  const workspaces = createWorkspacesFeature({
    sendSystemMail: createSystemMail(),
    beforeWorkspaceDeleted: [purgeWorkspace],
  });
  // There are no newsletters yet, so a key that names one names another's or nobody's.
  const missingNewsletters = async (_db: Db, _workspaceId: string, ids: readonly string[]) => ids;
  const apiKeys = createApiKeysFeature({ db, clock, log, secrets, listener, missingDomains, missingNewsletters });
  const app = await createApp(
    [...workspaces.routes, ...apiKeys.routes, ...emails.routes, ...healthRoutes({ db: parts.healthDb, log, metrics })],
    {
      db,
      clock,
      log,
      settings,
      secrets,
      authenticate: (request) => apiKeys.authenticate(request),
      readSendLimits: (ctx) => apiKeys.readSendLimits(ctx),
      onAnswer: ({ method, route, status, ms }) => metrics.requests.observe({ method, route, status }, ms / 1_000),
    },
  );
  installDocs(app);

  const ofEveryone: Service[] = [createQueueSignal({ db, listener }), createHeartbeat({ db, log, roles })];
  const ofApi: Service[] = [...workspaces.services({ db, clock, log }), ...apiKeys.services];
  return {
    app,
    services: [
      ...ofEveryone,
      ...(roles.includes('worker') ? servicesOfWorker(parts) : []),
      ...(roles.includes('api') ? ofApi : []),
    ],
    async firstStart() {
      const made = await createFirstWorkspace({ db, clock, settings });
      await createSandboxDomain(db, secrets, await findHomeWorkspaceId(db));
      return made ?? null;
    },
  };
}

function servicesOfWorker({ db, settings, secrets, clock, log, metrics }: Parts): Service[] {
  const providers = wireProviders({ settings, db, log, metrics });
  return [
    ...providers.services,
    ...outboxServices({
      db,
      providers,
      settings,
      clock,
      log,
      loadDkimKey: (workspaceId, domain) => dkimKeyOf(db, secrets, workspaceId, domain),
    }),
    feedbackService({ db, log }),
    createHousekeeping({ db, log }),
    createPurger({ db, log }),
  ];
}
