import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { ApiError } from '../lib/api-error.ts';
import { pb } from '../lib/paths.ts';
import { PageFailure } from './PageFailure.tsx';
import { parseSearch, stringifySearch } from './search-text.ts';

interface Context {
  queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet });

/** Every page behind the sign-in. Nobody is signed in: the sign-in page, which leads back to where the person was. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: lazyRouteComponent(() => import('./shell/Shell.tsx'), 'Shell'),
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queries.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) throw redirect({ href: pb.signIn(location.href) });
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
    lazyRouteComponent(() => import('../pages/account/SignInPage.tsx'), 'SignInPage'),
  ),
  outsidePage(
    '/forgot-password',
    lazyRouteComponent(() => import('../pages/account/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
  ),
  inside.addChildren([
    page(
      '/',
      lazyRouteComponent(() => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage'),
    ),
    page(
      '/emails',
      lazyRouteComponent(() => import('../pages/emails/EmailsPage.tsx'), 'EmailsPage'),
    ),
    page(
      '/emails/new',
      lazyRouteComponent(() => import('../pages/emails/ComposePage.tsx'), 'ComposePage'),
    ),
    page(
      '/emails/$id',
      lazyRouteComponent(() => import('../pages/emails/EmailPage.tsx'), 'EmailPage'),
    ),
    page(
      '/sends/$id',
      lazyRouteComponent(() => import('../pages/emails/SendPage.tsx'), 'SendPage'),
    ),
    page(
      '/batches/$id',
      lazyRouteComponent(() => import('../pages/emails/BatchPage.tsx'), 'BatchPage'),
    ),
    page(
      '/outbox',
      lazyRouteComponent(() => import('../pages/outbox/OutboxPage.tsx'), 'OutboxPage'),
    ),
    page(
      '/outbox/$id',
      lazyRouteComponent(() => import('../pages/outbox/OutboxPage.tsx'), 'OutboxPage'),
    ),
    page(
      '/newsletters',
      lazyRouteComponent(() => import('../pages/newsletters/NewslettersPage.tsx'), 'NewslettersPage'),
    ),
    page(
      '/newsletters/new',
      lazyRouteComponent(() => import('../pages/newsletters/NewsletterNewPage.tsx'), 'NewsletterNewPage'),
    ),
    page(
      '/newsletters/$id',
      lazyRouteComponent(() => import('../pages/newsletters/NewsletterPage.tsx'), 'NewsletterPage'),
    ),
    page(
      '/newsletters/$id/subscribers/$subscriberId',
      lazyRouteComponent(() => import('../pages/newsletters/subscribers/SubscriberPage.tsx'), 'SubscriberPage'),
    ),
    page(
      '/newsletters/$id/issues/$issueId',
      lazyRouteComponent(() => import('../pages/newsletters/issues/IssuePage.tsx'), 'IssuePage'),
    ),
    page(
      '/newsletters/$id/issues/$issueId/edit',
      lazyRouteComponent(() => import('../pages/newsletters/issues/IssueEditPage.tsx'), 'IssueEditPage'),
    ),
    page(
      '/newsletters/$id/import',
      lazyRouteComponent(() => import('../pages/imports/ImportNewPage.tsx'), 'ImportNewPage'),
    ),
    page(
      '/imports',
      lazyRouteComponent(() => import('../pages/imports/ImportsPage.tsx'), 'ImportsPage'),
    ),
    page(
      '/imports/$id',
      lazyRouteComponent(() => import('../pages/imports/ImportPage.tsx'), 'ImportPage'),
    ),
    page(
      '/domains',
      lazyRouteComponent(() => import('../pages/domains/DomainsPage.tsx'), 'DomainsPage'),
    ),
    page(
      '/domains/$id',
      lazyRouteComponent(() => import('../pages/domains/DomainPage.tsx'), 'DomainPage'),
    ),
    page(
      '/relay',
      lazyRouteComponent(() => import('../pages/relay/RelayPage.tsx'), 'RelayPage'),
    ),
    page(
      '/suppressions',
      lazyRouteComponent(() => import('../pages/suppressions/SuppressionsPage.tsx'), 'SuppressionsPage'),
    ),
    page(
      '/suppressions/$id',
      lazyRouteComponent(() => import('../pages/suppressions/SuppressionPage.tsx'), 'SuppressionPage'),
    ),
    page(
      '/keys',
      lazyRouteComponent(() => import('../pages/keys/KeysPage.tsx'), 'KeysPage'),
    ),
    page(
      '/keys/new',
      lazyRouteComponent(() => import('../pages/keys/KeyNewPage.tsx'), 'KeyNewPage'),
    ),
    page(
      '/keys/$id',
      lazyRouteComponent(() => import('../pages/keys/KeyPage.tsx'), 'KeyPage'),
    ),
    page(
      '/webhooks',
      lazyRouteComponent(() => import('../pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
    ),
    page(
      '/webhooks/new',
      lazyRouteComponent(() => import('../pages/webhooks/WebhookNewPage.tsx'), 'WebhookNewPage'),
    ),
    page(
      '/webhooks/deliveries',
      lazyRouteComponent(() => import('../pages/webhooks/deliveries/DeliveriesPage.tsx'), 'DeliveriesPage'),
    ),
    page(
      '/webhooks/$id',
      lazyRouteComponent(() => import('../pages/webhooks/WebhookPage.tsx'), 'WebhookPage'),
    ),
    page(
      '/webhooks/$id/deliveries/$deliveryId',
      lazyRouteComponent(() => import('../pages/webhooks/deliveries/DeliveryPage.tsx'), 'DeliveryPage'),
    ),
    page(
      '/events',
      lazyRouteComponent(() => import('../pages/events/EventsPage.tsx'), 'EventsPage'),
    ),
    page(
      '/requests',
      lazyRouteComponent(() => import('../pages/requests/RequestsPage.tsx'), 'RequestsPage'),
    ),
    page(
      '/requests/$id',
      lazyRouteComponent(() => import('../pages/requests/RequestPage.tsx'), 'RequestPage'),
    ),
    page(
      '/members',
      lazyRouteComponent(() => import('../pages/members/MembersPage.tsx'), 'MembersPage'),
    ),
    page(
      '/members/invitations',
      lazyRouteComponent(() => import('../pages/members/InvitationsPage.tsx'), 'InvitationsPage'),
    ),
    page(
      '/audit-log',
      lazyRouteComponent(() => import('../pages/audit/AuditPage.tsx'), 'AuditPage'),
    ),
    page(
      '/security',
      lazyRouteComponent(() => import('../pages/security/SecurityLogPage.tsx'), 'SecurityLogPage'),
    ),
    page(
      '/settings',
      lazyRouteComponent(() => import('../pages/settings/SettingsPage.tsx'), 'SettingsPage'),
    ),
    page(
      '/system',
      lazyRouteComponent(() => import('../pages/system/SystemPage.tsx'), 'SystemPage'),
    ),
    page(
      '/system/workspaces',
      lazyRouteComponent(() => import('../pages/system/InstanceWorkspacesPage.tsx'), 'InstanceWorkspacesPage'),
    ),
    page(
      '/account',
      lazyRouteComponent(() => import('../pages/account/AccountPage.tsx'), 'AccountPage'),
    ),
    page(
      '/account/sign-in',
      lazyRouteComponent(() => import('../pages/account/OwnSignInPage.tsx'), 'OwnSignInPage'),
    ),
  ]),
]);

export function createAppRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Pages read with TanStack Query, which knows best what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: lazyRouteComponent(() => import('./NotFoundPage.tsx'), 'NotFoundPage'),
    defaultErrorComponent: PageFailure,
    defaultPendingMs: 300,
  });
  // The files of the first page are asked for beside the session, and not after it.
  const [matched] = router.getMatchedRoutes(window.location.pathname);
  for (const { options } of matched) {
    void options.component?.preload?.()?.catch(() => undefined); // the navigation itself shows what is wrong
  }
  return router;
}
