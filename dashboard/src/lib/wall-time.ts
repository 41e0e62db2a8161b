const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const kept = formatters.get(zone);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formatters.set(zone, made);
  return made;
}

/** The clock of a zone at an instant, in milliseconds as if the zone were UTC. */
const clockOf = (instant: number, zone: string): number =>
  Date.parse(`${formatterOf(zone).format(instant).replace(' ', 'T')}Z`);

const DAY = 86_400_000;

/**
 * The instants at which the clocks of a zone show `2026-03-29T02:30`: none when the change to summer time skips it,
 * two when the change back repeats it.
 */
export function wallTimes(local: string, zone: string): number[] {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return [];
  const offsets = [wanted - DAY, wanted + DAY].map((near) => clockOf(near, zone) - near);
  return [...new Set(offsets)]
    .map((offset) => wanted - offset)
    .filter((instant) => clockOf(instant, zone) === wanted)
    .sort((a, b) => a - b);
}

/** The clock of a zone at an instant, to the minute, as `<input type="datetime-local">` writes it. */
export const wallClock = (instant: number, zone: string): string =>
  new Date(clockOf(instant, zone)).toISOString().slice(0, 16);

/** The first instant at which the clocks show it; where they skip it, as long after the change as it is in the gap. */
export function firstWallTime(local: string, zone: string): number {
  const wanted = Date.parse(`${local}Z`);
  return wallTimes(local, zone)[0] ?? wanted - (clockOf(wanted - DAY, zone) - (wanted - DAY));
}
