import type { Audience } from '#features/outbox';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { linkUrl, signLink } from '../../link-token.ts';
import { leavingHeaders } from '#mail/list-mail/list-headers.ts';
import { leavingAddress } from '../../subscribers/leaving/leave-by-mail.ts';
import { issueVariables } from './issue-variables.ts';
import { loadRecipientRows, type RecipientRow } from './recipients-queries.ts';

interface Loading {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  settings: Pick<Settings, 'dashboardUrl' | 'bounceDomain' | 'inboundSmtpPort'>;
}

/** The personal parts of a claimed page of issues: one statement, and two signed links each. */
export const createRecipientLoader =
  (loading: Loading): Audience['loadRecipients'] =>
  async (emails) => {
    const rows = await loadRecipientRows(loading.db, emails);
    const recipients = await Promise.all(
      rows.map(async (row) => [row.emailId, await recipientOf(loading, row)] as const),
    );
    return new Map(recipients);
  };

async function recipientOf({ clock, secrets, settings }: Loading, row: RecipientRow) {
  const links = await linksOf({ clock, secrets, settings }, row);
  const variables = issueVariables({
    dashboardUrl: settings.dashboardUrl,
    newsletter: row,
    issue: { slug: row.issueSlug, subject: row.subject, preheader: row.preheader },
    subscriber: { name: row.subscriberName, email: row.email, metadata: row.metadata },
    ...links,
  });
  const mailTo = leavingAddress({ secrets, settings }, { workspaceId: row.workspaceId, personId: row.subscriberId });
  return { variables, headers: leavingHeaders(links.unsubscribeUrl, mailTo) };
}

/** Where this subscriber leaves, and where they choose what they get. */
async function linksOf(
  { clock, secrets, settings }: Omit<Loading, 'db'>,
  { workspaceId, newsletterId, subscriberId, issueId }: RecipientRow,
): Promise<{ unsubscribeUrl: string; preferencesUrl: string }> {
  const claims = { workspaceId, newsletterId, subscriberId, issueId };
  const [leave, choose] = await Promise.all([
    signLink(secrets, 'nl_unsub', claims, clock.now()),
    signLink(secrets, 'nl_prefs', claims, clock.now()),
  ]);
  return {
    unsubscribeUrl: linkUrl(settings.dashboardUrl, 'nl_unsub', leave),
    preferencesUrl: linkUrl(settings.dashboardUrl, 'nl_prefs', choose),
  };
}
