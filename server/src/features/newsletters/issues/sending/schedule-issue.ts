import { type Db, inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import { sentBy } from '#platform/http/context.ts';
import { storedTimeOfNow } from '#platform/time/wall-time.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getLockedIssue } from '../get-issue.ts';
import { isOpen, type Issue, whyClosed } from '../issue.ts';
import { readSchedule, requireWithinBounds, type Schedule, type ScheduleInput } from '../issue-schedule.ts';
import { type Done, type IssuesCtx } from '../issues-ctx.ts';
import { updateIssue } from '../queries.ts';
import { requireReady, requireReadyAnew } from '../content/ready-issue.ts';

/** Schedules a draft, or a scheduled issue for another time. */
export async function scheduleIssue(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issueId: string,
  input: ScheduleInput,
): Promise<Done> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await getLockedIssue(tx, newsletter, issueId);
    const schedule = await readSchedule(tx, newsletter, input, input.timezone === undefined ? before.timezone : null);
    if (!isOpen(before.status)) throw conflict(whyClosed(before));
    return store({ ...ctx, db: tx }, newsletter, before, schedule);
  });
}

/** Schedules a draft for the time that is stored in it. */
export async function scheduleAsStored(
  ctx: IssuesCtx & { db: Db },
  newsletter: Newsletter,
  draft: Issue,
): Promise<Done> {
  const schedule = await storedTimeOfNow(draft);
  if (schedule.scheduledFor !== null) await requireWithinBounds(ctx.db, schedule.scheduledFor);
  return store(ctx, newsletter, draft, schedule);
}

async function store(ctx: IssuesCtx, newsletter: Newsletter, before: Issue, schedule: Schedule): Promise<Done> {
  const issue: Issue = {
    ...before,
    ...schedule,
    status: 'scheduled',
    sentBy: sentBy(ctx),
    updatedAt: ctx.clock.now(),
  };
  await (before.status === 'scheduled' ? requireReady : requireReadyAnew)(ctx, newsletter, issue);
  await updateIssue(ctx.db, issue);
  const was = before.status === 'scheduled' ? { was: before.scheduledFor } : {};
  return { issue, auditEntries: [{ action: 'scheduled', details: { scheduled_for: schedule.scheduledFor, ...was } }] };
}
