/**
 * Every address of the dashboard. The server answers `/workspaces`, `/audit`, `/api-keys` and others itself, so no page
 * has one of these; `paths.test.ts` holds the whole list.
 */
export const pb = {
  overview: () => '/',
  emails: () => '/emails',
  compose: () => '/emails/new',
  email: (id: string) => `/emails/${id}`,
  send: (id: string) => `/sends/${id}`,
  batch: (id: string) => `/batches/${id}`,
  outbox: () => '/outbox',
  outboxEmail: (id: string) => `/outbox/${id}`,
  received: () => '/received',
  receivedOf: (domainId: string) => `/received?domain_id=${domainId}`,
  receivedThread: (threadId: string) => `/received?thread_id=${threadId}`,
  receivedEmail: (id: string) => `/received/${id}`,
  newsletters: () => '/newsletters',
  newsletterNew: () => '/newsletters/new',
  newsletter: (id: string) => `/newsletters/${id}`,
  newsletterTab: (id: string, tab: string) => `/newsletters/${id}?tab=${tab}`,
  subscriber: (id: string, subscriberId: string) => `/newsletters/${id}/subscribers/${subscriberId}`,
  issue: (id: string, issueId: string) => `/newsletters/${id}/issues/${issueId}`,
  issueEdit: (id: string, issueId: string) => `/newsletters/${id}/issues/${issueId}/edit`,
  templates: () => '/templates',
  template: (id: string) => `/templates/${id}`,
  templateEdit: (id: string) => `/templates/${id}/edit`,
  importNew: (newsletterId: string) => `/newsletters/${newsletterId}/import`,
  imports: () => '/imports',
  import: (id: string) => `/imports/${id}`,
  domains: () => '/domains',
  domain: (id: string) => `/domains/${id}`,
  domainTab: (id: string, tab: string) => `/domains/${id}?tab=${tab}`,
  relay: () => '/relay',
  relayTab: (tab: string) => `/relay?tab=${tab}`,
  suppressions: () => '/suppressions',
  suppression: (id: string) => `/suppressions/${id}`,
  keys: () => '/keys',
  keyNew: () => '/keys/new',
  key: (id: string) => `/keys/${id}`,
  webhooks: () => '/webhooks',
  webhookNew: () => '/webhooks/new',
  deliveries: () => '/webhooks/deliveries',
  webhook: (id: string) => `/webhooks/${id}`,
  delivery: (id: string, deliveryId: string) => `/webhooks/${id}/deliveries/${deliveryId}`,
  events: () => '/events',
  requests: () => '/requests',
  request: (id: string) => `/requests/${id}`,
  members: () => '/members',
  invitations: () => '/members/invitations',
  auditLog: () => '/audit-log',
  security: () => '/security',
  settings: () => '/settings',
  system: () => '/system',
  instanceWorkspaces: () => '/system/workspaces',
  account: () => '/account',
  ownSignIn: () => '/account/sign-in',
  signIn: (next?: string) =>
    next === undefined || next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`,
  forgotPassword: () => '/forgot-password',
};

/** Where to go after signing in: a page of this dashboard, never another site. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next) || next.startsWith('/sign-in')) return '/';
  return next;
}
