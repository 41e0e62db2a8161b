/**
 * Statements on tables of others that were there before tables had owners. This list may only shrink: a line that is no
 * longer needed is a problem, too. `reads <who> <table>` or `writes <who> <table>`.
 */
export const KNOWN_FOREIGN_STATEMENTS: readonly string[] = [
  'reads newsletters email_events',
  'reads newsletters webhook_bodies',
  'reads outbox subscribers',
  'reads outbox webhooks',
  'reads suppressions emails',
  'reads webhooks contents',
  'reads webhooks email_events',
  'reads webhooks emails',
  'reads webhooks send_requests',
  'writes feedback email_events',
  'writes feedback emails',
  'writes newsletters captured_emails',
  'writes newsletters email_attempts',
  'writes newsletters email_events',
  'writes newsletters emails',
  'writes newsletters provider_events',
  'writes newsletters send_counts',
  'writes newsletters webhook_bodies',
  'writes newsletters workspace_events',
  'writes outbox webhook_deliveries',
  'writes providers provider_events',
];
