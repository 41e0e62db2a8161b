import { inTransaction } from '#platform/db/database.ts';
import { forbidden, notFound } from '#platform/errors/app-error.ts';
import { sentBy } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { Newsletter } from '../../newsletter.ts';
import type { Issue } from '../issue.ts';
import { type ContentInput, readContent } from './issue-input.ts';
import { readIssueZone, readSchedule, type Schedule } from '../issue-schedule.ts';
import { freeSlug, slugOf } from './issue-slug.ts';
import { type Done, type IssuesCtx } from '../issues-ctx.ts';
import { insertIssue, lockSlugs } from '../queries.ts';
import { requireReadyAnew } from '../content/ready-issue.ts';

export interface NewIssueInput extends ContentInput {
  subject: string;
  html_body: string;
  scheduled_for?: string | null;
  timezone?: string | null;
}

/** Makes a draft or, with a time, a scheduled issue: then everything that scheduling asks for is asked for here. */
export async function createIssue(ctx: IssuesCtx, newsletter: Newsletter, input: NewIssueInput): Promise<Done> {
  const content = await readContent(input);
  const schedule = await readFirstSchedule(ctx, newsletter, input);
  const isScheduled = schedule.scheduledFor !== null;
  if (isScheduled) requireMaySend(ctx);
  const draft = newIssue(ctx, newsletter, {
    subject: input.subject,
    htmlBody: input.html_body,
    preheader: content.preheader ?? null,
    textBody: content.textBody ?? null,
    editor: content.editor ?? null,
  });
  const issue = { ...draft, ...schedule, sentBy: isScheduled ? sentBy(ctx) : null };
  if (isScheduled) await requireReadyAnew(ctx, newsletter, issue);
  const stored = await storeIssue(ctx, newsletter, { ...issue, status: isScheduled ? 'scheduled' : 'draft' });
  const { scheduledFor } = stored;
  return {
    issue: stored,
    auditEntries: [
      { action: 'created', details: {} },
      ...(scheduledFor === null ? [] : [{ action: 'scheduled', details: { scheduled_for: scheduledFor } }]),
    ],
  };
}

async function readFirstSchedule(ctx: IssuesCtx, newsletter: Newsletter, input: NewIssueInput): Promise<Schedule> {
  const { scheduled_for, timezone = null } = input;
  if (scheduled_for === undefined || scheduled_for === null) {
    return { scheduledFor: null, timezone: readIssueZone(timezone), scheduleNote: null, wallTime: null };
  }
  return readSchedule(ctx.db, newsletter, { scheduled_for, timezone });
}

/** A time that is set decides that an issue goes out, which not everybody may who writes one. */
export function requireMaySend({ actor }: Pick<IssuesCtx, 'actor'>): void {
  if (actor.may('issues:send')) return;
  throw forbidden(
    actor.type === 'api_key'
      ? 'This key needs the scope "issues:send" to schedule an issue, and to change one that is scheduled or paused.'
      : `Your role "${actor.role ?? 'none'}" does not allow scheduling an issue, nor changing one that is scheduled or paused.`,
  );
}

export function newIssue(
  ctx: Pick<IssuesCtx, 'clock'>,
  newsletter: Newsletter,
  content: Pick<Issue, 'subject' | 'htmlBody' | 'preheader' | 'textBody' | 'editor'>,
): Issue {
  const now = ctx.clock.now();
  return {
    ...content,
    workspaceId: newsletter.workspaceId,
    id: newId(),
    newsletterId: newsletter.id,
    slug: slugOf(content.subject),
    status: 'draft',
    scheduledFor: null,
    timezone: null,
    scheduleNote: null,
    wallTime: null,
    startedAt: null,
    sentAt: null,
    finishedAt: null,
    cancelledAt: null,
    failedAt: null,
    error: null,
    errorCode: null,
    sentBy: null,
    totalRecipients: null,
    sendId: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Stores a new issue under the first slug like its own that is free. 404 when the newsletter was deleted meanwhile. */
export const storeIssue = (ctx: Pick<IssuesCtx, 'db'>, newsletter: Newsletter, issue: Issue): Promise<Issue> =>
  inTransaction(ctx.db, async (tx) => {
    const taken = await lockSlugs(tx, newsletter, issue.slug, null);
    if (taken === false) throw notFound('newsletter', newsletter.id);
    const stored = { ...issue, slug: freeSlug(issue.slug, taken) };
    await insertIssue(tx, stored);
    return stored;
  });
