import type { Static } from 'typebox';
import type { Faults } from '#platform/errors/faults.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import type { SendBody } from '../schemas.ts';

/** When a send is to leave, as it was asked for, and the request that is kept until then. */
export interface AskedSchedule {
  scheduledFor: string;
  timezone: string | null;
  /** How late it may leave; left out or null: as late as any. */
  maxDelaySeconds?: number | null;
  input: Partial<Static<typeof SendBody>>;
}

/** Judges a time as far as nobody has to be asked. Its faults stand beside those of the other fields. */
export async function judgeTime(
  { scheduledFor, timezone }: { scheduledFor?: unknown; timezone?: unknown },
  param: string,
  faults: Faults,
  now: Date,
): Promise<void> {
  const zone = typeof timezone === 'string' ? timezone : null;
  if (typeof scheduledFor !== 'string') {
    if (zone !== null) faults.unreadable('timezone', `timezone is the zone of ${param}, which is missing`);
    return;
  }
  const given = { param, text: scheduledFor, timezone: zone, zoneByDefault: 'UTC', now } as const;
  await faults.collect(() => readPlannedTime(given));
}
