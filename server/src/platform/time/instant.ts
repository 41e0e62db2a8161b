const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Of the islands furthest east: +14:00. */
const OFFSET_HOURS_MAX = 14;

/** A date and a time of day as a calendar and a clock on the wall show them. */
export interface WallTime {
  year: number;
  /** 1 to 12 */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

/**
 * An instant as RFC 3339 writes it (or, as ISO 8601 allows, without seconds): with an offset, on a day and at a time
 * of day that exist. `Date` alone would take 30 February for 2 March and 24:00 for the next day. Leap seconds (`:60`)
 * are refused: no clock of ours shows one. Of up to nine digits after the second, what is below the millisecond is
 * cut off. Undefined: it is none.
 */
export function parseInstant(text: string): Date | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const wall = wallTimeOf(parts);
  const [offsetHour, offsetMinute] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (!exists(wall) || offsetHour > OFFSET_HOURS_MAX || offsetMinute > 59) return undefined;
  const offsetMs = (parts[8] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  return new Date(msAsUtc(wall) - offsetMs);
}

export const isInstant = (text: string): boolean => parseInstant(text) !== undefined;

/** From the groups year, month, day, hour, minute, second (may be absent) and digits after the second (may be too). */
export function wallTimeOf(parts: readonly (string | undefined)[]): WallTime {
  const number = (group: number): number => Number(parts[group] ?? 0);
  return {
    year: number(1),
    month: number(2),
    day: number(3),
    hour: number(4),
    minute: number(5),
    second: number(6),
    millisecond: Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0')),
  };
}

/** True for a day of the calendar and a time of day from 00:00:00 to 23:59:59. */
export function exists(wall: WallTime): boolean {
  const { year, month, day, hour, minute, second } = wall;
  if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  return day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * The milliseconds since 1970 at which a clock in UTC shows it. `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
 */
function msAsUtc(wall: WallTime): number {
  const date = new Date(0);
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  return date.setUTCHours(wall.hour, wall.minute, wall.second, wall.millisecond);
}
