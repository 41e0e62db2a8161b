import { once } from './once.ts';
import { firstWallTime, wallClock } from './wall-time.ts';
import { personZone } from './zone.ts';

/** Times in the zone of the person. */
const timeZone = once(personZone);
const formatter = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat('en', { timeZone: timeZone(), ...options }));
const relative = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' }));
const shortDay = formatter({ month: 'short', day: 'numeric' });
const shortDayYear = formatter({ year: 'numeric', month: 'short', day: 'numeric' });
const yearOf = formatter({ year: 'numeric' });
const exact = formatter({
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  // Not `hour12: false`: older engines then say 24:05 for five past midnight.
  hourCycle: 'h23',
  timeZoneName: 'short',
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "just now", "4m ago", "3h ago", "yesterday", "in 5d", then the day. Ends of lists show many of these at once. */
export function relativeTime(at: string | Date, now: number): string {
  const time = new Date(at);
  const distance = time.getTime() - now;
  const size = Math.abs(distance);
  // The clock of a page is up to 15 seconds behind (`use-now.ts`): a time that is little ahead of it has come.
  if (distance > -10_000 && distance < 15_000) return 'just now';
  if (size < MINUTE) return relative().format(Math.round(distance / 1000), 'second');
  if (size < HOUR) return relative().format(Math.trunc(distance / MINUTE), 'minute');
  if (size < DAY) return relative().format(Math.trunc(distance / HOUR), 'hour');
  if (size < 7 * DAY) return relative().format(Math.trunc(distance / DAY), 'day');
  return (yearOf().format(time) === yearOf().format(now) ? shortDay() : shortDayYear()).format(time);
}

/** "in 5m", and "in a moment" from then on: a time at which something is to happen. */
export const plannedTime = (at: string | Date, now: number): string =>
  new Date(at).getTime() - now < 15_000 ? 'in a moment' : relativeTime(at, now);

/** "Dec 1, 2026": a day that lies ahead, in the zone of the person. */
export const dayOf = (at: string | Date): string => shortDayYear().format(new Date(at));

/** The exact instant in the person's zone, with the zone. */
export const exactTime = (at: string | Date): string => exact().format(new Date(at));

/** The same instant as the API writes it, to copy into a request. */
export const utcTime = (at: string | Date): string => new Date(at).toISOString();

/** As `<input type="datetime-local">` writes an instant: in the person's zone, to the minute. */
export const asLocalInput = (at: string | Date): string => wallClock(new Date(at).getTime(), timeZone());

/** The instant of such an input, as the API takes it. */
export const fromLocalInput = (text: string): string => new Date(firstWallTime(text, timeZone())).toISOString();

/** "340 ms", "2.4 s", "3 min 20 s", "2 h 5 min". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.round((ms % MINUTE) / 1000)} s`;
  return `${Math.floor(ms / HOUR)} h ${Math.round((ms % HOUR) / MINUTE)} min`;
}
