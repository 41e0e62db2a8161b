import type { Static } from 'typebox';
import { type AskedSchedule, judgeTime, type ReadSend, readSend } from '#features/emails';
import type { Faults } from '#platform/errors/faults.ts';
import type { ChangeBody, RescheduleBody, ScheduleBody } from './schemas.ts';

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

/**
 * The faults that the given fields of a change have by themselves. Stand-ins take the places of a sender and a text
 * that are not given, so that their lack, and what depends on them, is judged where the whole email is known.
 */
export function readChange(
  fields: Partial<Static<typeof ChangeBody>>,
  faults: Faults,
  now: Date,
): Static<typeof ChangeBody> {
  const { max_delay_seconds: _late, recipientVariables, templateVersion, ...given } = fields;
  const isOfTemplate = !isBlank(given.templateId);
  const stands = {
    from: given.from ?? 'someone@posthorn.test',
    subject: given.subject === undefined || isBlank(given.subject) ? '-' : given.subject,
    ...(isBlank(given.html) && isBlank(given.text) ? { text: '-' } : {}),
  };
  const judged = {
    ...given,
    ...(isOfTemplate ? { templateVersion: templateVersion ?? null } : stands),
    ...(given.to === undefined ? { to: [] } : { recipientVariables: recipientVariables ?? null }),
  };
  readSend(judged, faults, now);
  return fields;
}

const isBlank = (text: string | null | undefined): boolean => typeof text !== 'string' || text.trim() === '';
