import type { TSchema } from 'typebox';

const NAMES_MAX = 50;

/** The characters allowed in a list in a header; other names are left out. */
const SAFE_IN_HEADER = /^[\x21-\x2b\x2d-\x7e]{1,64}$/;

interface ObjectLike {
  type?: unknown;
  properties?: Record<string, unknown>;
  items?: unknown;
  anyOf?: readonly unknown[];
  allOf?: readonly unknown[];
}

/**
 * The fields of a body that no schema knows, as `a.b[].c`. They are ignored, and named in X-Unknown-Fields so that a
 * typing error is never silent. Free-form objects (no `properties`) are not looked into.
 */
export function unknownFields(schema: TSchema, body: unknown): string[] {
  const found = new Set<string>();
  walk([schema], body, '', found);
  return [...found];
}

/** `schemas` are all that may describe the value: the branches of a union, of which one knowing a field is enough. */
function walk(schemas: readonly unknown[], value: unknown, path: string, found: Set<string>): void {
  if (found.size >= NAMES_MAX || typeof value !== 'object' || value === null) return;
  const shapes = schemas.flatMap(branches).filter((shape) => fits(shape, value));
  if (Array.isArray(value)) {
    const items = shapes.map((shape) => shape.items).filter((item) => item !== undefined);
    if (items.length > 0) for (const item of value) walk(items, item, `${path}[]`, found);
    return;
  }
  if (shapes.length === 0 || shapes.some((shape) => shape.properties === undefined)) return;
  for (const [key, item] of Object.entries(value)) {
    const name = path === '' ? key : `${path}.${key}`;
    const known = shapes.map((shape) => shape.properties ?? {}).filter((properties) => Object.hasOwn(properties, key));
    if (known.length > 0) {
      walk(
        known.map((properties) => properties[key]),
        item,
        name,
        found,
      );
    } else if (found.size < NAMES_MAX && SAFE_IN_HEADER.test(name)) {
      found.add(name);
    }
  }
}

function branches(schema: unknown): ObjectLike[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const shape: ObjectLike = schema;
  const inside = shape.anyOf ?? shape.allOf;
  return inside === undefined ? [shape] : inside.flatMap(branches);
}

const fits = (shape: ObjectLike, value: object): boolean =>
  shape.type === undefined || shape.type === (Array.isArray(value) ? 'array' : 'object');
