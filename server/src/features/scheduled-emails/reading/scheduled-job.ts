import type { ScheduledJob } from '#features/emails';
import { maySeeMail } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { findScheduledEmail } from '../queries/one.ts';
import type { ScheduledStatus } from '../scheduled-email.ts';
import { sizeOf } from '../stored-send.ts';

/** A send that was asked to leave later, by the id of its schedule. */
export async function findScheduledJob(ctx: Ctx, id: string): Promise<ScheduledJob | undefined> {
  const row = await findScheduledEmail(ctx.db, ctx.workspaceId, id);
  if (row === undefined || !maySeeMail(ctx.actor, { source: 'scheduled', newsletterId: row.newsletterId })) {
    return undefined;
  }
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
