/**
 * How the server reads the columns of a file by their names, to show it before the dry run. The server decides:
 * `column-names.test.ts` compares this copy with `server/src/features/transfers/imports/layout.ts`.
 */
import { ownEntry } from '../../lib/own-entry.ts';
import { type FileColumn, type ImportPlan, keyOf, type Meaning, meaningsFor, type TargetKind } from './import-plan.ts';

/** Without case, spaces and marks; first the name that says most. */
const OF_PEOPLE: Readonly<Record<string, readonly string[]>> = {
  email: ['email', 'emailaddress', 'subscriberemail', 'contactemail', 'address', 'mail', 'recipient'],
  name: ['name', 'fullname', 'displayname', 'subscribername', 'contactname'],
  first_name: ['firstname', 'fname', 'givenname', 'first'],
  last_name: ['lastname', 'lname', 'surname', 'familyname', 'last'],
  status: ['status', 'subscriptionstatus', 'subscriberstatus', 'subscribertype', 'state'],
  type: [], // below: it may mean anything
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

const FIELDS_OF_CONTACTS = ['email', 'name', 'first_name', 'last_name', 'status', 'subscribed', 'unsubscribed'];

const OF_CONTACTS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(FIELDS_OF_CONTACTS.map((field) => [field, ownEntry(OF_PEOPLE, field) ?? []])),
  properties: ownEntry(OF_PEOPLE, 'metadata') ?? [],
  timezone: ['timezone', 'tz'],
  language: ['language', 'locale', 'lang'],
};

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The meaning of a column: a field, `metadata` under its own name, or `ignore`. */
export type ReadAs = { field: string } | 'metadata' | 'ignore';

/** The meaning of each column, by its place. */
export function readColumns(
  columns: readonly string[],
  { meanings, otherColumns }: Pick<ImportPlan, 'meanings' | 'otherColumns'>,
  kind: TargetKind,
): ReadAs[] {
  const read: ReadAs[] = columns.map(() => 'ignore');
  const left = new Set(columns.keys());
  const fields = new Set<string>();
  const keys = new Map<string, number>();
  const takeField = (at: number, field: string) => {
    left.delete(at);
    if (!fields.has(field)) read[at] = { field };
    fields.add(field);
  };
  /** Of two columns for one key, the last that names it counts. */
  const takeKey = (at: number, key: string) => {
    left.delete(at);
    const other = keys.get(key);
    if (other !== undefined) read[other] = 'ignore';
    read[at] = 'metadata';
    keys.set(key, at);
  };
  for (const [name, meaning] of Object.entries(meanings)) {
    const at = columns.findIndex((column) => column.trim() === name.trim());
    if (meaning === 'metadata') takeKey(at, keyOf(name) || name);
    else if (meaning === 'ignore') left.delete(at);
    else takeField(at, meaning);
  }
  const find = (name: string) => [...left].find((at) => bare(columns[at] ?? '') === name);
  for (const [field, names] of Object.entries(kind === 'newsletter' ? OF_PEOPLE : OF_CONTACTS)) {
    if (fields.has(field)) continue;
    const at = names.map(find).find((found) => found !== undefined);
    if (at !== undefined) takeField(at, field);
  }
  // Buttondown's word for the status; it is kept under its own name besides.
  const type = kind === 'newsletter' ? find('type') : undefined;
  for (const at of left) {
    const key = /^(?:metadata|attributes)\.(.+)$/.exec(columns[at] ?? '')?.[1];
    if (key !== undefined) takeKey(at, key);
  }
  for (const at of otherColumns === 'metadata' ? left : []) {
    const key = keyOf(columns[at] ?? '');
    if (key !== '' && !keys.has(key)) takeKey(at, key);
  }
  if (type !== undefined && !fields.has('type')) read[type] = { field: 'type' };
  return read;
}

const LOOKS_LIKE_AN_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/**
 * The address of a file whose names do not tell it, as `Courriel`: the one column in which each first value is an
 * address. It becomes a choice that the person sees, and no rule of the server.
 */
export function meaningsByContent(columns: readonly FileColumn[], kind: TargetKind): Record<string, Meaning> {
  const names = columns.map(({ name }) => name);
  const read = readColumns(names, { meanings: {}, otherColumns: 'metadata' }, kind);
  if (read.some((one) => typeof one === 'object' && one.field === 'email')) return {};
  const [found, ...others] = columns.filter(
    ({ samples }) => samples.length > 0 && samples.every((sample) => LOOKS_LIKE_AN_ADDRESS.test(sample.trim())),
  );
  return found === undefined || others.length > 0 ? {} : { [found.name]: 'email' };
}

/** Fields that cannot be chosen, because few files have them. */
const WORDS: Readonly<Record<string, string>> = {
  type: 'Status, and kept under its name',
  subscribed: 'Whether they are subscribed',
  unsubscribed: 'Whether they have left',
  metadata: 'All metadata, as JSON',
  properties: 'All properties, as JSON',
  unsubscribe_reason: 'Reason of leaving',
  cleaned_at: 'Time of the bounce',
  confirmed_ip: 'Network of confirmation',
  consent: 'Consent',
  confirmation_sent_at: 'Time of the last question',
  confirmation_count: 'Number of questions',
  last_opened_at: 'Time of the last open',
  last_clicked_at: 'Time of the last click',
};

/** The meaning as a choice. The word `metadata` is a meaning to choose, and also the name of a field. */
export function choiceOf(read: ReadAs, kind: TargetKind): { value: string; label: string } {
  const value = typeof read === 'string' ? read : read.field;
  const known = meaningsFor(kind).find((one) => one.value === value);
  if (known !== undefined && read !== 'metadata' && value !== 'metadata') return known;
  if (typeof read === 'string') return known ?? { value, label: value };
  return { value: `field ${value}`, label: ownEntry(WORDS, value) ?? value };
}
