import { onCommit } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { bulkSends } from '#features/outbox';
import { findCorrection } from '../corrections/correction-queries.ts';
import type { Issue } from '../issue.ts';
import { issueView, type ShownProgress } from './issue-view.ts';
import { type Done, targetOf } from '../issues-ctx.ts';
import { isWorkspacePaused } from './paused-queries.ts';
import { outcomeSentence } from './outcome-sentence.ts';

/** The whole record of an issue, as it is now. */
export async function readIssue(ctx: Ctx, { audit }: NewslettersWiring, newsletter: Newsletter, issue: Issue) {
  const auditLog = await audit.read(issue.workspaceId, 'issue', issue.id);
  return viewOf(ctx, newsletter, issue, auditLog);
}

/**
 * The record after something was done to it, which is noted now and stored once it is committed: the answer shows it
 * already.
 */
export async function recordAndRead(ctx: Ctx, wiring: NewslettersWiring, newsletter: Newsletter, done: Done) {
  const { issue } = done;
  const before = await wiring.audit.read(issue.workspaceId, 'issue', issue.id);
  const at = ctx.clock.now();
  recordAuditEntries(ctx, wiring, done, at);
  const added = done.auditEntries.map(({ action, details }) => ({
    at: at.toISOString(),
    action,
    ...withDetails(details),
  }));
  return viewOf(ctx, newsletter, issue, [...before, ...added]);
}

/** Notes what was done once it is committed; what is rolled back was not. */
export function recordAuditEntries(
  ctx: Ctx,
  { audit }: Pick<NewslettersWiring, 'audit'>,
  { issue, auditEntries }: Done,
  at = ctx.clock.now(),
): void {
  onCommit(ctx.db, () => {
    for (const auditEntry of auditEntries) audit.record(ctx, { ...auditEntry, ...targetOf(issue), at });
  });
}

/** As they are read again from the log: JSON. */
const withDetails = (details: Record<string, unknown> | undefined): { details?: Record<string, unknown> } =>
  details === undefined ? {} : { details: JSON.parse(JSON.stringify(details)) };

async function viewOf(
  ctx: Ctx,
  newsletter: Newsletter,
  issue: Issue,
  auditLog: Parameters<typeof issueView>[2]['auditLog'],
) {
  const stats = (await bulkSends.statsOf(ctx.db, issue.workspaceId, [issue])).get(issue.id);
  const read = await readProgress(ctx, issue);
  const progress = read?.state === 'done' && stats !== undefined ? { ...read, reason: outcomeSentence(stats) } : read;
  const { dashboardUrl } = ctx.settings;
  const corrected = await findCorrection(ctx.db, issue);
  return issueView(issue, newsletter, { dashboardUrl, stats, auditLog, progress, corrected });
}

/** null: there is nothing to be said, since it is not on its way. */
async function readProgress(ctx: Ctx, issue: Issue): Promise<ShownProgress | null> {
  const { workspaceId, sendId } = issue;
  if (sendId !== null) return bulkSends.progressOf(ctx.db, { workspaceId, sendId });
  if (issue.status !== 'scheduled' || issue.scheduledFor === null || issue.scheduledFor > ctx.clock.now()) return null;
  if (await isWorkspacePaused(ctx.db, workspaceId)) {
    return {
      state: 'paused',
      reason: 'Sending is paused for this workspace. The issue is sent as soon as the operator activates it.',
      code: 'workspace_paused',
      since: issue.scheduledFor,
      resumesAt: null,
    };
  }
  const reason = 'Its time has come; it starts in a moment.';
  return { state: 'waiting', reason, code: null, since: issue.scheduledFor, resumesAt: null };
}
