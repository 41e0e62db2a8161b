import type { Settings } from '#platform/config/settings.ts';

/** The names of the delivery service that records of a domain point to. */
export interface ProviderHosts {
  /** SPF records include it. */
  spf: string;
  /** The MX that takes the feedback of mailboxes. */
  feedback: string;
}

export const FEEDBACK_PRIORITY = 10;

/** The hosts of Amazon SES in the region of the domain, unless the operator has named others. */
export const providerHostsOf = (
  { spfHost, feedbackHost }: Pick<Settings, 'spfHost' | 'feedbackHost'>,
  region: string,
): ProviderHosts => ({
  spf: spfHost.toLowerCase(),
  feedback: (feedbackHost ?? `feedback-smtp.${region}.amazonses.com`).toLowerCase(),
});
