const DAY_WORDS = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** `2026-11-20T14:00+01:00` as "Nov 20, 14:00", and `2026-11-20` as "Nov 20": the API has put it into the zone. */
export function courseLabel(period: string): string {
  const day = DAY_WORDS.format(new Date(`${period.slice(0, 10)}T12:00:00Z`));
  return period.length === 10 ? day : `${day}, ${period.slice(11, 16)}`;
}
