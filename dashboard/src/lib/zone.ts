import { ownEntry } from './own-entry.ts';

const KEY = 'posthorn.zone';

/**
 * Zones that some browsers call by the name of long ago: that name, and the one of today, which the server answers
 * (`server/src/platform/time/zones.ts`).
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The name of today, where the browser can tell the time by it: an older one may not know it. */
function nameOfToday(zone: string): string {
  const today = ownEntry(RENAMED, zone);
  return today !== undefined && isZone(today) ? today : zone;
}

export const browserZone = (): string => nameOfToday(new Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The zone that the person has chosen in this browser; undefined: that of the browser. */
export function chosenZone(): string | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null || !isZone(kept) ? undefined : nameOfToday(kept);
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

let zoneOfWorkspace: string | undefined;

/** The session knows the zone of the workspace, which people choose often. */
export function keepZoneOfWorkspace(zone: string | undefined): void {
  zoneOfWorkspace = zone;
}

let names: readonly string[] | undefined;

/** All zones by their names of today, sorted. Asked once: the formatters took each drawing of a form 10 ms. */
const zoneNames = (): readonly string[] =>
  (names ??= [...new Set(Intl.supportedValuesOf('timeZone').map(nameOfToday))].toSorted());

export interface ZoneChoice {
  value: string;
  label: string;
}

/**
 * The choices of a field: the person's zone, the workspace's and UTC first, then every other by its name of today.
 * `set` may be one that the browser does not list, and must not leave the field. `own` is a choice of this field alone.
 */
export function zoneChoices(set: string, ...own: ZoneChoice[]) {
  const all = zoneNames();
  const likely = new Set([personZone(), browserZone(), zoneOfWorkspace ?? 'UTC', 'UTC']);
  if (set !== '' && !all.includes(set)) likely.add(set);
  return [
    { group: 'Suggested', items: [...own, ...likely] },
    { group: 'Other zones', items: all.filter((name) => !likely.has(name)) },
  ];
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
