import type { EmailSummary } from '../../api/generated/types.gen.ts';

type Source = NonNullable<EmailSummary['source']>;

/** Where an email comes from. */
export const SOURCES: Readonly<Record<Source, string>> = {
  api: 'API',
  batch: 'Batch',
  resend: 'Sent again',
  scheduled: 'Scheduled',
  relay: 'SMTP',
  automation: 'Automation',
  inbound_reply: 'Reply',
  issue: 'Issue',
  broadcast: 'Broadcast',
  confirmation: 'Confirmation',
  test: 'Test',
  system: 'System',
};
