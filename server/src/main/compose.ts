import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFirstWorkspace } from '#features/api-keys';
import { createSandboxDomain } from '#features/domains';
import { setSending } from '#features/outbox';
import { pageFailures } from '#features/reader-pages';
import type { RelayState } from '#features/smtp-relay';
import { instance, findSendingStop } from '#features/workspaces';
import { createApp } from '#platform/http/app.ts';
import { installDocs } from '#platform/http/docs/docs-routes.ts';
import { wantsPage } from '#platform/http/visitor.ts';
import { type Dashboard, readDashboard } from './dashboard/dashboard-files.ts';
import { dashboardPages, installDashboardFiles } from './dashboard/serve-dashboard.ts';
import { createDoctor } from './doctor/doctor.ts';
import { doctorRoutes } from './doctor/doctor-routes.ts';
import { createFeatures, type Features } from './features.ts';
import type { FirstCredentials } from './first-start.ts';
import { healthRoutes } from './health/health-routes.ts';
import { findHomeWorkspaceId } from './instance/queries.ts';
import { systemRoutes } from './instance/system-routes.ts';
import type { Parts } from './parts.ts';
import { type ProcessServices, servicesOf } from './services.ts';

export interface Posthorn extends ProcessServices {
  app: FastifyInstance;
  /** Of the SMTP relay, in this process. */
  relayState(): RelayState;
  /** Makes what an empty database needs; says what to print, or null when nothing was new. */
  firstStart(): Promise<FirstCredentials | null>;
}

/** Puts the features together: the only place that knows them all. */
export async function composePosthorn(parts: Parts): Promise<Posthorn> {
  const features = createFeatures(parts);
  const app = await createHttp(parts, features);
  return {
    app,
    ...servicesOf(parts, features),
    relayState: features.smtpRelay.state,
    async firstStart() {
      const made = await createFirstWorkspace(parts);
      await createSandboxDomain(parts.db, parts.secrets, await findHomeWorkspaceId(parts.db));
      return made ?? null;
    },
  };
}

async function createHttp(parts: Parts, features: Features): Promise<FastifyInstance> {
  const { db, healthDb, log, metrics, settings, clock } = parts;
  const { workspaces, apiKeys, audit, requestLog, webhooks, suppressions, feedback, emails, newsletters, transfers } =
    features;
  const dashboard = dashboardOf(parts);
  const app = await createApp(
    [
      ...workspaces.routes,
      ...apiKeys.routes,
      ...audit.routes,
      ...requestLog.routes,
      ...webhooks.routes,
      ...features.templates.routes,
      ...features.contacts.routes,
      ...features.broadcasts.routes,
      ...features.domains.routes,
      ...features.inbound.routes,
      ...features.images.routes,
      ...suppressions.routes,
      ...feedback.routes,
      ...emails.routes,
      ...features.scheduledEmails.routes,
      ...features.calendar.routes,
      ...features.lookup.routes,
      ...features.automations.routes,
      ...features.analytics.routes,
      ...newsletters.routes,
      ...transfers.routes,
      ...features.smtpRelay.routes,
      ...healthRoutes({ db: healthDb, log, metrics }),
      ...instance.routes({ setSending }),
      ...systemRoutes({ settings, db: healthDb }),
      ...doctorRoutes({ db, examine: createDoctor({ db, settings, clock }) }),
    ],
    {
      ...parts,
      bodyBudget: features.bodyBudget,
      authenticate: (request) => apiKeys.authenticate(request),
      readSendLimits: (ctx) => apiKeys.readSendLimits(ctx),
      findSendingStop: (ctx) => findSendingStop(ctx.db, ctx.workspaceId),
      pageOfNothing: { ...pageFailures, when: isBrowsing },
      ...(dashboard === undefined ? {} : { answerPage: dashboardPages(dashboard) }),
      onAnswer: ({ method, route, status, ms }) => metrics.requests.observe({ method, route, status }, ms / 1_000),
      onServed: (served) => requestLog.requestLog.note(served),
    },
  );
  installDocs(app);
  if (dashboard !== undefined) installDashboardFiles(app, dashboard, settings);
  return app;
}

const dashboardOf = ({ roles, settings: { dashboardFiles } }: Parts): Dashboard | undefined =>
  !roles.includes('api') || dashboardFiles === null || dashboardFiles === 'none'
    ? undefined
    : readDashboard(dashboardFiles);

/** Somebody below `/n/`, where there are pages only, or a person with a browser who is not looking at the API. */
const isBrowsing = (request: FastifyRequest): boolean =>
  request.method === 'GET' &&
  (request.url.startsWith('/n/') || (wantsPage(request) && !/^\/(?:api\/)?v1(?:\/|$)/.test(request.url)));
