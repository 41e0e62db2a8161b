/**
 * Dates of templates. A date that names its offset from UTC is shown with that offset, every other one in UTC: the
 * same email on every server, whatever zone it stands in.
 */
export interface TemplateDate {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Its fields as those of UTC. */
  readonly shown: Date;
  /** Minutes east of UTC. */
  readonly offset: number;
  /** For `%Z`. */
  readonly zone: string;
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
const OFFSET = /:\d\d.*([+-])(\d\d):?(\d\d)$/;
const NAMED_ZONE = /(?:\b(?:Z|UTC?|GMT|[ECMP][SD]T)|:\d\dZ)$/i;
/** The longest texts that a date is written as have fewer characters. */
const CHARS_MAX = 100;

/** `zone`: an offset as of `Date.getTimezoneOffset`, or the name of a zone; throws RangeError when there is none. */
export function readDate(value: string | number, zone?: unknown): TemplateDate | undefined {
  const read = typeof value === 'number' ? { time: value * 1_000, offset: 0 } : readText(value.trim());
  if (read === undefined || !Number.isFinite(new Date(read.time).getTime())) return undefined;
  if (typeof zone === 'number') return dateAt(read.time, -zone, '');
  if (typeof zone === 'string') return dateAt(read.time, offsetOfZone(zone, read.time), zone);
  return dateAt(read.time, read.offset, read.offset === 0 ? 'UTC' : '');
}

const dateAt = (time: number, offset: number, zone: string): TemplateDate => ({
  time,
  offset,
  zone,
  shown: new Date(time + offset * 60_000),
});

function readText(text: string): { time: number; offset: number } | undefined {
  if (text === '' || text.length > CHARS_MAX) return undefined;
  if (/^\d+$/.test(text)) return { time: Number(text) * 1_000, offset: 0 };
  const [isIso, year, month, day, hours = 0, minutes = 0, seconds = 0, fraction = '0', zone = ''] =
    ISO.exec(text) ?? [];
  if (isIso === undefined) {
    const offset = minutesOf(OFFSET.exec(text));
    const time = Date.parse(offset !== 0 || NAMED_ZONE.test(text) || OFFSET.test(text) ? text : `${text} UTC`);
    return Number.isNaN(time) ? undefined : { time, offset };
  }
  if (Number(month) > 12 || Number(day) > 31 || Number(hours) > 24 || Number(minutes) > 59 || Number(seconds) > 60) {
    return undefined;
  }
  const offset = minutesOf(/([+-])(\d\d):?(\d\d)$/.exec(zone));
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds));
  return { time: local + Math.trunc(Number(`0.${fraction}`) * 1_000) - offset * 60_000, offset };
}

function minutesOf(match: RegExpExecArray | null): number {
  const [, sign, hours = 0, minutes = 0] = match ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function offsetOfZone(zone: string, time: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return Math.round((wall - time) / 60_000);
}
