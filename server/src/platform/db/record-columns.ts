import { type RawBuilder, sql } from 'kysely';

/** The name of a column as a record has it: `from_email` is `fromEmail`. */
export type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

export const camelOf = (name: string): string => name.replace(/_([a-z0-9])/g, (_, next: string) => next.toUpperCase());

/**
 * The columns of the row called `alias` under the names of its record: `n.name, n.from_email as "fromEmail"`. Written
 * once, when the process begins: a statement that selects them costs what a written one does.
 */
export const selectedColumns = (alias: string, names: readonly string[]): RawBuilder<unknown> =>
  sql.raw(names.map((name) => `${alias}.${name} as "${camelOf(name)}"`).join(', '));

type Row = Readonly<Record<string, unknown>>;

/** For an `insert`: `name, from_email` and the values of a record. */
export const columnNames = (names: readonly string[]): RawBuilder<unknown> => sql.raw(names.join(', '));
export const columnValues = (names: readonly string[], row: Row): RawBuilder<unknown> =>
  sql.join(names.map((name) => row[camelOf(name)]));

/** For an `update`: `name = …, from_email = …`. */
export const columnAssignments = (names: readonly string[], row: Row): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql`${sql.raw(name)} = ${row[camelOf(name)]}`));
