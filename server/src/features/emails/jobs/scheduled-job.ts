import type { Static } from 'typebox';
import { queue } from '#features/outbox';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { type PageRequest, readPage } from '#platform/http/paging.ts';
import { isUuid } from '#platform/ids.ts';
import { progressOf } from '../progress.ts';
import { followSend } from './follow-send.ts';
import { findSendRequest } from './queries.ts';
import type { JobQuery } from './schemas.ts';

/** A send that waits for its time, or has never begun. Until it begins it is known by the id of its schedule. */
export interface ScheduledJob {
  /** Once it has begun. */
  jobId: string | null;
  status: 'scheduled' | 'cancelled' | 'failed';
  batchId: string | null;
  /** Null: it comes from the template, when the email is rendered. */
  subject: string | null;
  /** Messages that it will be. */
  messages: number;
  scheduledFor: Date;
  createdAt: Date;
  endedAt: Date | null;
  error: string | null;
}

/** An item of a batch that waits for its time, or has never begun. */
export interface ScheduledItem extends ScheduledJob {
  id: string;
  index: number;
  /** The first of its recipients. */
  to: string | null;
}

export interface ScheduledJobPorts {
  /** The items of a batch that have not begun, as far as the caller is shown them. */
  listScheduledItems(ctx: Ctx, batch: { id: string; createdAt: Date }): Promise<ScheduledItem[]>;
  /** Undefined: there is none, or the caller is not shown it. */
  findScheduledJob(ctx: Ctx, id: string): Promise<ScheduledJob | undefined>;
}

/** The job behind an id that a send was answered with: its own, or that of its schedule. */
async function findScheduled(
  ctx: Ctx,
  id: string,
  ports: ScheduledJobPorts,
): Promise<{ jobId: string } | ScheduledJob> {
  if (!isUuid(id) || (await findSendRequest(ctx.db, ctx.workspaceId, id)) !== undefined) return { jobId: id };
  const found = await ports.findScheduledJob(ctx, id);
  if (found === undefined) throw notFound('send job', id);
  return found.jobId === null ? found : { jobId: found.jobId };
}

const hasBegun = (job: { jobId: string } | ScheduledJob): job is { jobId: string } => job.jobId !== null;

/** A job that waits is stopped by its schedule. */
export async function requireBegun(ctx: Ctx, id: string, ports: ScheduledJobPorts): Promise<string> {
  const job = await findScheduled(ctx, id, ports);
  if (hasBegun(job)) return job.jobId;
  throw conflict(
    job.status === 'scheduled'
      ? `This send waits for its time. Cancel it with DELETE /scheduled/${id}.`
      : `This send is ${job.status}.`,
  );
}

/** Where a send is, by its own id or that of its schedule. */
export async function followJob(ctx: Ctx, id: string, query: Static<typeof JobQuery>, ports: ScheduledJobPorts) {
  const job = await findScheduled(ctx, id, ports);
  // `id` is what was asked for; `jobId` is the send itself, by which its emails name it.
  return hasBegun(job)
    ? { ...(await followSend(ctx, job.jobId, query)), id }
    : followScheduled(ctx, id, job, readPage(query));
}

/** A job that has not begun, in the form of all jobs. */
async function followScheduled(ctx: Ctx, id: string, job: ScheduledJob, page: PageRequest) {
  const { status, messages, scheduledFor } = job;
  const isWaiting = status === 'scheduled';
  return {
    jobId: id,
    id,
    batchId: job.batchId,
    subject: job.subject,
    status,
    progress: progressOf({ [isWaiting ? 'pending' : status]: messages }),
    queue: { position: 0, ahead: 0, ratePerSecond: await queue.currentRate(ctx) },
    estimatedCompletionAt: isWaiting ? scheduledFor : null,
    estimateReason: isWaiting ? null : job.error,
    pausedAt: null,
    pauseReason: null,
    pauseCode: null,
    resumesAt: null,
    createdAt: job.createdAt,
    startedAt: null,
    completedAt: job.endedAt,
    emails: { data: [], page: page.page, limit: page.limit, total: 0, has_more: false },
  };
}
