import type { AuditSource } from '#features/audit';
import { bulkSends, type PausedSend } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { issueSent } from '../../announcements.ts';
import type { Newsletter } from '../../newsletter.ts';
import { selectNewsletter } from '../../queries.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { Issue } from '../issue.ts';
import { publishIssueFailed, publishIssueSent } from './issue-events.ts';
import { findIssueOfSend, markIssueReleased, markSendFailed } from './move-queries.ts';
import { noteAuditEntries } from './note-audit-entries.ts';

type Auditing = Pick<NewslettersWiring, 'audit'>;

/** Everything of a send has left for the queue or was settled otherwise: its issue is sent. Twice is once. */
export async function finishIssue(
  tx: Db,
  auditing: Auditing,
  news: { workspaceId: string; sendId: string; total: number },
): Promise<void> {
  const issue = await markIssueReleased(tx, news.workspaceId, news.sendId, news.total);
  const newsletter = issue && (await newsletterOf(tx, issue));
  if (issue === undefined || newsletter === undefined) return;
  await publishIssueSent(tx, newsletter, issue);
  const { workspaceId, sendId } = news;
  await issueSent.announce(tx, { workspaceId, newsletterId: newsletter.id, issueId: issue.id, sendId });
  noteAuditEntries(tx, auditing, { issue, auditEntries: [{ action: 'sent', details: { total: news.total } }] });
}

/** A send cannot go on: its issue has failed, and whoever listens is told. */
export async function failIssueOfSend(
  tx: Db,
  auditing: Auditing,
  news: { workspaceId: string; sendId: string; code: string; message: string },
): Promise<void> {
  const error = { code: news.code, message: news.message };
  const issue = await markSendFailed(tx, news.workspaceId, news.sendId, error);
  const newsletter = issue && (await newsletterOf(tx, issue));
  if (issue === undefined || newsletter === undefined) return;
  const stats = (await bulkSends.statsOf(tx, issue.workspaceId, [issue])).get(issue.id);
  await publishIssueFailed(tx, newsletter, issue, error, Math.ceil((stats?.total ?? 0) / bulkSends.recipientsPerPage));
  noteAuditEntries(tx, auditing, {
    issue,
    auditEntries: [{ action: 'failed', details: { error: error.message, code: error.code } }],
  });
}

/**
 * A pause that nobody asked for stands in the log of its issue with the reason; its record shows it as long as it
 * lasts. The pause of a person is noted by their verb, with the number of emails that still leave.
 */
export async function notePause(
  tx: Db,
  auditing: Auditing,
  news: PausedSend & { reason: string; code: string | null; resumesAt: Date | null },
): Promise<void> {
  const { reason, code, resumesAt } = news;
  if (code === null) return;
  const issue = await findIssueOfSend(tx, news.workspaceId, news.sendId);
  const details = { reason, code, resumes_at: resumesAt };
  if (issue !== undefined) noteAuditEntries(tx, auditing, { issue, auditEntries: [{ action: 'paused', details }] });
}

export async function noteResume(tx: Db, auditing: Auditing, news: PausedSend & { by: AuditSource }): Promise<void> {
  const issue = await findIssueOfSend(tx, news.workspaceId, news.sendId);
  if (issue !== undefined)
    noteAuditEntries(tx, auditing, { issue, auditEntries: [{ action: 'resumed', details: {} }] }, news.by);
}

/** undefined: it is being deleted, and there is nobody to tell. */
const newsletterOf = (tx: Db, issue: Issue): Promise<Newsletter | undefined> =>
  selectNewsletter(tx, issue.workspaceId, issue.newsletterId);
