/** What the columns of a file mean: recognised by the names that other services give them, or told by the caller. */
import { invalid } from '#platform/errors/app-error.ts';

/** What a column can be. `metadata.<key>` is a column of one key of the metadata. */
export const FIELDS = [
  'email',
  'name',
  'first_name',
  'last_name',
  'status',
  'type',
  'subscribed',
  'unsubscribed',
  'metadata',
  'tags',
  'source',
  'unsubscribe_reason',
  'created_at',
  'confirmed_at',
  'unsubscribed_at',
  'cleaned_at',
  'ip',
  'confirmed_ip',
  'consent',
  'confirmation_sent_at',
  'confirmation_count',
  'last_opened_at',
  'last_clicked_at',
] as const;
export type Field = (typeof FIELDS)[number];

export interface Layout {
  /** null: lines of JSON. */
  delimiter: string | null;
  /** Column (its number, or in lines of JSON its name) of each field. */
  fields: Partial<Record<Field, string>>;
  /** Column of each key of the metadata. */
  metadata: Record<string, string>;
  /** Names of columns that nothing is done with. */
  ignored: string[];
}

/** Without case, spaces and marks; first the name that says most. */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  email: ['email', 'emailaddress', 'subscriberemail', 'contactemail', 'address', 'mail', 'recipient'],
  name: ['name', 'fullname', 'displayname', 'subscribername', 'contactname'],
  first_name: ['firstname', 'fname', 'givenname', 'first'],
  last_name: ['lastname', 'lname', 'surname', 'familyname', 'last'],
  status: ['status', 'subscriptionstatus', 'subscriberstatus', 'subscribertype', 'state'],
  type: [], // below: it may be anything
  subscribed: ['subscribed', 'subscribedtoemails', 'issubscribed', 'optedin'],
  unsubscribed: ['unsubscribed', 'emaildisabled', 'optedout', 'isunsubscribed'],
  metadata: ['metadata', 'attributes', 'attribs', 'properties', 'customfields', 'data'],
  tags: ['tags', 'labels'],
  source: ['source', 'signupsource', 'utmsource', 'referrer', 'origin'],
  unsubscribe_reason: ['unsubscribereason'],
  created_at: [
    'createdat',
    'created',
    'creationdate',
    'subscribedat',
    'subscribedate',
    'subscriptiondate',
    'optintime',
    'signupdate',
    'signupat',
    'joinedat',
    'dateadded',
    'addedat',
    'starttime',
  ],
  confirmed_at: ['confirmedat', 'confirmtime', 'confirmationdate', 'optinconfirmedat'],
  unsubscribed_at: ['unsubscribedat', 'unsubtime', 'unsubscribedate', 'unsubscriptiondate', 'optouttime'],
  cleaned_at: ['cleantime', 'bouncedat'],
  ip: ['optinip', 'signupip', 'ipaddress', 'ip'],
  confirmed_ip: ['confirmip', 'confirmedip'],
  consent: ['consent'],
  confirmation_sent_at: ['confirmationsentat'],
  confirmation_count: ['confirmationcount'],
  last_opened_at: ['lastopenedat'],
  last_clicked_at: ['lastclickedat'],
};

const COLUMNS_SHOWN = 50;
const KEY_CHARS_MAX = 64;

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** `Plan Name` as a key of the metadata. */
const keyOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, KEY_CHARS_MAX);

export interface LayoutWishes {
  /** Field of each column, by the column's name. */
  columnMap: Readonly<Record<string, string>>;
  /** What becomes of columns that are nothing we know. */
  otherColumns: 'ignore' | 'metadata';
}

/**
 * Columns by their names, each in `at` (its number, or its name). Undefined when none of them holds addresses. Throws a
 * validation error for a map that names a column there is not.
 */
export function layoutOf(
  columns: readonly { name: string; at: string }[],
  wishes: LayoutWishes,
  delimiter: string | null,
): Layout | undefined {
  const layout: Layout = { delimiter, fields: {}, metadata: {}, ignored: [] };
  const left = new Map(columns.map((one) => [one.at, one]));
  const take = (column: { name: string; at: string }, meaning: string): void => {
    left.delete(column.at);
    const key = /^(?:metadata|attributes)\.(.+)$/.exec(meaning)?.[1];
    if (key !== undefined && key !== '__proto__') layout.metadata[key.slice(0, KEY_CHARS_MAX)] = column.at;
    else if (isField(meaning)) layout.fields[meaning] ??= column.at;
  };
  for (const [name, meaning] of Object.entries(wishes.columnMap)) {
    const column = columns.find((one) => one.name.trim() === name.trim());
    if (column === undefined) throw invalid('column_map', `The file has no column "${name.slice(0, 100)}".`);
    take(column, meaning);
  }
  for (const field of FIELDS) {
    if (layout.fields[field] !== undefined) continue;
    const found = NAMES[field]
      .map((name) => [...left.values()].find((one) => bare(one.name) === name))
      .find((one) => one !== undefined);
    if (found !== undefined) take(found, field);
  }
  // Buttondown's word for the status. Elsewhere it is a column like others, and stays one.
  const type = [...left.values()].find((one) => bare(one.name) === 'type');
  if (type !== undefined) layout.fields.type ??= type.at;
  for (const column of left.values()) if (/^(metadata|attributes)\../.test(column.name)) take(column, column.name);
  if (layout.fields.email === undefined) return undefined;
  for (const column of left.values()) {
    const key = keyOf(column.name);
    if (wishes.otherColumns === 'metadata' && key !== '' && key !== '__proto__') layout.metadata[key] ??= column.at;
    else if (column.at !== layout.fields.type && layout.ignored.length < COLUMNS_SHOWN)
      layout.ignored.push(column.name.slice(0, 100));
  }
  return layout;
}

/** A file whose first line is a row: the column that holds an address is all that can be known. */
export function layoutWithoutHeader(cells: readonly string[], delimiter: string): Layout | undefined {
  const email = cells.findIndex((cell) => cell.includes('@'));
  return email === -1 ? undefined : { delimiter, fields: { email: String(email) }, metadata: {}, ignored: [] };
}

const isField = (text: string): text is Field => (FIELDS as readonly string[]).includes(text); // only widened to ask

/** Throws a validation error unless every meaning is one. */
export function readColumnMap(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw invalid('column_map', 'column_map must be a JSON object of column names and fields.');
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw invalid('column_map', 'column_map must be a JSON object of column names and fields.');
  }
  for (const [name, meaning] of Object.entries(read)) {
    const isKnown =
      typeof meaning === 'string' && (isField(meaning) || meaning === 'ignore' || /^metadata\../.test(meaning));
    if (!isKnown) {
      throw invalid(
        'column_map',
        `"${name.slice(0, 100)}" must be one of ${FIELDS.join(', ')}, metadata.<key> or ignore.`,
      );
    }
  }
  return read as Record<string, string>; // every value was looked at just now
}
