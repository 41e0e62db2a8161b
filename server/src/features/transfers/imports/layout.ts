/**
 * The meaning of the columns of a file: recognised by the names that other services give them, or told by the caller.
 */
import { createHash } from 'node:crypto';
import { invalid } from '#platform/errors/app-error.ts';

export interface Layout {
  /** null: lines of JSON. */
  delimiter: string | null;
  /** Column (its number, or in lines of JSON its name) of each field. */
  fields: Record<string, string>;
  /** Column of each key of the metadata. */
  metadata: Record<string, string>;
  /** Names of columns that nothing is done with. */
  ignored: string[];
  /** Tells files with the same columns; missing: the file has no header, or came before this was kept. */
  header?: string;
}

/** The meanings of columns in a target's files. */
export interface LayoutRules {
  /**
   * The names of a column that means a field, without case, spaces and marks; the one that says most comes first.
   * `email` must be a field: it is what rows are known by.
   */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** A field whose column may mean something else besides, and is kept under its own name too. */
  readonly besides?: { readonly field: string; readonly name: string };
  /** The numbers of the columns of a file without a header, by the cells of its first row; missing: `email` alone. */
  readonly guess?: (cells: readonly string[]) => Readonly<Record<string, number>>;
}

const COLUMNS_SHOWN = 50;
const KEY_CHARS_MAX = 64;

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The same for the same columns in the same order. */
export const headerOf = (names: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(names.map((name) => name.trim())))
    .digest('hex')
    .slice(0, 32);

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
  /** The treatment of unknown columns. */
  otherColumns: 'ignore' | 'metadata';
}

/**
 * Columns by their names, each in `at` (its number, or its name). Undefined when none of them holds addresses. Throws a
 * validation error for a map that names a column there is not.
 */
export function layoutOf(
  columns: readonly { name: string; at: string }[],
  { rules, wishes }: { rules: LayoutRules; wishes: LayoutWishes },
  delimiter: string | null,
): Layout | undefined {
  const header = headerOf(columns.map(({ name }) => name));
  const layout: Layout = { delimiter, fields: {}, metadata: {}, ignored: [], header };
  const left = new Map(columns.map((one) => [one.at, one]));
  const take = (column: { name: string; at: string }, meaning: string): void => {
    left.delete(column.at);
    const key = /^(?:metadata|attributes)\.(.+)$/.exec(meaning)?.[1];
    if (key !== undefined && key !== '__proto__') layout.metadata[key.slice(0, KEY_CHARS_MAX)] = column.at;
    else if (isField(rules, meaning)) layout.fields[meaning] ??= column.at;
  };
  for (const [name, meaning] of Object.entries(wishes.columnMap)) {
    const column = columns.find((one) => one.name.trim() === name.trim());
    if (column === undefined) throw invalid('column_map', `The file has no column "${name.slice(0, 100)}".`);
    take(column, meaning);
  }
  for (const [field, names] of Object.entries(rules.names)) {
    if (layout.fields[field] !== undefined) continue;
    const found = names
      .map((name) => [...left.values()].find((one) => bare(one.name) === name))
      .find((one) => one !== undefined);
    if (found !== undefined) take(found, field);
  }
  const { besides } = rules;
  const shared = besides && [...left.values()].find((one) => bare(one.name) === besides.name);
  if (besides !== undefined && shared !== undefined) layout.fields[besides.field] ??= shared.at;
  for (const column of left.values()) if (/^(metadata|attributes)\../.test(column.name)) take(column, column.name);
  if (layout.fields['email'] === undefined) return undefined;
  for (const column of left.values()) {
    const key = keyOf(column.name);
    if (wishes.otherColumns === 'metadata' && key !== '' && key !== '__proto__') {
      if (!Object.hasOwn(layout.metadata, key)) layout.metadata[key] = column.at;
    } else if (column.at !== (besides && layout.fields[besides.field]) && layout.ignored.length < COLUMNS_SHOWN)
      layout.ignored.push(column.name.slice(0, 100));
  }
  return layout;
}

/** A file whose first line is a row: the column that holds an address, and those that its rules can guess. */
export function layoutWithoutHeader(
  cells: readonly string[],
  { guess }: LayoutRules,
  delimiter: string,
): Layout | undefined {
  const email = cells.findIndex((cell) => cell.includes('@'));
  if (email === -1) return undefined;
  const found = Object.entries({ email, ...guess?.(cells) });
  return {
    delimiter,
    fields: Object.fromEntries(found.map(([field, column]) => [field, String(column)])),
    metadata: {},
    ignored: [],
  };
}

const isField = ({ names }: LayoutRules, text: string): boolean => Object.hasOwn(names, text);

/** The fields that were found, in the order of the rules: a layout that was stored has lost its own. */
export const fieldsOf = (fields: Layout['fields'], { names }: LayoutRules): string[] =>
  Object.keys(names).filter((field) => fields[field] !== undefined);

/** Throws a validation error unless every meaning is one, and no field has two columns. */
export function readColumnMap(rules: LayoutRules, text: string | undefined): Record<string, string> {
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
  const columnOf = new Map<string, string>();
  for (const [name, meaning] of Object.entries(read)) {
    const isKnown =
      typeof meaning === 'string' && (isField(rules, meaning) || meaning === 'ignore' || /^metadata\../.test(meaning));
    if (!isKnown) {
      throw invalid(
        'column_map',
        `"${name.slice(0, 100)}" must be one of ${Object.keys(rules.names).join(', ')}, metadata.<key> or ignore.`,
      );
    }
    if (!isField(rules, meaning)) continue;
    const other = columnOf.get(meaning);
    if (other !== undefined) {
      throw invalid(
        'column_map',
        `"${other.slice(0, 100)}" and "${name.slice(0, 100)}" are both ${meaning}. Give the field one column, and ignore the other.`,
      );
    }
    columnOf.set(meaning, name);
  }
  return read as Record<string, string>; // every value was looked at just now
}
