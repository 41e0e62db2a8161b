/**
 * The next moment, after `now`, at which a clock in the zone shows this time (`09:00`). On a day that skips it, it is
 * as much later as is skipped; on a day that has it twice, the first counts (RFC 5545 §3.3.5).
 */
export async function nextLocalTime(shown: string, zone: string, now: Date): Promise<Date> {
  // Few processes need it, and it would stay in the memory of all.
  const { Temporal } = await import('temporal-polyfill');
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const on = (days: number): Date => {
    const day = today.add({ days });
    const at = day.toPlainDateTime(Temporal.PlainTime.from(shown)).toZonedDateTime(zone);
    return new Date(at.epochMilliseconds);
  };
  const first = on(0);
  return first > now ? first : on(1);
}
