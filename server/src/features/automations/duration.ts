import { ownEntry } from '#platform/own-entry.ts';

const DURATION = /^([1-9][0-9]{0,7}) (second|minute|hour|day|week)s?$/;
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};
const SECONDS_MAX = 366 * 86_400;

/** Seconds in `3 days`; undefined for what is none, or longer than a year. A day is 24 hours. */
export function secondsOf(duration: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(duration) ?? [];
  const seconds = Number(count) * (ownEntry(UNIT_SECONDS, unit) ?? Number.NaN);
  return seconds <= SECONDS_MAX ? seconds : undefined;
}

/** The seconds of a duration that was checked when it was stored. */
export function storedSeconds(duration: string): number {
  const seconds = secondsOf(duration);
  if (seconds === undefined) throw new Error('a stored duration cannot be read');
  return seconds;
}

/** The duration of `after:30 days`; null for `once` and `every`. */
export const reentryDuration = (reentry: string): string | null =>
  reentry.startsWith('after:') ? reentry.slice('after:'.length) : null;
