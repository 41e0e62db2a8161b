import type { EmailFilter } from './queries/page-of-emails.ts';

/** A list of all emails. */
export const NO_FILTER: EmailFilter = {
  statuses: null,
  to: null,
  from: null,
  toDomain: null,
  fromDomain: null,
  subject: null,
  providerMessageId: null,
  tag: null,
  metadata: null,
  source: null,
  domainId: null,
  apiKeyId: null,
  newsletterId: null,
  issueId: null,
  broadcastId: null,
  templateId: null,
  since: null,
  until: null,
  counted: null,
  shown: { withSystemMail: true, newsletterIds: [] },
};
