import type { Newsletter } from '../../newsletter.ts';

/** The newsletter as its issues see it. */
type NewsletterFacts = Pick<Newsletter, 'name' | 'slug' | 'description' | 'postalAddress' | 'archiveEnabled'>;
interface IssueFacts {
  slug: string;
  subject: string;
  preheader: string | null;
}
interface SubscriberFacts {
  name: string | null;
  email: string;
  metadata: Readonly<Record<string, unknown>>;
}

/** The variables that the Liquid of an issue can read; docs and the pre-flight check name the same. */
export const issueVariables = (given: {
  dashboardUrl: string;
  newsletter: NewsletterFacts;
  issue: IssueFacts;
  subscriber: SubscriberFacts;
  unsubscribeUrl: string;
  preferencesUrl: string;
}) => ({
  subscriber: given.subscriber,
  newsletter: {
    name: given.newsletter.name,
    slug: given.newsletter.slug,
    description: given.newsletter.description,
    postal_address: given.newsletter.postalAddress,
    subscribe_url: `${given.dashboardUrl}/n/${given.newsletter.slug}`,
  },
  issue: { subject: given.issue.subject, preheader: given.issue.preheader, slug: given.issue.slug },
  unsubscribe_url: given.unsubscribeUrl,
  preferences_url: given.preferencesUrl,
  view_in_browser_url: viewUrl(given.dashboardUrl, given.newsletter, given.issue),
});

/** Where an issue is read in a browser; '' when the newsletter shows no archive. */
export const viewUrl = (
  dashboardUrl: string,
  newsletter: Pick<Newsletter, 'slug' | 'archiveEnabled'>,
  issue: { slug: string },
): string => (newsletter.archiveEnabled ? `${dashboardUrl}/n/${newsletter.slug}/i/${issue.slug}` : '');

/** The variables without a value: of these names, anything below metadata may be there for some subscribers. */
export const KNOWN_PATHS: readonly string[] = [
  'subscriber.name',
  'subscriber.email',
  'subscriber.metadata',
  'newsletter.name',
  'newsletter.slug',
  'newsletter.description',
  'newsletter.postal_address',
  'newsletter.subscribe_url',
  'issue.subject',
  'issue.preheader',
  'issue.slug',
  'unsubscribe_url',
  'preferences_url',
  'view_in_browser_url',
];
