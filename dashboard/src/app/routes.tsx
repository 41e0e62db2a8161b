import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { getOverviewOptions } from '../api/generated/@tanstack/react-query.gen.ts';
import { readWithSession, sessionQuery } from '../api/session.ts';
import { ApiError } from '../lib/api-error.ts';
import { connection } from '../lib/connection.ts';
import { pb } from '../lib/paths.ts';
import { PageFailure } from './PageFailure.tsx';
import { parseSearch, stringifySearch } from './search-text.ts';

interface Context {
  queries: QueryClient;
}

/** A page of a chunk of its own, which waits for the connection when there is none. */
const lazyPage = <T extends Record<string, unknown>, K extends keyof T>(load: () => Promise<T>, name: K) =>
  lazyRouteComponent(() => connection.load(load), name);

const root = createRootRouteWithContext<Context>()({ component: Outlet });

/** Every page behind the sign-in. Nobody is signed in: the sign-in page, which leads back to where the person was. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: lazyPage(() => import('./shell/Shell.tsx'), 'Shell'),
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queries.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw redirect({ href: pb.signIn(location.href) });
      throw error;
    }
  },
});

/**
 * An address that does not exist. A person who is signed in sees it inside of the frame, and everybody else without:
 * a sign-in would lead them to nothing.
 */
const lost = createRoute({
  getParentRoute: () => root,
  id: 'lost',
  component: lazyPage(() => import('./shell/Shell.tsx'), 'Shell'),
  beforeLoad: async ({ context }) => {
    try {
      await context.queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw notFound();
      throw error;
    }
  },
});

type LazyPage = ReturnType<typeof lazyRouteComponent>;

const page = (path: string, component: LazyPage) => createRoute({ getParentRoute: () => inside, path, component });
const outsidePage = (path: string, component: LazyPage) => createRoute({ getParentRoute: () => root, path, component });

/** The whole map. Each page is a chunk of its own, which is loaded when a link to it is pointed at. */
const routeTree = root.addChildren([
  outsidePage(
    '/sign-in',
    lazyPage(() => import('../pages/account/SignInPage.tsx'), 'SignInPage'),
  ),
  outsidePage(
    '/forgot-password',
    lazyPage(() => import('../pages/account/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
  ),
  inside.addChildren([
    page(
      '/',
      lazyPage(() => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage'),
    ),
    page(
      '/emails',
      lazyPage(() => import('../pages/emails/EmailsPage.tsx'), 'EmailsPage'),
    ),
    page(
      '/emails/new',
      lazyPage(() => import('../pages/emails/compose/ComposePage.tsx'), 'ComposePage'),
    ),
    page(
      '/emails/$id',
      lazyPage(() => import('../pages/emails/EmailPage.tsx'), 'EmailPage'),
    ),
    page(
      '/sends/$id',
      lazyPage(() => import('../pages/emails/SendPage.tsx'), 'SendPage'),
    ),
    page(
      '/batches/$id',
      lazyPage(() => import('../pages/emails/BatchPage.tsx'), 'BatchPage'),
    ),
    page(
      '/scheduled-emails',
      lazyPage(() => import('../pages/scheduled/ScheduledPage.tsx'), 'ScheduledPage'),
    ),
    page(
      '/scheduled-emails/$id',
      lazyPage(() => import('../pages/scheduled/ScheduledEmailPage.tsx'), 'ScheduledEmailPage'),
    ),
    page(
      '/scheduled-emails/$id/edit',
      lazyPage(() => import('../pages/scheduled/writing/ScheduledEditPage.tsx'), 'ScheduledEditPage'),
    ),
    page(
      '/calendar',
      lazyPage(() => import('../pages/calendar/CalendarPage.tsx'), 'CalendarPage'),
    ),
    page(
      '/outbox',
      lazyPage(() => import('../pages/outbox/OutboxPage.tsx'), 'OutboxPage'),
    ),
    page(
      '/outbox/$id',
      lazyPage(() => import('../pages/outbox/OutboxPage.tsx'), 'OutboxPage'),
    ),
    page(
      '/received',
      lazyPage(() => import('../pages/received/ReceivedPage.tsx'), 'ReceivedPage'),
    ),
    page(
      '/received/$id',
      lazyPage(() => import('../pages/received/ReceivedEmailPage.tsx'), 'ReceivedEmailPage'),
    ),
    page(
      '/newsletters',
      lazyPage(() => import('../pages/newsletters/NewslettersPage.tsx'), 'NewslettersPage'),
    ),
    page(
      '/newsletters/new',
      lazyPage(() => import('../pages/newsletters/NewsletterNewPage.tsx'), 'NewsletterNewPage'),
    ),
    page(
      '/newsletters/$id',
      lazyPage(() => import('../pages/newsletters/NewsletterPage.tsx'), 'NewsletterPage'),
    ),
    page(
      '/newsletters/$id/subscribers/$subscriberId',
      lazyPage(() => import('../pages/newsletters/subscribers/SubscriberPage.tsx'), 'SubscriberPage'),
    ),
    page(
      '/newsletters/$id/issues/$issueId',
      lazyPage(() => import('../pages/newsletters/issues/IssuePage.tsx'), 'IssuePage'),
    ),
    page(
      '/newsletters/$id/issues/$issueId/edit',
      lazyPage(() => import('../pages/newsletters/issues/IssueEditPage.tsx'), 'IssueEditPage'),
    ),
    page(
      '/broadcast',
      lazyPage(() => import('../pages/broadcasts/BroadcastsPage.tsx'), 'BroadcastsPage'),
    ),
    page(
      '/broadcast/$id',
      lazyPage(() => import('../pages/broadcasts/BroadcastPage.tsx'), 'BroadcastPage'),
    ),
    page(
      '/broadcast/$id/edit',
      lazyPage(() => import('../pages/broadcasts/writing/BroadcastEditPage.tsx'), 'BroadcastEditPage'),
    ),
    page(
      '/templates',
      lazyPage(() => import('../pages/templates/TemplatesPage.tsx'), 'TemplatesPage'),
    ),
    page(
      '/templates/$id',
      lazyPage(() => import('../pages/templates/TemplatePage.tsx'), 'TemplatePage'),
    ),
    page(
      '/templates/$id/edit',
      lazyPage(() => import('../pages/templates/writing/TemplateEditPage.tsx'), 'TemplateEditPage'),
    ),
    page(
      '/automations',
      lazyPage(() => import('../pages/automations/AutomationsPage.tsx'), 'AutomationsPage'),
    ),
    page(
      '/automations/$id',
      lazyPage(() => import('../pages/automations/AutomationPage.tsx'), 'AutomationPage'),
    ),
    page(
      '/automations/$id/runs/$runId',
      lazyPage(() => import('../pages/automations/runs/RunPage.tsx'), 'RunPage'),
    ),
    page(
      '/newsletters/$id/import',
      lazyPage(() => import('../pages/imports/ImportNewPage.tsx'), 'ImportNewPage'),
    ),
    page(
      '/contacts',
      lazyPage(() => import('../pages/contacts/ContactsPage.tsx'), 'ContactsPage'),
    ),
    page(
      '/contacts/$id',
      lazyPage(() => import('../pages/contacts/ContactPage.tsx'), 'ContactPage'),
    ),
    page(
      '/contacts/bulk',
      lazyPage(() => import('../pages/contacts/bulk/BulkJobsPage.tsx'), 'BulkJobsPage'),
    ),
    page(
      '/contacts/bulk/$id',
      lazyPage(() => import('../pages/contacts/bulk/BulkJobPage.tsx'), 'BulkJobPage'),
    ),
    page(
      '/lists',
      lazyPage(() => import('../pages/contacts/lists/ListsPage.tsx'), 'ListsPage'),
    ),
    page(
      '/lists/$id',
      lazyPage(() => import('../pages/contacts/lists/OneListPage.tsx'), 'OneListPage'),
    ),
    page(
      '/lists/$id/import',
      lazyPage(() => import('../pages/imports/ImportListPage.tsx'), 'ImportListPage'),
    ),
    page(
      '/segments',
      lazyPage(() => import('../pages/contacts/segments/SegmentsPage.tsx'), 'SegmentsPage'),
    ),
    page(
      '/segments/new',
      lazyPage(() => import('../pages/contacts/segments/SegmentNewPage.tsx'), 'SegmentNewPage'),
    ),
    page(
      '/segments/$id',
      lazyPage(() => import('../pages/contacts/segments/SegmentPage.tsx'), 'SegmentPage'),
    ),
    page(
      '/imports',
      lazyPage(() => import('../pages/imports/ImportsPage.tsx'), 'ImportsPage'),
    ),
    page(
      '/imports/$id',
      lazyPage(() => import('../pages/imports/ImportPage.tsx'), 'ImportPage'),
    ),
    page(
      '/domains',
      lazyPage(() => import('../pages/domains/DomainsPage.tsx'), 'DomainsPage'),
    ),
    page(
      '/domains/$id',
      lazyPage(() => import('../pages/domains/DomainPage.tsx'), 'DomainPage'),
    ),
    page(
      '/relay',
      lazyPage(() => import('../pages/relay/RelayPage.tsx'), 'RelayPage'),
    ),
    page(
      '/suppressions',
      lazyPage(() => import('../pages/suppressions/SuppressionsPage.tsx'), 'SuppressionsPage'),
    ),
    page(
      '/suppressions/$id',
      lazyPage(() => import('../pages/suppressions/SuppressionPage.tsx'), 'SuppressionPage'),
    ),
    page(
      '/keys',
      lazyPage(() => import('../pages/keys/KeysPage.tsx'), 'KeysPage'),
    ),
    page(
      '/keys/new',
      lazyPage(() => import('../pages/keys/KeyNewPage.tsx'), 'KeyNewPage'),
    ),
    page(
      '/keys/$id',
      lazyPage(() => import('../pages/keys/KeyPage.tsx'), 'KeyPage'),
    ),
    page(
      '/webhooks',
      lazyPage(() => import('../pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
    ),
    page(
      '/webhooks/new',
      lazyPage(() => import('../pages/webhooks/WebhookNewPage.tsx'), 'WebhookNewPage'),
    ),
    page(
      '/webhooks/deliveries',
      lazyPage(() => import('../pages/webhooks/deliveries/DeliveriesPage.tsx'), 'DeliveriesPage'),
    ),
    page(
      '/webhooks/$id',
      lazyPage(() => import('../pages/webhooks/WebhookPage.tsx'), 'WebhookPage'),
    ),
    page(
      '/webhooks/$id/deliveries/$deliveryId',
      lazyPage(() => import('../pages/webhooks/deliveries/DeliveryPage.tsx'), 'DeliveryPage'),
    ),
    page(
      '/events',
      lazyPage(() => import('../pages/events/EventsPage.tsx'), 'EventsPage'),
    ),
    page(
      '/requests',
      lazyPage(() => import('../pages/requests/RequestsPage.tsx'), 'RequestsPage'),
    ),
    page(
      '/requests/$id',
      lazyPage(() => import('../pages/requests/RequestPage.tsx'), 'RequestPage'),
    ),
    page(
      '/members',
      lazyPage(() => import('../pages/members/MembersPage.tsx'), 'MembersPage'),
    ),
    page(
      '/members/invitations',
      lazyPage(() => import('../pages/members/InvitationsPage.tsx'), 'InvitationsPage'),
    ),
    page(
      '/audit-log',
      lazyPage(() => import('../pages/audit/AuditPage.tsx'), 'AuditPage'),
    ),
    page(
      '/security',
      lazyPage(() => import('../pages/security/SecurityLogPage.tsx'), 'SecurityLogPage'),
    ),
    page(
      '/settings',
      lazyPage(() => import('../pages/settings/SettingsPage.tsx'), 'SettingsPage'),
    ),
    page(
      '/system',
      lazyPage(() => import('../pages/system/SystemPage.tsx'), 'SystemPage'),
    ),
    page(
      '/system/workspaces',
      lazyPage(() => import('../pages/system/InstanceWorkspacesPage.tsx'), 'InstanceWorkspacesPage'),
    ),
    page(
      '/account',
      lazyPage(() => import('../pages/account/AccountPage.tsx'), 'AccountPage'),
    ),
    page(
      '/account/sign-in',
      lazyPage(() => import('../pages/account/OwnSignInPage.tsx'), 'OwnSignInPage'),
    ),
  ]),
  lost.addChildren([
    createRoute({
      getParentRoute: () => lost,
      path: '$',
      component: lazyPage(() => import('./NotFoundPage.tsx'), 'NotFoundPage'),
    }),
  ]),
]);

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Pages read with TanStack Query, which knows best what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: lazyPage(() => import('./NotFoundPage.tsx'), 'NotFoundPage'),
    defaultErrorComponent: PageFailure,
    defaultPendingMs: 300,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

/** Asks for the files of the first page, and for what the Overview shows, beside the session and not after it. */
export function askForPage(router: AppRouter, queries: QueryClient): void {
  const [matched] = router.getMatchedRoutes(window.location.pathname);
  for (const { options } of matched) {
    void options.component?.preload?.()?.catch(() => undefined); // the navigation itself shows what is wrong
  }
  if (window.location.pathname === '/') readWithSession(queries, () => queries.prefetchQuery(getOverviewOptions()));
}
