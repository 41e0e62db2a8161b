import { bulkSends } from '#features/outbox';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import type { Newsletter } from '../../newsletter.ts';
import { requireReady } from '../content/ready-issue.ts';
import { lockWithPausedSend } from '../get-issue.ts';
import { type Issue, whyClosed } from '../issue.ts';
import type { Done, IssuesCtx } from '../issues-ctx.ts';
import { insertVersions, updateIssue } from '../queries.ts';
import { requireMaySend } from './create-issue.ts';
import type { ChangeIssueInput, IssueContent } from './issue-input.ts';
import { withoutOldDocument } from './old-document.ts';

/** The texts that a reader gets. The document of an editor is stored beside it, and makes no version of its own. */
const MAILED = ['subject', 'preheader', 'htmlBody', 'textBody'] as const;

/**
 * Gives a paused issue the next version of its content. Subscribers who were not sent it yet get this version when it
 * goes on; an email that is being handed over keeps the version that its record says. Its place in the archive stays,
 * because mail that has left links to it. Called in a transaction.
 */
export async function changeWhilePaused(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issueId: string,
  { content, input }: { content: Partial<IssueContent>; input: ChangeIssueInput },
): Promise<Done> {
  const { workspaceId, id: newsletterId } = newsletter;
  const locked = await lockWithPausedSend({ db: ctx.db, workspaceId }, newsletterId, issueId);
  if (locked === undefined) throw notFound('issue', issueId);
  const { issue: before, isPaused } = locked;
  const { sendId } = before;
  if (before.status !== 'sending' || sendId === null) throw conflict(whyClosed(before));
  const after: Issue = { ...before, ...withoutOldDocument(before, content) };
  const mailed = changedFields(before, after, MAILED);
  const isStored = mailed !== null || changedFields(before, after, ['editor']) !== null;
  if (!isStored && !hasSchedule(before, input)) return { issue: before, auditEntries: [] };
  if (!isPaused) throw conflict(whyClosed(before));
  if (hasSchedule(before, input)) throw conflict('While an issue is paused, only its content may change.');
  requireMaySend(ctx);
  const changed: Issue = { ...after, updatedAt: ctx.clock.now() };
  await updateIssue(ctx.db, changed);
  if (mailed === null) return { issue: changed, auditEntries: [] };
  const { content: texts, personal, links } = await requireReady(ctx, newsletter, changed);
  const stored = await bulkSends.changeContent(ctx.db, { workspaceId, sendId }, { content: texts, personal, links });
  await insertVersions(ctx.db, changed, [
    { ...stored.before, issue: before },
    { ...stored.after, issue: changed },
  ]);
  const details = {
    version: stored.after.contentVersion,
    fields: Object.keys(mailed),
    // A body has up to 2 MB: the log says that it changed.
    changes: changedFields(before, after, ['subject', 'preheader']) ?? {},
  };
  return { issue: changed, auditEntries: [{ action: 'content_changed', details }] };
}

const hasSchedule = ({ scheduledFor, timezone: zone }: Issue, { scheduled_for, timezone }: ChangeIssueInput) =>
  typeof scheduled_for === 'string' ||
  (scheduled_for === null && scheduledFor !== null) ||
  (timezone !== undefined && timezone !== zone);
