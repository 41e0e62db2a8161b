/** Days as the API writes them, `2026-12-01`: a day of a calendar, and no instant. */
import { firstWallTime, wallClock } from '../../lib/wall-time.ts';

export const VIEWS = ['month', 'week', 'day'] as const;
export type View = (typeof VIEWS)[number];

const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`);
const asDay = (date: Date): string => date.toISOString().slice(0, 10);

export const isDay = (text: string | undefined): text is string =>
  text !== undefined &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(utc(text).getTime()) &&
  asDay(utc(text)) === text;

export const addDays = (day: string, count: number): string => asDay(new Date(utc(day).getTime() + count * DAY_MS));

/** Weeks begin on Monday. */
const mondayOf = (day: string): string => addDays(day, -((utc(day).getUTCDay() + 6) % DAYS_OF_WEEK));

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;
const nextMonth = (day: string): string => firstOfMonth(addDays(firstOfMonth(day), 31));

/** Every day that a view shows: a month in whole weeks, at most six. */
export function daysOf(view: View, day: string): string[] {
  if (view === 'day') return [day];
  const start = view === 'week' ? mondayOf(day) : mondayOf(firstOfMonth(day));
  const end =
    view === 'week' ? addDays(start, DAYS_OF_WEEK) : addDays(mondayOf(addDays(nextMonth(day), -1)), DAYS_OF_WEEK);
  const days = [];
  for (let one = start; one < end; one = addDays(one, 1)) days.push(one);
  return days;
}

/** The day that the next or the last view begins with. */
export function stepFrom(view: View, day: string, direction: 1 | -1): string {
  if (view === 'day') return addDays(day, direction);
  if (view === 'week') return addDays(mondayOf(day), direction * DAYS_OF_WEEK);
  return direction === 1 ? nextMonth(day) : firstOfMonth(addDays(firstOfMonth(day), -1));
}

const monthWords = new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const dayWords = new Intl.DateTimeFormat('en', { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' });
const shortDay = new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'short', day: 'numeric' });
const shortDayYear = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
});

/** "Tuesday, December 1". */
export const inWords = (day: string): string => dayWords.format(utc(day));

/** "December 2026", "Nov 30 – Dec 6, 2026", "Tuesday, December 1". */
export function titleOf(view: View, day: string): string {
  if (view === 'day') return inWords(day);
  if (view === 'month') return monthWords.format(utc(day));
  const monday = mondayOf(day);
  return `${shortDay.format(utc(monday))} – ${shortDayYear.format(utc(addDays(monday, 6)))}`;
}

/** `09:00`, by the clock of a zone. */
export const clockAt = (at: string, zone: string): string => wallClock(Date.parse(at), zone).slice(11);

/**
 * Planned mail at the same time on another day of the calendar: by its own clock when a local time was asked for, which
 * then stays one; else by the clock of the calendar. `asked` is what the API takes.
 */
export function movedTo(
  {
    scheduled_for: was,
    timezone,
    wall_time: local,
  }: { scheduled_for: string; timezone: string | null; wall_time: string | null },
  day: string,
  zone: string,
): { asked: string; at: Date } {
  if (local === null || timezone === null) {
    const at = onDay(was, day, zone);
    return { asked: at.toISOString(), at };
  }
  const days = (utc(day).getTime() - utc(wallClock(Date.parse(was), zone).slice(0, 10)).getTime()) / DAY_MS;
  const asked = `${addDays(local.slice(0, 10), days)}${local.slice(10)}`;
  return { asked, at: new Date(firstWallTime(asked, timezone)) };
}

/** The same time of the clock on another day. */
function onDay(at: string, day: string, zone: string): Date {
  const seconds = Date.parse(at) % 60_000;
  return new Date(firstWallTime(`${day}T${clockAt(at, zone)}`, zone) + seconds);
}
