import type { Ctx } from '#platform/http/context.ts';
import { addressCount } from '../accepted-email.ts';
import { fillSend } from '../fill-send.ts';
import type { ReadSend } from '../read-send.ts';
import type { ScheduledSend, SchedulePorts } from './schedule.ts';
import type { AskedSchedule } from './asked-schedule.ts';

/** Keeps one send until its time comes. Nobody is on the suppression list yet: that is looked at when it is sent. */
export async function scheduleEmail(ctx: Ctx, given: ReadSend & { schedule: AskedSchedule }, ports: SchedulePorts) {
  const read = { ...(await fillSend(ctx, given)), schedule: given.schedule };
  const scheduled = await ports.schedule(ctx, read, { param: 'scheduledFor', isLimited: true });
  return {
    success: true as const,
    ...scheduledAnswer(scheduled),
    accepted: read.grouped === null ? read.to.length : addressCount(read),
    suppressed: 0,
    estimatedCompletionAt: scheduled.scheduledFor,
    message: `Scheduled for ${scheduled.scheduledFor.toISOString()}`,
  };
}

/** The fields of every send that is kept for later. Its job has the same id until it begins. */
export const scheduledAnswer = ({ id }: ScheduledSend) => ({
  jobId: id,
  scheduledId: id,
  status: 'scheduled' as const,
  emails: [],
});
