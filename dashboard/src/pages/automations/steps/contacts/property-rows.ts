import type { ContactProperty } from '../../../../api/generated/types.gen.ts';
import { ownEntry } from '../../../../lib/own-entry.ts';

/** A property that a step changes, as it is written. An empty value removes it. */
export interface PropertyRow {
  name: string;
  text: string;
}

export type PropertyTypes = Readonly<Record<string, ContactProperty['type']>>;
type Properties = Readonly<Record<string, unknown>>;

export const rowsOf = (properties: Properties): PropertyRow[] =>
  Object.entries(properties).map(([name, value]) => ({ name, text: textOf(value) }));

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Rows as the API takes them. A value that was not touched stays what it was, also where the type is not known. */
export function propertiesOf(rows: readonly PropertyRow[], types: PropertyTypes, before: Properties): Properties {
  const named = rows.filter(({ name }) => name !== '');
  return Object.fromEntries(
    named.map(({ name, text }) => {
      const isSame = Object.hasOwn(before, name) && textOf(before[name]) === text;
      return [name, isSame ? before[name] : valueOf(text, ownEntry(types, name))];
    }),
  );
}

/** The server refuses what does not fit the type of the property, and says so. */
function valueOf(text: string, type: ContactProperty['type'] | undefined): unknown {
  if (text === '') return null;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const number = Number(text);
  return type === 'number' && text.trim() !== '' && Number.isFinite(number) ? number : text;
}
