import { mailHostOf } from '#platform/config/mail-host.ts';
import type { Settings } from '#platform/config/settings.ts';

/** The names of the delivery service that records of a domain point to. */
export interface ProviderHosts {
  /** SPF records include it. */
  spf: string;
  /** The MX that takes the feedback of mailboxes. */
  feedback: string;
  /** The MX of domains that receive mail. */
  inbound: string;
}

export const FEEDBACK_PRIORITY = 10;

/** The hosts of Amazon SES in the region of the domain, unless the operator has named others. */
export const providerHostsOf = (
  settings: Pick<Settings, 'spfHost' | 'feedbackHost' | 'inboundHost' | 'bounceDomain' | 'publicUrl' | 'sesReceiving'>,
  region: string,
): ProviderHosts => ({
  spf: settings.spfHost.toLowerCase(),
  feedback: (settings.feedbackHost ?? `feedback-smtp.${region}.amazonses.com`).toLowerCase(),
  inbound:
    settings.sesReceiving === 'on' && settings.inboundHost === null
      ? `inbound-smtp.${region}.amazonaws.com`
      : mailHostOf(settings),
});
