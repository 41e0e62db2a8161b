import { bulkSends } from '#features/outbox';
import { publishWebhook } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { Issue } from '../issue.ts';

type Named = Pick<Newsletter, 'id' | 'name' | 'slug'>;

/** An issue has been given to every recipient: in the transaction in which it becomes `sent`. */
export async function publishIssueSent(tx: Db, newsletter: Named, issue: Issue): Promise<void> {
  await publishWebhook(tx, {
    workspaceId: issue.workspaceId,
    type: 'newsletter.issue.sent',
    newsletterId: newsletter.id,
    data: await dataOf(tx, newsletter, issue),
  });
}

/** Nothing of an issue is pending any more: its figures change only by what recipients and their servers still say. */
export async function publishIssueFinished(tx: Db, newsletter: Named, issue: Issue): Promise<void> {
  const data = await dataOf(tx, newsletter, issue);
  await publishWebhook(tx, {
    workspaceId: issue.workspaceId,
    type: 'newsletter.issue.finished',
    newsletterId: newsletter.id,
    data: { ...data, issue: { ...data.issue, finished_at: issue.finishedAt } },
  });
}

/** Sending an issue has ended with an error. `page` is the page of recipients that was reached; 0: none was begun. */
export async function publishIssueFailed(
  tx: Db,
  newsletter: Named,
  issue: Issue,
  error: { code: string; message: string },
  page: number,
): Promise<void> {
  await publishWebhook(tx, {
    workspaceId: issue.workspaceId,
    type: 'newsletter.issue.failed',
    newsletterId: newsletter.id,
    data: { ...(await dataOf(tx, newsletter, issue)), error: { message: error.message, code: error.code }, page },
  });
}

async function dataOf(tx: Db, { id, name, slug }: Named, issue: Issue) {
  const stats = await bulkSends.statsOf(tx, issue.workspaceId, [issue]);
  return {
    newsletter: { id, name, slug },
    issue: {
      id: issue.id,
      subject: issue.subject,
      status: issue.status,
      total_recipients: issue.totalRecipients,
      sent_at: issue.sentAt,
      stats: stats.get(issue.id),
    },
  };
}
