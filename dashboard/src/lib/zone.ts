const KEY = 'posthorn.zone';

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone that the person has chosen in this browser; undefined: that of the browser. */
export function chosenZone(): string | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null || !isZone(kept) ? undefined : kept;
  } catch {
    return undefined;
  }
}

/** Counts from the next load of the page: every formatter of times is made once. */
export function chooseZone(zone: string | undefined): void {
  try {
    if (zone === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, zone);
  } catch {
    // Without a store, the zone of the browser counts.
  }
}

/** The zone in which times are shown and typed. */
export const personZone = (): string => chosenZone() ?? browserZone();

/** Every zone by its name. `also` may have a name that the browser does not list, and must not vanish from a field. */
export function zoneNames(also: string): readonly string[] {
  const names = Intl.supportedValuesOf('timeZone');
  const all = names.includes('UTC') ? names : ['UTC', ...names];
  return all.includes(also) ? all : [also, ...all];
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
