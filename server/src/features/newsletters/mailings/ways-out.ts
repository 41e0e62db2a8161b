import { leavingHeaders } from '#mail/list-mail/list-headers.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { linkUrl, signLink } from '../link-token.ts';
import { leavingAddress } from '../subscribers/leaving/leave-by-mail.ts';

export interface Signing {
  clock: Clock;
  secrets: Secrets;
  settings: Pick<Settings, 'dashboardUrl' | 'bounceDomain' | 'inboundSmtpPort'>;
}

/** A subscriber who is mailed, and the issue or broadcast. */
export interface MailTo {
  /** The address of the email. */
  email: string;
  workspaceId: string;
  newsletterId: string;
  subscriberId: string;
  mailingId: string;
}

/** Where this subscriber leaves and chooses what they get, and the header fields that say so. */
export async function waysOutOfNewsletter(
  { clock, secrets, settings }: Signing,
  { mailingId, email, ...person }: MailTo,
) {
  const claims = { ...person, issueId: mailingId };
  const [leave, choose] = await Promise.all([
    signLink(secrets, 'nl_unsub', { ...claims, address: email }, clock.now()),
    signLink(secrets, 'nl_prefs', claims, clock.now()),
  ]);
  const links = {
    unsubscribeUrl: linkUrl(settings.dashboardUrl, 'nl_unsub', leave),
    preferencesUrl: linkUrl(settings.dashboardUrl, 'nl_prefs', choose),
  };
  const { workspaceId, subscriberId: personId } = person;
  const mailTo = leavingAddress({ secrets, settings }, { workspaceId, personId });
  return { links, headers: leavingHeaders(links.unsubscribeUrl, mailTo) };
}

/** The same of a preview or a test: the pages are there, and nobody leaves by them. */
export const deadLinksOfNewsletter = (dashboardUrl: string, token: string) => ({
  unsubscribeUrl: linkUrl(dashboardUrl, 'nl_unsub', token),
  preferencesUrl: linkUrl(dashboardUrl, 'nl_prefs', token),
});
