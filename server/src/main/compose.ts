import type { FastifyInstance } from 'fastify';
import { createApiKeysFeature, createFirstWorkspace } from '#features/api-keys';
import { createAuditFeature } from '#features/audit';
import { createSandboxDomain, dkimKeyOf, missingDomains } from '#features/domains';
import { createEmailsFeature } from '#features/emails';
import { createFeedbackFeature, type FeedbackFeature } from '#features/feedback';
import {
  createHeartbeat,
  createPurger,
  createQueueSignal,
  outboxServices,
  purgeWorkspace,
  suppressWaiting,
} from '#features/outbox';
import {
  createNewslettersFeature,
  type NewslettersFeature,
  missingNewsletters,
  purgeNewsletters,
} from '#features/newsletters';
import { createSuppressionsFeature, forgetExpiredService, suppressionsAdded } from '#features/suppressions';
import { createWebhooksFeature } from '#features/webhooks';
import { createWorkspacesFeature } from '#features/workspaces';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import { createApp } from '#platform/http/app.ts';
import { installDocs } from '#platform/http/docs/docs-routes.ts';
import type { Service, Services } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { createSafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { Role } from './arguments.ts';
import { createDoctor } from './doctor/doctor.ts';
import { doctorRoutes } from './doctor/doctor-routes.ts';
import type { Announcement } from './first-start.ts';
import { healthRoutes } from './health/health-routes.ts';
import { createHousekeeping } from './housekeeping.ts';
import { findHomeWorkspaceId } from './instance/queries.ts';
import { wireProviders } from './providers.ts';
import { returnPathOf } from './return-path.ts';
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
  services: Services;
  /** Makes what an empty database needs; says what to print, or null when nothing was new. */
  firstStart(): Promise<Announcement | null>;
}

/** Puts the features together: the only place that knows them all. */
export async function composePosthorn(parts: Parts): Promise<Posthorn> {
  const { db, settings, secrets, clock, log, listener, roles, metrics } = parts;
  const safeFetch = createSafeFetch(safeFetchOptions(settings));
  const snsFetch = createSafeFetch(snsFetchOptions(settings));
  const sendSystemMail = createSystemMail();
  const workspaces = createWorkspacesFeature({
    sendSystemMail,
    beforeWorkspaceDeleted: [purgeWorkspace, purgeNewsletters],
  });
  const apiKeys = createApiKeysFeature({ db, clock, log, secrets, listener, missingDomains, missingNewsletters });
  const audit = createAuditFeature({ db, clock, log });
  const suppressions = createSuppressionsFeature({ audit: audit.auditLog });
  const webhooks = createWebhooksFeature({
    db,
    clock,
    log,
    settings,
    secrets,
    listener,
    safeFetch,
    metrics,
    sendSystemMail,
    missingDomains,
    missingNewsletters,
  });
  const feedback = createFeedbackFeature({
    db,
    clock,
    log,
    settings,
    secrets,
    safeFetch: snsFetch,
    metrics,
    sendSystemMail,
  });
  const newsletters = createNewslettersFeature({
    db,
    clock,
    log,
    settings,
    secrets,
    listener,
    safeFetch,
    metrics,
    sendSystemMail,
    audit: audit.auditLog,
  });
  const emails = createEmailsFeature({ missingNewsletters, loadRecipients: newsletters.loadRecipients });
  // In the order in which they run: what waits is settled before a list reacts.
  addReactions(db, [reactionTo(suppressionsAdded, suppressWaiting), ...feedback.reactions, ...newsletters.reactions]);
  const app = await createApp(
    [
      ...workspaces.routes,
      ...apiKeys.routes,
      ...audit.routes,
      ...webhooks.routes,
      ...suppressions.routes,
      ...feedback.routes,
      ...emails.routes,
      ...newsletters.routes,
      ...healthRoutes({ db: parts.healthDb, log, metrics }),
      ...doctorRoutes({ db, examine: createDoctor({ db, settings, clock }) }),
    ],
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

  const ofEveryone: Service[] = [
    ...[safeFetch, snsFetch].map(({ close }) => ({ name: 'safe fetch', start: async () => undefined, stop: close })),
    createQueueSignal({ db, listener }),
    createHeartbeat({ db, log, roles }),
    ...audit.services,
  ];
  const ofApi: Service[] = [
    ...workspaces.services({ db, clock, log }),
    ...apiKeys.services,
    ...webhooks.services.ofApi,
    ...feedback.services.ofApi,
  ];
  const providers = roles.includes('worker') ? wireProviders({ settings, db, log, metrics }) : undefined;
  return {
    app,
    services: [
      ...ofEveryone,
      ...(providers?.services ?? []),
      // Each may take seconds to finish what is in hand: the worker up to 7, deliveries of webhooks 6.
      [
        ...(providers === undefined ? [] : servicesOfWorker(parts, providers, feedback, newsletters)),
        ...(roles.includes('worker') ? [...webhooks.services.ofWorker, ...newsletters.services.ofWorker] : []),
        ...(roles.includes('api') ? ofApi : []),
        ...(roles.includes('smtp') ? feedback.services.ofSmtp : []),
      ],
    ],
    async firstStart() {
      const made = await createFirstWorkspace({ db, clock, settings });
      await createSandboxDomain(db, secrets, await findHomeWorkspaceId(db));
      return made ?? null;
    },
  };
}

/** Development on one machine: nothing leaves it, and nobody else reaches it. */
function safeFetchOptions(settings: Settings): Parameters<typeof createSafeFetch>[0] {
  const alone =
    settings.providerUrl.startsWith('capture:') && ['127.0.0.1', '::1', 'localhost'].includes(settings.host);
  return {
    allow: settings.egressAllow,
    development:
      alone && settings.egressAllow.length === 0 ? { ownPorts: [settings.port, settings.inboundSmtpPort] } : null,
  };
}

/**
 * Only certificates and subscriptions of SNS are fetched with it, from the host that the setting names and no other: an
 * emulator on this machine is reached without opening the machine to webhooks.
 */
function snsFetchOptions({ egressAllow, snsCertHost }: Settings): Parameters<typeof createSafeFetch>[0] {
  const isHere = /^(https?:\/\/)?(127\.0\.0\.1|localhost)(:\d+)?$/i.test(snsCertHost ?? '');
  return { allow: isHere ? [...egressAllow, '127.0.0.1/32', '::1/128'] : egressAllow, development: null };
}

function servicesOfWorker(
  { db, settings, secrets, clock, log }: Parts,
  providers: ReturnType<typeof wireProviders>,
  feedback: FeedbackFeature,
  { loadRecipients }: NewslettersFeature,
): Service[] {
  return [
    ...outboxServices({
      db,
      providers,
      settings,
      clock,
      log,
      tracking: {
        baseUrl: settings.publicUrl,
        ownUrls: [settings.dashboardUrl],
        key: secrets.key('tracking'),
      },
      loadRecipients,
      loadDkimKey: (workspaceId, domain) => dkimKeyOf(db, secrets, workspaceId, domain),
      returnPath: returnPathOf(settings, secrets),
    }),
    ...feedback.services.ofWorker,
    createHousekeeping({ db, clock, log }),
    forgetExpiredService({ db, log }),
    createPurger({ db, log }),
  ];
}
