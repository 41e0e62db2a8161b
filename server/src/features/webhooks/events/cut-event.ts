/**
 * An event stays under 20 KB, so that every receiver's limit takes it. Servers and programs of others choose some of
 * its texts (diagnostics, user agents, links), and an email may carry more tags and metadata than that. The API
 * returns cut fields completely.
 */

/** UTF-8 bytes of a whole event. */
export const EVENT_BYTES_MAX = 20_000;
/** Of event_data beside an email, and alone; each leaves room for what stands around it. */
const DATA_BYTES_MAX = { besideEmail: 8_000, alone: 19_000 };

/** Tried in turn until event_data fits. Links get four times the characters of other texts. */
const LEVELS = [
  { textCharsMax: 1_000, membersMax: 1_000 },
  { textCharsMax: 200, membersMax: 50 },
  { textCharsMax: 50, membersMax: 10 },
] as const;

type Json = unknown;

const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/** Long texts end in `…`, long lists and objects after their first members. */
export function cutEventData(data: Record<string, Json>, place: keyof typeof DATA_BYTES_MAX): Record<string, Json> {
  let shortened = data;
  for (const level of LEVELS) {
    // An object is shortened to an object.
    shortened = shorten(data, level, '') as Record<string, Json>;
    if (bytesOf(shortened) <= DATA_BYTES_MAX[place]) break;
  }
  return shortened;
}

function shorten(value: Json, level: (typeof LEVELS)[number], name: string): Json {
  if (typeof value === 'string') return shortenText(value, level.textCharsMax * (name === 'link' ? 4 : 1));
  if (Array.isArray(value)) return value.slice(0, level.membersMax).map((one: Json) => shorten(one, level, name));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).slice(0, level.membersMax);
  return Object.fromEntries(members.map(([key, one]) => [key, shorten(one, level, key)]));
}

function shortenText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  // Half of a pair is no character: it would be written as an escape that strict readers refuse.
  return `${text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '')}…`;
}

interface Shed {
  to: readonly string[];
  recipient: string;
  tags: readonly unknown[];
  metadata: object;
}

/**
 * Takes whole fields out of an email until the event fits, those first that a receiver can do without: the other
 * recipients, tags, metadata. `truncated` names them; an event that fits has no such field.
 */
export function cutEmail<E extends Shed>(email: E, bytesMax: number): E & { truncated?: string[] } {
  if (bytesOf(email) <= bytesMax) return email;
  const truncated: string[] = [];
  let cut = { ...email, truncated };
  for (const [field, value] of Object.entries({ to: [email.recipient], tags: [], metadata: {} })) {
    truncated.push(field);
    cut = { ...cut, [field]: value };
    if (bytesOf(cut) <= bytesMax) break;
  }
  return cut;
}
