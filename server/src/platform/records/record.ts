import type { RawBuilder } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { type Camel, camelOf, selectedColumns } from '../db/record-columns.ts';

/**
 * A record: each field stands once, under its name on the wire, which is the name of its column too. From this table
 * come the columns of a select, the type of the stored record, what the API shows, and the schema of that. A field
 * is a schema when it is stored and shown, `kept` when it is stored and never shown, and `computed` when it is shown
 * and not a column of the row.
 */
export type Fields = Readonly<Record<string, Field>>;
type Field = TSchema | Kept<unknown> | Computed<TSchema>;

interface Kept<T> {
  readonly role: 'kept';
  /** Only for the type. */
  readonly value?: T;
}
interface Computed<S extends TSchema> {
  readonly role: 'computed';
  readonly schema: S;
}

export const kept = <T>(): Kept<T> => ({ role: 'kept' });
export const computed = <S extends TSchema>(schema: S): Computed<S> => ({ role: 'computed', schema });

type NamesOf<F, Wanted> = { [K in keyof F]: F[K] extends Wanted ? K : never }[keyof F] & string;
type ComputedName<F> = NamesOf<F, Computed<TSchema>>;
type KeptName<F> = NamesOf<F, Kept<unknown>>;
type ColumnName<F> = Exclude<keyof F & string, ComputedName<F>>;
type ValueOf<T> = T extends Kept<infer V> ? V : T extends TSchema ? Static<T> : never;

/** The record as it is stored, in the names of the code. */
export type Stored<F extends Fields> = { [K in ColumnName<F> as Camel<K>]: ValueOf<F[K]> };
/** The schemas of what is shown. */
type Shown<F extends Fields> = {
  [K in Exclude<keyof F & string, KeptName<F>>]: F[K] extends Computed<infer S> ? S : Extract<F[K], TSchema>;
};
type View<F extends Fields, C> = {
  [K in Exclude<keyof F & string, KeptName<F>>]: K extends keyof C ? C[K] : ValueOf<F[K]>;
};

interface RecordTable<F extends Fields> {
  /** In the order of the table: for `Type.Object`. */
  schema: Shown<F>;
  /** The columns of the row called `alias`. */
  columns(alias: string): RawBuilder<unknown>;
  /** The wire form of a row, in the order of the table. */
  view<C extends Record<ComputedName<F>, unknown>>(row: Stored<F>, computed: C): View<F, C>;
}

const isKept = (field: Field): field is Kept<unknown> => 'role' in field && field.role === 'kept';
const isComputed = (field: Field): field is Computed<TSchema> => 'role' in field && field.role === 'computed';

export function record<const F extends Fields>(fields: F): RecordTable<F> {
  const all = Object.entries(fields);
  const shown = all.filter(([, field]) => !isKept(field));
  const names = shown.map(([name]) => [name, camelOf(name)] as const);
  const columns = all.filter(([, field]) => !isComputed(field)).map(([name]) => name);
  const schema = Object.fromEntries(shown.map(([name, field]) => [name, isComputed(field) ? field.schema : field]));
  const view = (row: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>>) => {
    const wire: Record<string, unknown> = {};
    for (const [name, property] of names) wire[name] = name in more ? more[name] : row[property];
    return wire;
  };
  // The entries of an object have lost the types of its fields.
  return { schema, columns: (alias: string) => selectedColumns(alias, columns), view } as unknown as RecordTable<F>;
}
