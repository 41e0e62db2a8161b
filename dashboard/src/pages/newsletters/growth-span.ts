export const GROWTH_RANGES = [
  { value: '30d', label: '30 days', days: 30, by: 'day' },
  { value: '90d', label: '90 days', days: 90, by: 'day' },
  { value: '1y', label: 'A year', days: 364, by: 'week' },
] as const;

interface GrowthSpan {
  range: (typeof GROWTH_RANGES)[number]['value'];
  by: 'day' | 'week';
  /** For the API, which takes thirty days of the zone by itself. */
  start: string | undefined;
}

const DAY_MS = 86_400_000;

export function growthSpan(range: string | undefined, now: number): GrowthSpan {
  const { value, days, by } = GROWTH_RANGES.find((one) => one.value === range) ?? GROWTH_RANGES[0];
  const start = new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return { range: value, by, start: value === '30d' ? undefined : start };
}

const DAY_WORDS = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** `2026-11-20` as "Nov 20". */
export const growthLabel = (period: string): string => DAY_WORDS.format(new Date(`${period}T12:00:00Z`));
