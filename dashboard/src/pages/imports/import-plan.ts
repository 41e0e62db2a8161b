import { csvHead } from '../../lib/files/csv.ts';

/** The meanings that a column may be given; the server knows more by their names. */
const MEANINGS = [
  { value: 'email', label: 'Address' },
  { value: 'name', label: 'Name' },
  { value: 'first_name', label: 'First name' },
  { value: 'last_name', label: 'Last name' },
  { value: 'status', label: 'Status' },
  { value: 'source', label: 'Source' },
  { value: 'tags', label: 'Tags' },
  { value: 'created_at', label: 'Time of sign-up' },
  { value: 'confirmed_at', label: 'Time of confirmation' },
  { value: 'unsubscribed_at', label: 'Time of leaving' },
  { value: 'ip', label: 'Network of sign-up' },
  { value: 'metadata', label: 'Metadata, under its name' },
  { value: 'ignore', label: 'Ignore it' },
] as const;

/** The columns of contacts have fewer meanings; all others become properties. */
const MEANINGS_OF_CONTACTS: readonly string[] = ['email', 'name', 'first_name', 'last_name', 'status', 'ignore'];

/** Where the people of a file go. */
export type TargetKind = 'newsletter' | 'list';

export const meaningsFor = (kind: TargetKind): { value: string; label: string }[] =>
  kind === 'newsletter'
    ? [...MEANINGS]
    : [
        ...MEANINGS.filter(({ value }) => MEANINGS_OF_CONTACTS.includes(value)),
        { value: 'timezone', label: 'Time zone' },
        { value: 'language', label: 'Language' },
        { value: 'metadata', label: 'Property, under its name' },
      ];

export type Meaning = (typeof MEANINGS)[number]['value'] | 'timezone' | 'language';

/** How everybody in the file agreed. */
export type Agreement = 'already_confirmed' | 'send_confirmation' | 'pending';

export interface ImportPlan {
  agreement: Agreement | undefined;
  onConflict: 'skip' | 'upsert';
  otherColumns: 'ignore' | 'metadata';
  source: string;
  /** By the name of the column; a column that is not here is read by its name. */
  meanings: Readonly<Record<string, Meaning>>;
}

export const EMPTY_PLAN: ImportPlan = {
  agreement: undefined,
  onConflict: 'skip',
  otherColumns: 'metadata',
  source: '',
  meanings: {},
};

export interface FileColumn {
  name: string;
  samples: string[];
}

const SAMPLES = 3;

/** The columns of a CSV file; none when its first line has an address: it is a row. */
export function columnsOf(text: string): FileColumn[] {
  const [head = [], ...rows] = csvHead(text, SAMPLES + 1);
  if (head.some((cell) => cell.includes('@'))) return [];
  return head.map((name, at) => ({
    name: name.trim(),
    samples: rows.map((row) => row[at] ?? '').filter((cell) => cell !== ''),
  }));
}

/** The fields of lines of JSON: of the first line. */
export function fieldsOfJson(text: string): FileColumn[] {
  try {
    const read: unknown = JSON.parse(text.split('\n', 1)[0] ?? '');
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return [];
    return Object.entries(read).map(([name, value]) => ({
      name,
      samples: [typeof value === 'string' ? value : JSON.stringify(value)],
    }));
  } catch {
    return [];
  }
}

/** A name as a key of the metadata. */
export const keyOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');

/** The query of the API. */
export function queryOf(plan: ImportPlan, { dryRun, kind }: { dryRun: boolean; kind: TargetKind }) {
  const map = Object.entries(plan.meanings).map(([name, meaning]) => [
    name,
    meaning === 'metadata' ? `metadata.${keyOf(name) || name}` : meaning,
  ]);
  return {
    dry_run: dryRun ? ('true' as const) : ('false' as const),
    on_conflict: plan.onConflict,
    other_columns: plan.otherColumns,
    ...(kind === 'newsletter' ? agreedIn(plan) : {}),
    ...(map.length === 0 ? {} : { column_map: JSON.stringify(Object.fromEntries(map)) }),
  };
}

const isMeaning = (text: string): text is Meaning =>
  text === 'timezone' || text === 'language' || MEANINGS.some(({ value }) => value === text);

/** The meanings of an earlier import, as the choices of this page. */
export const meaningsOf = (columnMap: Readonly<Record<string, string>>): Record<string, Meaning> =>
  Object.fromEntries(
    Object.entries(columnMap).flatMap(([name, told]): [string, Meaning][] => {
      const meaning = told.startsWith('metadata.') ? 'metadata' : told;
      return isMeaning(meaning) ? [[name, meaning]] : [];
    }),
  );

const agreedIn = ({ agreement, source }: ImportPlan) => ({
  ...(agreement === 'already_confirmed' ? { consent: 'already_confirmed' as const } : {}),
  ...(agreement === 'send_confirmation' ? { send_confirmation: 'true' as const } : {}),
  ...(source.trim() === '' ? {} : { source: source.trim() }),
});

/** The fields that the columns were read as, as words: "Address, First name, property city". */
export const fieldsInWords = (fields: readonly string[], kind: TargetKind): string =>
  fields
    .map((field) => {
      const known = meaningsFor(kind).find(({ value }) => value === field);
      return known?.label ?? field.replace(/^metadata\./, kind === 'list' ? 'property ' : 'metadata ');
    })
    .join(', ');
