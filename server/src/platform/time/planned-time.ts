import { invalid } from '../errors/app-error.ts';
import { exists, parseInstant, wallTimeOf } from './instant.ts';
import { type AskedWallTime, readWallTime } from './wall-time.ts';
import { readZone } from './zones.ts';
import { ownEntry } from '../own-entry.ts';

const WALL_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;

/** When something is to happen, as it was asked for. */
export interface PlannedTime {
  at: Date;
  /**
   * The zone that was given or that a wall time was read in; null: the time came with its offset and without a zone.
   */
  timezone: string | null;
  /** A sentence when a change of the clocks skips or repeats the wall time. */
  note: string | null;
  /** null: an instant was asked for, which no change of the rules of a zone moves. */
  wallTime: AskedWallTime | null;
}

export interface GivenTime {
  /** The field that holds the time; the zone's is `timezone`. */
  param: string;
  text: string;
  timezone: string | null;
  /** Of wall times that come without a zone. */
  zoneByDefault: string;
  /** Takes a time from now on too, such as `in 2 hours`. */
  now?: Date;
}

/** `min` stands in the examples of Resend: a body for `scheduled_at` is taken as it is. */
const FROM_NOW = /^in (\d{1,9}) (sec|second|min|minute|hr|hour|day|week)s?$/i;
const UNIT_MS: Readonly<Record<string, number>> = {
  sec: 1_000,
  second: 1_000,
  min: 60_000,
  minute: 60_000,
  hr: 3_600_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/**
 * Reads a time to come: an instant with its offset (`2026-12-01T09:00:00+01:00`), or what a clock on the wall shows
 * (`2026-12-01T09:00:00`, the seconds may be left out) in an IANA zone. A wall time that the clocks skip moves
 * forward by what they skip. If a time occurs twice, the first is used (RFC 5545 §3.3.5). 400 for what cannot be read,
 * naming the field; whether the time is acceptable is for the caller.
 */
export async function readPlannedTime(given: GivenTime): Promise<PlannedTime> {
  const timezone = given.timezone === null ? null : readZone('timezone', given.timezone);
  const at = parseInstant(given.text) ?? fromNow(given);
  if (at !== undefined) return { at, timezone, note: null, wallTime: null };
  const parts = WALL_TIME.exec(given.text);
  if (parts === null || !exists(wallTimeOf(parts))) {
    const forms = '2026-12-01T09:00:00Z, or 2026-12-01T09:00:00 with a timezone';
    const all = given.now === undefined ? forms : `${forms}, or "in 2 hours"`;
    throw invalid(given.param, `${given.param} must be a time that exists, such as ${all}`);
  }
  const zone = timezone ?? given.zoneByDefault;
  return { ...(await readWallTime(given.text, zone)), timezone: zone };
}

/** A day is 24 hours here, also when the clocks change in between. */
function fromNow({ text, now }: GivenTime): Date | undefined {
  const [, count, unit = ''] = FROM_NOW.exec(text.trim()) ?? [];
  if (now === undefined || count === undefined) return undefined;
  const at = new Date(now.getTime() + Number(count) * (ownEntry(UNIT_MS, unit.toLowerCase()) ?? 0));
  return Number.isNaN(at.getTime()) ? undefined : at;
}
