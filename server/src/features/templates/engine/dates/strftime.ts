/** A date by a format of strftime, as Ruby writes it; English names. `%q` is the ending of an ordinal, as in 1st. */
import type { TemplateDate } from './template-date.ts';
import { ownEntry } from '#platform/own-entry.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAY_MS = 86_400_000;
// A width begins with no 0, which is a flag: were it both, a row of them could be read in as many ways as it is long.
const DIRECTIVE = /%([-_0^#:]*)([1-9]\d*)?([A-Za-z%])/g;
const WIDTH_MAX = 1_000;

type Field = (date: Date, of: TemplateDate) => string | number;

const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12;
const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
/** Weeks of the year that begin on this day of the week; days before the first one are in week 0. */
const weekFrom = (date: Date, first: number): number =>
  Math.floor((dayOfYear(date) + 6 - ((date.getUTCDay() + 7 - first) % 7)) / 7);
/** The Thursday of a week decides which year it belongs to (ISO 8601). */
const thursdayOf = (date: Date): Date => new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY_MS);
const half = (date: Date): string => (date.getUTCHours() < 12 ? 'AM' : 'PM');
const name = (names: readonly string[], at: number): string => names[at] ?? '';

const FIELDS: Readonly<Record<string, Field>> = {
  a: (date) => name(DAYS, date.getUTCDay()).slice(0, 3),
  A: (date) => name(DAYS, date.getUTCDay()),
  b: (date) => name(MONTHS, date.getUTCMonth()).slice(0, 3),
  B: (date) => name(MONTHS, date.getUTCMonth()),
  C: (date) => Math.floor(date.getUTCFullYear() / 100),
  d: (date) => date.getUTCDate(),
  e: (date) => date.getUTCDate(),
  g: (date) => thursdayOf(date).getUTCFullYear() % 100,
  G: (date) => thursdayOf(date).getUTCFullYear(),
  h: (date) => name(MONTHS, date.getUTCMonth()).slice(0, 3),
  H: (date) => date.getUTCHours(),
  I: hour12,
  j: dayOfYear,
  k: (date) => date.getUTCHours(),
  l: hour12,
  L: (date) => String(date.getUTCMilliseconds()).padStart(3, '0'),
  m: (date) => date.getUTCMonth() + 1,
  M: (date) => date.getUTCMinutes(),
  n: () => '\n',
  N: (date) => String(date.getUTCMilliseconds()).padStart(3, '0'),
  p: half,
  P: (date) => half(date).toLowerCase(),
  q: (date) => ordinalOf(date.getUTCDate()),
  s: (_, of) => Math.floor(of.time / 1_000),
  S: (date) => date.getUTCSeconds(),
  t: () => '\t',
  u: (date) => date.getUTCDay() || 7,
  U: (date) => weekFrom(date, 0),
  V: (date) => Math.floor((dayOfYear(thursdayOf(date)) + 6) / 7),
  w: (date) => date.getUTCDay(),
  W: (date) => weekFrom(date, 1),
  y: (date) => date.getUTCFullYear() % 100,
  Y: (date) => date.getUTCFullYear(),
  z: (_, of) => offsetOf(of.offset, ''),
  Z: (_, of) => of.zone,
  '%': () => '%',
};
const FORMATS: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  v: '%e-%^b-%Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};
const WIDTHS: Readonly<Record<string, number>> = { j: 3, s: 1, u: 1, w: 1, Y: 4, G: 4 };

/** A width counts as 1,000 at most: the result is that much longer than the format, and no more. */
export const strftime = (of: TemplateDate, format: string): string =>
  format.replace(DIRECTIVE, (written: string, flags: string, digits: string | undefined, directive: string) => {
    const width = Math.min(Number(digits ?? 0), WIDTH_MAX);
    const composed = ownEntry(FORMATS, directive);
    if (composed !== undefined) return strftime(of, composed).padStart(width);
    const value = ownEntry(FIELDS, directive)?.(of.shown, of);
    if (value === undefined) return written;
    if (directive === 'z' && flags.includes(':')) return offsetOf(of.offset, ':');
    if (directive === 'L' || directive === 'N') return fraction(String(value), directive, width);
    return shown(value, { flags, directive, width });
  });

function shown(
  value: string | number,
  { flags, directive, width }: { flags: string; directive: string; width: number },
): string {
  if (typeof value === 'string') {
    const text = flags.includes('#') && directive === 'p' ? value.toLowerCase() : value;
    const isUpper = flags.includes('^') || (flags.includes('#') && directive !== 'p');
    return (isUpper ? text.toUpperCase() : text).padStart(width, flags.includes('0') ? '0' : ' ');
  }
  if (flags.includes('-')) return String(value);
  const blank = flags.includes('_') || ('ekl'.includes(directive) && !flags.includes('0'));
  return String(value).padStart(width || (ownEntry(WIDTHS, directive) ?? 2), blank ? ' ' : '0');
}

function fraction(millis: string, directive: string, width: number): string {
  const digits = width || (directive === 'L' ? 3 : 9);
  return millis.slice(0, digits).padEnd(digits, '0');
}

function offsetOf(minutes: number, between: string): string {
  const size = Math.abs(minutes);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${between}${two(size % 60)}`;
}

function ordinalOf(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}
