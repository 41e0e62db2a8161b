/**
 * The features, highest first: each may import only names below it. Its walls are kept by .dependency-cruiser.mjs,
 * which reads this very array. An effect that must go up is announced by the lower feature and answered by the higher.
 */
export const FEATURE_ORDER = [
  'smtp-relay',
  'automations',
  'newsletters',
  'broadcasts',
  'contacts',
  'consents',
  'inbound',
  'analytics',
  'emails',
  'feedback',
  'compositions',
  'outbox',
  'reader-pages',
  'templates',
  'domains',
  'suppressions',
  'webhooks',
  'transfers',
  'images',
  'request-log',
  'audit',
  'api-keys',
  'workspaces',
] as const;
