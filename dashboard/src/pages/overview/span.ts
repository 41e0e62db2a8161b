import { once } from '../../lib/once.ts';
import { wallClock } from '../../lib/wall-time.ts';

/** A stretch of time that the page shows. Days are days of the workspace's zone. */
export interface Span {
  range: RangeId;
  by: 'hour' | 'day';
  /** For the API: a day, or an instant at a full hour. */
  start: string;
}

export const RANGES = [
  { value: '24h', label: '24 hours', days: 1 },
  { value: '7d', label: '7 days', days: 7 },
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
] as const;
export type RangeId = (typeof RANGES)[number]['value'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** 90 days of hours are more than one answer has. A day is shown by hour unless the address says otherwise. */
export function readSpan(range: string | undefined, by: string | undefined, timezone: string, now: number): Span {
  const { value, days } = RANGES.find((one) => one.value === range) ?? RANGES[1];
  const usual = value === '24h' ? 'hour' : 'day';
  const granularity = value !== '90d' && (by === 'hour' || by === 'day') ? by : usual;
  if (value === '24h' && granularity === 'hour') {
    const start = Math.floor(now / HOUR_MS) * HOUR_MS - 23 * HOUR_MS;
    return { range: value, by: 'hour', start: new Date(start).toISOString() };
  }
  // Counted from noon in UTC, so that a change of the clocks moves no day.
  const today = Date.parse(`${dayIn(timezone, now)}T12:00:00Z`);
  const start = new Date(today - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return { range: value, by: granularity, start };
}

const dayIn = (timezone: string, now: number): string => wallClock(now, timezone).slice(0, 10);

const dayWords = once(() => new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' }));

/** `2026-11-20T14:00+01:00` as "14:00" or "Nov 20, 14:00"; `2026-11-20` as "Nov 20". The API speaks the zone's time. */
export function periodLabel(period: string, { range, by }: Pick<Span, 'range' | 'by'>): string {
  const day = dayWords().format(new Date(`${period.slice(0, 10)}T12:00:00Z`));
  if (by === 'day') return day;
  const hour = period.slice(11, 16);
  return range === '24h' ? hour : `${day}, ${hour}`;
}
