import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import { sentBy } from '#platform/http/context.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import type { Newsletter } from '../../newsletter.ts';
import { requireMaySend } from './create-issue.ts';
import { getIssue, getLockedIssue } from '../get-issue.ts';
import { changeWhilePaused } from './change-while-paused.ts';
import { withoutOldDocument } from './old-document.ts';
import { isOpen, type Issue, whyClosed } from '../issue.ts';
import { type ChangeIssueInput, readContent } from './issue-input.ts';
import { readIssueZone, readSchedule, type Schedule } from '../issue-schedule.ts';
import { freeSlug, slugOf } from './issue-slug.ts';
import { type AuditEntry, type Done, type IssuesCtx } from '../issues-ctx.ts';
import { lockSlugs, updateIssue } from '../queries.ts';
import { requireReady } from '../content/ready-issue.ts';

/**
 * Changes what is given of an issue that is not sent yet. `scheduled_for: null` makes a draft of a scheduled one; a
 * time reschedules it, and on a draft is only stored: sending it then schedules it. A scheduled issue must stay fit
 * to be sent. Of one that is being sent and is paused, the content changes for who has not been sent it yet.
 */
export async function changeIssue(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issueId: string,
  input: ChangeIssueInput,
): Promise<Done> {
  const content = await readContent(input);
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const { status } = await getIssue(inside, newsletter, issueId);
    // Of one that is being sent the send is held before it.
    if (status === 'sending') return changeWhilePaused(inside, newsletter, issueId, { content, input });
    const base = content.subject === undefined ? null : slugOf(content.subject);
    // Before the issue, in the order in which everybody holds the two.
    const taken = base === null ? new Set<string>() : await lockSlugs(tx, newsletter, base, issueId);
    if (taken === false) throw notFound('newsletter', newsletter.id);
    const before = await getLockedIssue(tx, newsletter, issueId);
    const schedule = await readNewSchedule(tx, newsletter, before, input);
    if (!isOpen(before.status)) throw conflict(whyClosed(before));
    const changes = { ...withoutOldDocument(before, content), ...schedule };
    const given = Object.keys(changes) as (keyof typeof changes)[]; // `keys` forgets them
    if (changedFields<Issue>(before, { ...before, ...changes }, given) === null)
      return { issue: before, auditEntries: [] };
    if (before.status === 'scheduled') requireMaySend(ctx);
    const issue = {
      ...before,
      ...changes,
      slug: base === null || base === baseOf(before) ? before.slug : freeSlug(base, taken),
      status: schedule.scheduledFor === null ? 'draft' : before.status,
      updatedAt: ctx.clock.now(),
    } satisfies Issue;
    const changed = { ...issue, sentBy: issue.status === 'draft' ? null : sentBy(ctx) };
    if (changed.status === 'scheduled') await requireReady(inside, newsletter, changed);
    await updateIssue(tx, changed);
    return { issue: changed, auditEntries: auditEntriesOf(before, changed) };
  });
}

const baseOf = (issue: Issue): string => slugOf(issue.subject);

/** The fields of the schedule that change; none when neither time nor zone is given. */
async function readNewSchedule(
  tx: Db,
  newsletter: Newsletter,
  before: Issue,
  { scheduled_for, timezone }: ChangeIssueInput,
): Promise<Partial<Schedule>> {
  if (scheduled_for === null) {
    const zone = timezone === undefined ? {} : { timezone: readIssueZone(timezone) };
    return { scheduledFor: null, scheduleNote: null, wallTime: null, ...zone };
  }
  if (scheduled_for !== undefined) {
    return readSchedule(
      tx,
      newsletter,
      { scheduled_for, ...(timezone === undefined ? {} : { timezone }) },
      timezone === undefined ? before.timezone : null,
    );
  }
  if (timezone === undefined) return {};
  const zone = readIssueZone(timezone);
  return zone === before.timezone ? {} : { timezone: zone, wallTime: null };
}

/** A body has up to 2 MB: the log says that it changed, and not what it was. */
const BODIES = ['htmlBody', 'textBody', 'editor'] as const;
const SHORT = ['subject', 'preheader', 'timezone'] as const;

function auditEntriesOf(before: Issue, after: Issue): AuditEntry[] {
  const auditEntries: AuditEntry[] = [];
  // A time that is set or taken off a scheduled issue has an entry of its own.
  const fields = before.status === 'draft' ? ([...SHORT, 'scheduledFor'] as const) : SHORT;
  const changes = changedFields(before, after, fields) ?? {};
  const names = [...Object.keys(changes), ...Object.keys(changedFields(before, after, BODIES) ?? {})];
  if (names.length > 0) auditEntries.push({ action: 'updated', details: { fields: names, changes } });
  if (before.status !== 'scheduled') return auditEntries;
  if (after.status === 'draft') auditEntries.push({ action: 'unscheduled', details: { was: before.scheduledFor } });
  else if (before.scheduledFor?.getTime() !== after.scheduledFor?.getTime()) {
    auditEntries.push({
      action: 'scheduled',
      details: { scheduled_for: after.scheduledFor, was: before.scheduledFor },
    });
  }
  return auditEntries;
}
