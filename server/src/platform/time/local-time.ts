/** Making one costs a hundred times what using one does; a workspace has few zones. */
const FORMATS_KEPT = 64;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const kept = formats.get(zone);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formats.size >= FORMATS_KEPT) formats.clear();
  formats.set(zone, made);
  return made;
}

/** The wall clock at an instant: `2026-12-01T09:00:00`. A zone that there is none of throws. */
export function localTimeIn(zone: string, at: Date): string {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  const { year = '', month, day, hour, minute, second } = parts;
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`;
}
