/** By field in its wire spelling: the value that it had, and the one that it has now. */
export type ChangedFields = Record<string, { before: unknown; after: unknown }>;

/** The fields whose values differ, for a log of changes; null when none does. Values are compared as JSON. */
export function changedFields<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
): ChangedFields | null {
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((field) => [snakeCase(field), { before: before[field], after: after[field] }]));
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
