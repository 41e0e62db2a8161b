import type { TSchema } from 'typebox';

const NAMES_MAX = 50;

interface ObjectLike {
  properties?: Record<string, unknown>;
  items?: unknown;
  anyOf?: readonly unknown[];
}

/**
 * The fields of a body that no schema knows, as `a.b[].c`. They are ignored, and named in X-Unknown-Fields so that a
 * typing error is never silent. Free-form objects (no `properties`) are not looked into.
 */
export function unknownFields(schema: TSchema, body: unknown): string[] {
  const found = new Set<string>();
  walk(schema, body, '', found);
  return [...found].slice(0, NAMES_MAX);
}

function walk(schema: unknown, value: unknown, path: string, found: Set<string>): void {
  if (
    found.size >= NAMES_MAX ||
    typeof value !== 'object' ||
    value === null ||
    typeof schema !== 'object' ||
    schema === null
  )
    return;
  const shape: ObjectLike = schema;
  if (shape.anyOf !== undefined) {
    const branch = shape.anyOf.find((option) => fits(option, value));
    if (branch !== undefined) walk(branch, value, path, found);
    return;
  }
  if (Array.isArray(value)) {
    if (shape.items !== undefined) for (const item of value) walk(shape.items, item, `${path}[]`, found);
    return;
  }
  if (shape.properties === undefined) return;
  for (const [key, item] of Object.entries(value)) {
    const name = path === '' ? key : `${path}.${key}`;
    if (Object.hasOwn(shape.properties, key)) walk(shape.properties[key], item, name, found);
    // A header value: only what may stand in one.
    else if (/^[\x21-\x2b\x2d-\x7e]{1,64}$/.test(name)) found.add(name);
  }
}

const fits = (schema: unknown, value: object): boolean => {
  if (typeof schema !== 'object' || schema === null || !('type' in schema)) return false;
  return schema.type === (Array.isArray(value) ? 'array' : 'object');
};
