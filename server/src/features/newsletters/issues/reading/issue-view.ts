import type { AuditEntry } from '#features/audit';
import { localTimeIn } from '#platform/time/local-time.ts';
import type { Newsletter } from '../../newsletter.ts';
import { BODIES, EDITOR, ISSUE, type Issue, type IssueSummary } from '../issue.ts';
import { bulkSends } from '#features/outbox';
import type { Correction } from '../corrections/correction.ts';
import type { IssueStats } from '../issue-stats.ts';

/** Why an issue does not move, when it should and does not. */
export interface ShownProgress {
  state: string;
  reason: string | null;
  /** The cause of a pause, for programs. */
  code: string | null;
  since: Date | null;
  resumesAt: Date | null;
}

const progressView = ({ resumesAt, ...progress }: ShownProgress) => ({ ...progress, resumes_at: resumesAt });

/** As lists show it. */
export const issueInList = (
  issue: IssueSummary,
  newsletter: Newsletter,
  dashboardUrl: string,
  stats: IssueStats = bulkSends.noStats,
) =>
  ISSUE.view(issue, {
    local_time: issue.scheduledFor && localTimeIn(issue.timezone ?? newsletter.timezone, issue.scheduledFor),
    archive_url: archiveUrlOf(issue, newsletter, dashboardUrl),
    stats,
  });

/** Its bodies and what was done to it: shown by itself, and in lists that ask for it. */
export const issueBody = (bodies: Pick<Issue, 'htmlBody' | 'textBody'>, auditLog: readonly AuditEntry[]) => ({
  ...BODIES.view(bodies, {}),
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
    corrected: Correction | undefined;
  },
) => ({
  ...issueInList(issue, newsletter, more.dashboardUrl, more.stats),
  ...issueBody(issue, more.auditLog),
  ...EDITOR.view(issue, {}),
  corrects: more.corrected ? { id: more.corrected.correctsId, content_version: more.corrected.contentVersion } : null,
  progress: more.progress && progressView(more.progress),
});

/** Only what was really sent is anybody's to read: a test key publishes nothing. */
const isPublished = (issue: Pick<IssueSummary, 'status' | 'sentBy'>): boolean =>
  issue.status === 'sent' && issue.sentBy?.mode !== 'test';

function archiveUrlOf(issue: IssueSummary, newsletter: Newsletter, dashboardUrl: string): string | null {
  if (!newsletter.archiveEnabled || !isPublished(issue)) return null;
  return `${dashboardUrl}/n/${newsletter.slug}/i/${encodeURIComponent(issue.slug)}`;
}
