/**
 * The version of the time-zone database in this process, such as `2026a`; the name of a later one sorts after it. It
 * comes with Node.
 */
export const ZONE_RULES = process.versions['tz'] ?? '';

/** A wall time that was asked for, and the rules by which its instant was computed. */
export interface AskedWallTime {
  /** `2027-03-28T09:00:00`, in a zone that is stored beside it. */
  shown: string;
  rules: string;
}

/** The instant that a wall time means by the rules of this process. */
export interface ReadWallTime {
  at: Date;
  /** A sentence when a change of the clocks skips or repeats the wall time. */
  note: string | null;
  wallTime: AskedWallTime;
}

/**
 * Reads a wall time that exists in some zone. One that the clocks skip moves forward by what they skip. If a time
 * occurs twice, the first is used (RFC 5545 §3.3.5).
 */
export async function readWallTime(text: string, zone: string): Promise<ReadWallTime> {
  // Only whoever gives a wall time needs it, and it would stay in the memory of every process.
  const { Temporal } = await import('temporal-polyfill');
  const toMilliseconds = { smallestUnit: 'millisecond', roundingMode: 'trunc' } as const;
  const shown = Temporal.PlainDateTime.from(text.toUpperCase()).round(toMilliseconds);
  const wallTime = { shown: shown.toString(), rules: ZONE_RULES };
  const first = shown.toZonedDateTime(zone, { disambiguation: 'compatible' });
  const at = new Date(first.epochMilliseconds);
  const kept = first.toPlainDateTime();
  const day = shown.toPlainDate().toString();
  if (!kept.equals(shown)) {
    const [skipped, used] = [clock(shown), clock(kept)];
    return { at, note: `The clocks in ${zone} skip ${skipped} on ${day}; ${used} is used.`, wallTime };
  }
  const second = shown.toZonedDateTime(zone, { disambiguation: 'later' });
  if (second.epochMilliseconds !== first.epochMilliseconds) {
    const note = `${clock(shown)} comes twice on ${day} in ${zone}; the first is used, at UTC${first.offset}.`;
    return { at, note, wallTime };
  }
  return { at, note: null, wallTime };
}

const clock = (time: { toPlainTime(): { toString(): string } }): string => time.toPlainTime().toString();

/** For a column of jsonb, which would keep `null` as JSON. */
export const wallTimeJson = (wallTime: AskedWallTime | null): string | null =>
  wallTime === null ? null : JSON.stringify(wallTime);

/** A time as records store it. */
export interface StoredTime {
  scheduledFor: Date | null;
  timezone: string | null;
  scheduleNote: string | null;
  wallTime: AskedWallTime | null;
}

/** A time that waited in a draft, which no service looks after: computed again when its rules are old. */
export async function storedTimeOfNow({
  scheduledFor,
  timezone,
  scheduleNote,
  wallTime,
}: StoredTime): Promise<StoredTime> {
  if (wallTime === null || timezone === null || wallTime.rules >= ZONE_RULES) {
    return { scheduledFor, timezone, scheduleNote, wallTime };
  }
  const now = await readWallTime(wallTime.shown, timezone);
  return { scheduledFor: now.at, timezone, scheduleNote: now.note, wallTime: now.wallTime };
}
