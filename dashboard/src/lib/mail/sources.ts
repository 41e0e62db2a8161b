/** Where an email comes from. */
export const SOURCES = {
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
} as const;
