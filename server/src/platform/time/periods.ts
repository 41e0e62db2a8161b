import { invalid } from '#platform/errors/app-error.ts';
import { parseInstant } from './instant.ts';

export const GRANULARITIES = ['hour', 'day', 'week', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Twelve weeks of hours, five years of days. */
export const PERIODS_MAX = 2_000;
const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DEFAULT_DAYS = 30;
const DATE = /^\d{4}-\d\d-\d\d$/;

export interface Span {
  /** As it was asked for: an instant, or a day in the zone. */
  start: string | undefined;
  end: string | undefined;
  granularity: Granularity;
  zone: string;
  now: Date;
}

export interface Periods {
  /** The first moments of the periods, and the end of the last. */
  bounds: Date[];
  /** One for each period: `2026-11-20T14:00+01:00` (hour), `2026-11-20` (day, or the Monday of a week), `2026-11`. */
  labels: string[];
}

type Temporal = typeof import('temporal-polyfill').Temporal;
type ZonedDateTime = InstanceType<Temporal['ZonedDateTime']>;

/**
 * Cuts a span into the hours, days, weeks (from Monday) or months of a zone. The first and the last are cut to the
 * span. A day of a change of the clocks has 23, 24.5 or 25 hours.
 */
export async function readPeriods({ start, end, granularity, zone, now }: Span): Promise<Periods> {
  const { Temporal } = await import('temporal-polyfill');
  const until = end === undefined ? ceilQuarter(now) : readMoment(Temporal, 'end', end, zone);
  const since = start === undefined ? daysBefore(Temporal, until, zone) : readMoment(Temporal, 'start', start, zone);
  if (since >= until) throw invalid('start', 'start must be before end.');
  const bounds: Date[] = [];
  const labels: string[] = [];
  let period = periodOf(Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(zone), granularity);
  for (let at = since; at < until; ) {
    if (labels.length === PERIODS_MAX) {
      throw invalid('granularity', `From start to end there are more than ${PERIODS_MAX} periods. Use longer ones.`);
    }
    bounds.push(new Date(at));
    labels.push(labelOf(period, granularity));
    if (granularity === 'hour') period = addSteadyHours(period, until, { bounds, labels });
    period = nextPeriod(period, granularity);
    at = period.epochMilliseconds;
  }
  return { bounds: [...bounds, new Date(until)], labels };
}

const ceilQuarter = (at: Date): number => Math.ceil((at.getTime() + 1) / QUARTER_MS) * QUARTER_MS;

const daysBefore = (temporal: Temporal, until: number, zone: string): number =>
  temporal.Instant.fromEpochMilliseconds(until - 1)
    .toZonedDateTimeISO(zone)
    .startOfDay()
    .subtract({ days: DEFAULT_DAYS - 1 })
    .startOfDay().epochMilliseconds;

/** Counts are kept by quarters of an hour, in which the days of every zone begin. */
function readMoment(temporal: Temporal, param: 'start' | 'end', text: string, zone: string): number {
  const ms = DATE.test(text) ? startOfDate(temporal, text, zone) : parseInstant(text)?.getTime();
  if (ms === undefined) {
    throw invalid(param, `${param} must be a day such as 2026-11-20, or an instant such as 2026-11-20T09:00:00Z.`);
  }
  if (ms % QUARTER_MS !== 0) throw invalid(param, `${param} must be a full quarter of an hour.`);
  if (ms < 0 || ms > MOMENT_MAX) throw invalid(param, `${param} must be between 1970 and 9998.`);
  return ms;
}

const MOMENT_MAX = Date.UTC(9998, 11, 31);

function startOfDate(temporal: Temporal, text: string, zone: string): number | undefined {
  try {
    return temporal.PlainDate.from(text, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return undefined; // RangeError: there is no such day
  }
}

function periodOf(at: ZonedDateTime, granularity: Granularity): ZonedDateTime {
  if (granularity === 'hour') return at.round({ smallestUnit: 'hour', roundingMode: 'floor' });
  const day = at.startOfDay();
  if (granularity === 'day') return day;
  const first = granularity === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
  return first.startOfDay();
}

function nextPeriod(period: ZonedDateTime, granularity: Granularity): ZonedDateTime {
  if (granularity !== 'hour') return period.add({ [`${granularity}s`]: 1 }).startOfDay();
  const later = period.add({ hours: 1 });
  const next = later.minute === 0 ? later : later.round({ smallestUnit: 'hour', roundingMode: 'floor' });
  // Lord Howe Island puts its clocks back by half an hour: the second half of an hour is a period of its own.
  return next.epochMilliseconds > period.epochMilliseconds ? next : later;
}

/**
 * Adds the hours from this one to the next change of the clocks, and returns the last of them. By arithmetic: Temporal
 * takes 15 µs for each of up to two thousand.
 */
function addSteadyHours(period: ZonedDateTime, until: number, { bounds, labels }: Periods): ZonedDateTime {
  if (period.minute !== 0) return period;
  const end = Math.min(until, period.getTimeZoneTransition('next')?.epochMilliseconds ?? until);
  const first = period.epochMilliseconds;
  let last = first;
  while (last + HOUR_MS < end && labels.length < PERIODS_MAX) {
    last += HOUR_MS;
    bounds.push(new Date(last));
    const wall = new Date(last + period.offsetNanoseconds / 1_000_000).toISOString();
    labels.push(`${wall.slice(0, 16)}${period.offset}`);
  }
  return period.add({ milliseconds: last - first });
}

function labelOf(period: ZonedDateTime, granularity: Granularity): string {
  const date = period.toPlainDate().toString();
  if (granularity === 'hour') {
    return `${date}T${two(period.hour)}:${two(period.minute)}${period.offset}`;
  }
  return granularity === 'month' ? date.slice(0, -3) : date;
}

const two = (value: number): string => String(value).padStart(2, '0');
