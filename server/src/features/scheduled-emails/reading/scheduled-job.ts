import type { ScheduledItem, ScheduledJob } from '#features/emails';
import { maySeeMail } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { listOfBatch } from '../queries/of-batch.ts';
import { findScheduledEmail } from '../queries/one.ts';
import type { ScheduledStatus, ScheduledSummary } from '../scheduled-email.ts';
import { sizeOf } from '../stored-send.ts';

/** A send that was asked to leave later, by the id of its schedule. */
export async function findScheduledJob(ctx: Ctx, id: string): Promise<ScheduledJob | undefined> {
  const row = await findScheduledEmail(ctx.db, ctx.workspaceId, id);
  return row === undefined || !isShownTo(ctx, row) ? undefined : jobOf(row);
}

/** The items of a batch that were asked to leave later and have not begun, by the ids of their schedules. */
export async function listScheduledItems(ctx: Ctx, batch: { id: string; createdAt: Date }): Promise<ScheduledItem[]> {
  const rows = await listOfBatch(ctx.db, ctx.workspaceId, batch);
  return rows
    .filter((row) => isShownTo(ctx, row))
    .map((row) => ({
      ...jobOf(row),
      id: row.id,
      index: row.batchIndex ?? 0,
      to: (typeof row.body.to === 'string' ? row.body.to : row.body.to[0]) ?? null,
    }));
}

const isShownTo = ({ actor }: Ctx, { newsletterId }: ScheduledSummary): boolean =>
  maySeeMail(actor, { source: 'scheduled', newsletterId });

function jobOf(row: ScheduledSummary): ScheduledJob {
  const { jobId, batchId, scheduledFor, createdAt, updatedAt, error } = row;
  const status = shown(row.status);
  return {
    jobId,
    status,
    batchId,
    subject: row.body.subject ?? null,
    messages: sizeOf(row),
    scheduledFor,
    createdAt,
    endedAt: status === 'scheduled' ? null : updatedAt,
    error,
  };
}

/** One that has begun is shown by its job. */
const shown = (status: ScheduledStatus): ScheduledJob['status'] =>
  status === 'cancelled' || status === 'failed' ? status : 'scheduled';
