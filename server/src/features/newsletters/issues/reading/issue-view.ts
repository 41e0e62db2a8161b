import type { AuditEntry } from '#features/audit';
import { localTimeIn } from '#platform/time/local-time.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { Issue, IssueSummary } from '../issue.ts';
import { type IssueStats, statsView } from './issue-stats.ts';

/** Why an issue does not move, when it should and does not. */
export interface ShownProgress {
  state: string;
  reason: string | null;
  since: Date | null;
}

/** As lists show it. */
export const issueInList = (
  issue: IssueSummary,
  newsletter: Newsletter,
  dashboardUrl: string,
  stats: IssueStats = statsView(),
) => ({
  id: issue.id,
  newsletter_id: issue.newsletterId,
  subject: issue.subject,
  preheader: issue.preheader,
  slug: issue.slug,
  status: issue.status,
  scheduled_for: issue.scheduledFor,
  timezone: issue.timezone,
  local_time: issue.scheduledFor && localTimeIn(issue.timezone ?? newsletter.timezone, issue.scheduledFor),
  schedule_note: issue.scheduleNote,
  started_at: issue.startedAt,
  sent_at: issue.sentAt,
  cancelled_at: issue.cancelledAt,
  failed_at: issue.failedAt,
  error: issue.error,
  error_code: issue.errorCode,
  total_recipients: issue.totalRecipients,
  archive_url: archiveUrlOf(issue, newsletter, dashboardUrl),
  stats,
  created_at: issue.createdAt,
  updated_at: issue.updatedAt,
});

/** Its bodies and what was done to it: shown by itself, and in lists that ask for it. */
export const issueBody = (issue: Pick<Issue, 'htmlBody' | 'textBody'>, auditLog: readonly AuditEntry[]) => ({
  html_body: issue.htmlBody,
  text_body: issue.textBody,
  audit_log: auditLog,
});

/** As it is shown by itself. */
export const issueView = (
  issue: Issue,
  newsletter: Newsletter,
  more: {
    dashboardUrl: string;
    stats: IssueStats | undefined;
    auditLog: readonly AuditEntry[];
    progress: ShownProgress | null;
  },
) => ({
  ...issueInList(issue, newsletter, more.dashboardUrl, more.stats),
  ...issueBody(issue, more.auditLog),
  progress: more.progress,
});

/** Only what was really sent is anybody's to read: a test key publishes nothing. */
const isPublished = (issue: Pick<IssueSummary, 'status' | 'sentBy'>): boolean =>
  issue.status === 'sent' && issue.sentBy?.mode !== 'test';

function archiveUrlOf(issue: IssueSummary, newsletter: Newsletter, dashboardUrl: string): string | null {
  if (!newsletter.archiveEnabled || !isPublished(issue)) return null;
  return `${dashboardUrl}/n/${newsletter.slug}/i/${encodeURIComponent(issue.slug)}`;
}
