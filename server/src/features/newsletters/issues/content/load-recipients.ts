import type { Audience } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { type Signing, waysOutOfNewsletter } from '../../mailings/ways-out.ts';
import { issueVariables } from './issue-variables.ts';
import { loadRecipientRows, type RecipientRow } from './recipients-queries.ts';

interface Loading extends Signing {
  db: Db;
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

async function recipientOf(loading: Loading, row: RecipientRow) {
  const { links, headers } = await waysOutOfNewsletter(loading, { ...personOf(row), mailingId: row.issueId });
  const variables = issueVariables({
    dashboardUrl: loading.settings.dashboardUrl,
    newsletter: row,
    issue: { slug: row.issueSlug, subject: row.subject, preheader: row.preheader },
    subscriber: { name: row.subscriberName, email: row.email, metadata: row.metadata },
    ...links,
  });
  return { variables, headers };
}

const personOf = ({ workspaceId, newsletterId, subscriberId, email }: RecipientRow) => ({
  email,
  workspaceId,
  newsletterId,
  subscriberId,
});
