import { invalid } from '../errors/app-error.ts';

/**
 * Zones that the Unicode data in Node calls by the name they had when it began; the left is the name in the zone
 * table of IANA, the right what Node lists. A test compares the two tables.
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmara': 'Africa/Asmera',
  'America/Argentina/Buenos_Aires': 'America/Buenos_Aires',
  'America/Argentina/Catamarca': 'America/Catamarca',
  'America/Argentina/Cordoba': 'America/Cordoba',
  'America/Argentina/Jujuy': 'America/Jujuy',
  'America/Argentina/Mendoza': 'America/Mendoza',
  'America/Atikokan': 'America/Coral_Harbour',
  'America/Indiana/Indianapolis': 'America/Indianapolis',
  'America/Kentucky/Louisville': 'America/Louisville',
  'America/Nuuk': 'America/Godthab',
  'Asia/Ho_Chi_Minh': 'Asia/Saigon',
  'Asia/Kathmandu': 'Asia/Katmandu',
  'Asia/Kolkata': 'Asia/Calcutta',
  'Asia/Yangon': 'Asia/Rangoon',
  'Atlantic/Faroe': 'Atlantic/Faeroe',
  'Europe/Kyiv': 'Europe/Kiev',
  'Pacific/Chuuk': 'Pacific/Truk',
  'Pacific/Kanton': 'Pacific/Enderbury',
  'Pacific/Pohnpei': 'Pacific/Ponape',
};

const ZONE_CHARACTERS_MAX = 64;

let known: ReadonlySet<string> | undefined;

function knownZones(): ReadonlySet<string> {
  if (known === undefined) {
    const old = new Set(Object.values(RENAMED));
    const listed = Intl.supportedValuesOf('timeZone').filter((zone) => !old.has(zone));
    known = new Set([...listed, ...Object.keys(RENAMED), 'UTC', 'Etc/UTC']);
  }
  return known;
}

/** The zones there are, by the names of IANA's zone table, and UTC. */
export const listZones = (): string[] => [...knownZones()].toSorted();

/**
 * The three letters of a zone table of long ago, whose hours half the world gives another meaning. Three of them are
 * places (Shanghai, Taipei and Seoul), and one is UTC.
 */
const AMBIGUOUS = /^(?!(?:PRC|ROC|ROK|UTC)$)(?:[A-Z]{3}|[A-Z]{3}\d[A-Z]{3}|GMT[-+]?0?|Greenwich|Factory)$/i;

/**
 * A zone by the name that it has or had in any release of IANA's database, in any case of its letters, or UTC. The name
 * of today is returned: `Europe/Kiev` is `Europe/Kyiv`, `Japan` is `Asia/Tokyo`. 400 for anything else, naming the
 * field: an abbreviation (`EST` has no summer time, and half the world calls another hour so), and a fixed offset
 * (`Etc/GMT+5` is five hours *behind* UTC).
 */
export function readZone(param: string, text: string): string {
  if (knownZones().has(text)) return text;
  const today = AMBIGUOUS.test(text) ? undefined : nameOfToday(text);
  if (today !== undefined) return today;
  const hint = 'such as Europe/Berlin or America/New_York, or UTC';
  throw invalid(param, `${param} must be a time zone by its name in the IANA database, ${hint}`);
}

function nameOfToday(text: string): string | undefined {
  // Offsets and abbreviations are no places: there is nothing sure to say of them.
  if (text.length > ZONE_CHARACTERS_MAX || text.toLowerCase().startsWith('etc/')) return undefined;
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    const listed = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    const renamed = Object.entries(RENAMED).find(([, old]) => old === listed)?.[0] ?? listed;
    return knownZones().has(renamed) ? renamed : undefined;
  } catch {
    return undefined; // RangeError: no such zone
  }
}
