import type { Static } from 'typebox';
import { type EmailStatus, queue, shownStatus } from '#features/outbox';
import { maySeeMail } from '#features/workspaces';
import { messageIdOf } from '#mail/headers/message-id.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { readPage } from '#platform/http/paging.ts';
import { isUuid } from '#platform/ids.ts';
import { jobStatusOf, type Progress, progressOf, storedStatuses } from '../progress.ts';
import { followBulk, pageOfBulkEmails } from './follow-bulk.ts';
import {
  countByStatus,
  findSendRequest,
  type JobEmailRow,
  pageOfJobEmails,
  type SendRequestRow,
  type StatusCountRow,
} from './queries.ts';
import type { JobQuery } from './schemas.ts';

export const WORKSPACE_PAUSED =
  'Sending is paused for this workspace. Its mail goes on by itself when the operator activates the workspace.';

/** Where a send is: counts, its place in the queue, and a page of its emails. */
export async function followSend(ctx: Ctx, jobId: string, query: Static<typeof JobQuery>) {
  const page = readPage(query);
  const job = await requireSend(ctx, jobId);
  if (job.bulkState !== null) return followBulkSend(ctx, job, query.status, page);
  const counts = await countByStatus(ctx.db, ctx.workspaceId, [job.id]);
  const statuses = query.status === undefined ? null : storedStatuses(query.status);
  const emails = await pageOfJobEmails(ctx.db, ctx.workspaceId, job.id, { statuses, ...page });
  const total = counts
    .filter((row) => statuses === null || statuses.includes(row.status))
    .reduce((sum, row) => sum + row.count, 0);
  return {
    jobId: job.id,
    id: job.id,
    batchId: job.batchId,
    subject: job.subject,
    ...(await followed(ctx, [job], counts)),
    emails: emailsView(job, page, {
      rows: emails,
      total,
      totalIsEstimate: false,
      hasMore: page.offset + emails.length < total,
    }),
  };
}

type Page = ReturnType<typeof readPage>;

interface Found {
  rows: readonly JobEmailRow[];
  total: number;
  totalIsEstimate: boolean;
  hasMore: boolean;
}

function emailsView(job: SendRequestRow, page: Page, found: Found) {
  return {
    data: found.rows.map((email) => ({
      id: email.id,
      to: email.to,
      status: shownStatus(email.status),
      messageId: job.givenMessageId ?? messageIdOf(email.id, job.fromDomain),
      lastEventAt: email.lastEventAt,
      error: email.error,
    })),
    page: page.page,
    limit: page.limit,
    total: found.total,
    ...(found.totalIsEstimate ? { total_is_estimate: true } : {}),
    has_more: found.hasMore,
  };
}

async function followBulkSend(ctx: Ctx, job: SendRequestRow, status: EmailStatus | undefined, page: Page) {
  const shown = await followBulk(ctx, job);
  const found = await pageOfBulkEmails(ctx, job.id, { ...page, status, total: shown.progress.total });
  return {
    jobId: job.id,
    id: job.id,
    batchId: job.batchId,
    subject: job.subject,
    ...shown,
    emails: emailsView(job, page, found),
  };
}

/** The send, or 404: not there, another workspace's, and mail that the caller is not shown. */
export async function requireSend(ctx: Ctx, id: string): Promise<SendRequestRow> {
  const job = isUuid(id) ? await findSendRequest(ctx.db, ctx.workspaceId, id) : undefined;
  if (job === undefined || !maySeeMail(ctx.actor, job)) throw notFound('send job', id);
  return job;
}

/** The fields that a job and a batch of jobs share. */
export async function followed(ctx: Ctx, jobs: readonly SendRequestRow[], counts: readonly StatusCountRow[]) {
  const progress = progressFrom(counts);
  const startedAt = earliest(counts.map((row) => row.firstAttemptAt));
  const isDone = progress.queued === 0;
  const pause = isDone ? null : await pauseOf(ctx, jobs);
  const status = statusFrom(jobs, progress, startedAt !== null, pause !== null);
  // Nobody knows when a paused send goes on.
  const place = isDone || pause !== null ? null : await placeOf(ctx, jobs, counts);
  const first = earliest(jobs.map((job) => job.createdAt)) ?? ctx.clock.now();
  return {
    status,
    progress,
    queue: {
      position: place === null ? 0 : place.ahead + 1,
      ahead: place?.ahead ?? 0,
      ratePerSecond: await queue.currentRate(ctx),
    },
    estimatedCompletionAt: place?.doneAt ?? null,
    estimateReason: reasonOf(isDone, place, pause),
    pausedAt: pause?.pausedAt ?? null,
    pauseReason: pause?.pauseReason ?? null,
    pauseCode: pause?.pauseCode ?? null,
    resumesAt: pause?.resumesAt ?? null,
    createdAt: first,
    startedAt,
    completedAt: isDone ? (latest(counts.map((row) => row.lastChangeAt)) ?? first) : null,
  };
}

const NOT_IN_THE_QUEUE =
  'Its emails are being handed over, or wait for another attempt or for an answer of the provider.';

/** Why there is no estimate; null: there is one, or nothing is left to be sent. */
function reasonOf(isDone: boolean, place: Place | null, pause: { pauseReason: string | null } | null): string | null {
  if (isDone || (place !== null && place.doneAt !== null)) return null;
  return place === null ? (pause?.pauseReason ?? NOT_IN_THE_QUEUE) : queue.hold.sentence;
}

/** Why nothing of these jobs leaves: all of them are paused, or their workspace is. */
async function pauseOf(ctx: Ctx, jobs: readonly SendRequestRow[]) {
  const [job] = jobs;
  if (job !== undefined && jobs.every(({ pausedAt }) => pausedAt !== null)) {
    const { pausedAt, pauseReason, pauseCode, resumesAt } = job;
    return { pausedAt, pauseReason, pauseCode, resumesAt };
  }
  const gate = job?.source === 'system' ? undefined : await queue.pausedGate(ctx);
  if (gate === undefined) return null;
  return {
    pausedAt: gate.since,
    pauseReason: WORKSPACE_PAUSED,
    pauseCode: 'workspace_paused' as const,
    resumesAt: null,
  };
}

interface Place {
  ahead: number;
  /** null: sending is held. */
  doneAt: Date | null;
}

/** From the first to the last of these jobs that still has something in the queue; null when nothing has. */
async function placeOf(
  ctx: Ctx,
  jobs: readonly SendRequestRow[],
  counts: readonly StatusCountRow[],
): Promise<Place | null> {
  const waiting = new Set(counts.filter((row) => row.status === 'queued').map((row) => row.sendId));
  const queued = jobs.filter((job) => waiting.has(job.id));
  const [head, last] = [queued.at(0), queued.at(-1)];
  if (head === undefined || last === undefined) return null;
  const start = await queue.positionOf(ctx, head.id);
  const end = last === head ? start : await queue.positionOf(ctx, last.id);
  if (start === undefined) return null;
  return { ahead: start.ahead, doneAt: (end ?? start).estimatedCompletionAt };
}

export function progressFrom(counts: readonly StatusCountRow[]): Progress {
  const sums: Record<string, number> = {};
  for (const row of counts) sums[row.status] = (sums[row.status] ?? 0) + row.count;
  return progressOf(sums);
}

export const statusFrom = (jobs: readonly SendRequestRow[], progress: Progress, started: boolean, paused = false) =>
  jobStatusOf(progress, {
    cancelled: jobs.length > 0 && jobs.every((job) => job.cancelledAt !== null),
    paused: paused || (jobs.length > 0 && jobs.every((job) => job.pausedAt !== null)),
    started,
  });

const times = (dates: readonly (Date | null)[]): number[] =>
  dates.flatMap((date) => (date === null ? [] : [date.getTime()]));

const earliest = (dates: readonly (Date | null)[]): Date | null => {
  const known = times(dates);
  return known.length === 0 ? null : new Date(Math.min(...known));
};

const latest = (dates: readonly (Date | null)[]): Date | null => {
  const known = times(dates);
  return known.length === 0 ? null : new Date(Math.max(...known));
};
