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
export const ownData = (values: Readonly<Record<string, unknown>>): TemplateRecord => recordOf(values, 0);

function recordOf(values: object, depth: number): TemplateRecord {
  // biome-ignore lint: a record without prototype has no other literal
  const copy: Record<string, TemplateValue> = Object.create(null);
  for (const [name, value] of Object.entries(values)) {
    if (UNREACHABLE.has(name)) continue;
    const own = valueOf(value, depth + 1);
    if (own !== undefined) copy[name] = own;
  }
  return copy;
}

function valueOf(value: unknown, depth: number): TemplateValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (depth > DEPTH_MAX || typeof value !== 'object') return undefined;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((one) => valueOf(one, depth + 1) ?? null);
  return recordOf(value, depth);
}

/** A value as text; a record has none. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join('');
  return '';
}
