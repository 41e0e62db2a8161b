import { isDeepStrictEqual } from 'node:util';

/** By field in its wire spelling: the value that it had, and the one that it has now. */
export type ChangedFields = Record<string, { before: unknown; after: unknown }>;

/**
 * The fields whose values differ, for a log of changes; null when none does. Values are compared as JSON, whose fields
 * have no order: PostgreSQL gives those of jsonb in one of its own.
 */
export function changedFields<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
): ChangedFields | null {
  const changed = fields.filter((field) => !areSameJson(before[field], after[field]));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((field) => [snakeCase(field), { before: before[field], after: after[field] }]));
}

function areSameJson(one: unknown, other: unknown): boolean {
  const [text, otherText] = [one, other].map((value) => JSON.stringify(value) ?? 'null');
  return text === otherText || isDeepStrictEqual(JSON.parse(String(text)), JSON.parse(String(otherText)));
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
