import type { Static } from 'typebox';
import { type AskedSchedule, judgeTime, type ReadSend, readSend } from '#features/emails';
import type { Faults } from '#platform/errors/faults.ts';
import type { RescheduleBody, ScheduleBody } from './schemas.ts';

export type ReadSchedule = ReadSend & { schedule: AskedSchedule };

/** Every fault of the email and of its time in one answer. */
export async function readNewSchedule(
  fields: Partial<Static<typeof ScheduleBody>>,
  faults: Faults,
  now: Date,
): Promise<ReadSchedule> {
  const { scheduled_for: scheduledFor, timezone, max_delay_seconds: maxDelay, ...input } = fields;
  await judgeTime({ scheduledFor, timezone }, 'scheduled_for', faults, now);
  const read = readSend(input, faults, now);
  // Without a time there was a fault.
  const time = { scheduledFor: scheduledFor ?? '', timezone: timezone ?? null, maxDelaySeconds: maxDelay ?? null };
  return { ...read, schedule: { ...time, input } };
}

export async function readNewTime(
  fields: Partial<Static<typeof RescheduleBody>>,
  faults: Faults,
  now: Date,
): Promise<Static<typeof RescheduleBody>> {
  const { scheduled_for: scheduledFor, timezone } = fields;
  await judgeTime({ scheduledFor, timezone }, 'scheduled_for', faults, now);
  return { ...fields, scheduled_for: scheduledFor ?? '' };
}
