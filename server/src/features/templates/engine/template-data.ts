/** The data that a template can see: text, numbers, booleans, null, and lists and records of these. */
export type TemplateValue = string | number | boolean | null | readonly TemplateValue[] | TemplateRecord;
export interface TemplateRecord {
  readonly [name: string]: TemplateValue;
}

/** Nobody nests data deeper than an email shows; what lies deeper is absent. */
const DEPTH_MAX = 20;
/** Words that lead from a value to the language it is written in. As a person's own data they are of no use. */
const UNREACHABLE = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * A copy that has nothing but its own data: no prototype to reach, no getter to run, nothing that a rendering could
 * change for the next one. Dates become ISO 8601; what is no data is absent.
 */
export const ownData = (values: Readonly<Record<string, unknown>>, noted: NoteRecord = () => {}): TemplateRecord =>
  recordOf(values, [], noted);

/** Told the path of each record that a template makes text of. */
export type NoteRecord = (path: readonly string[]) => void;

function recordOf(values: object, path: readonly string[], noted: NoteRecord): TemplateRecord {
  // biome-ignore lint: a record without prototype has no other literal
  const copy: Record<string, TemplateValue> = Object.create(null);
  // As text a record is nothing, also to a filter; without this, it could not be made text at all.
  const asText = (): string => {
    noted(path);
    return '';
  };
  Object.defineProperty(copy, Symbol.toPrimitive, { value: asText });
  for (const [name, value] of Object.entries(values)) {
    if (UNREACHABLE.has(name)) continue;
    const own = valueOf(value, [...path, name], noted);
    if (own !== undefined) copy[name] = own;
  }
  return copy;
}

function valueOf(value: unknown, path: readonly string[], noted: NoteRecord): TemplateValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (path.length > DEPTH_MAX || typeof value !== 'object') return undefined;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((one) => valueOf(one, [...path, '[]'], noted) ?? null);
  return recordOf(value, path, noted);
}

/** A value as text; a record has none. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (typeof value !== 'object' || value === null) return '';
  if (Object.getPrototypeOf(value) === null) return `${value}`; // a record, which makes itself text
  // An object of the library, such as nil or a loop: its value, if that is text.
  const own = value.valueOf();
  return isPlain(own) ? textOf(own) : '';
}

/** Neither a list nor a record. */
export const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
