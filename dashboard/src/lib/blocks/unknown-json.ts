/** Reading JSON of which nothing is known. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textField = (value: unknown, name: string): string => {
  const field = fieldOf(value, name);
  return typeof field === 'string' ? field : '';
};
/** A whole number within bounds, or undefined. */
export const numberField = (value: unknown, name: string, min: number, max: number): number | undefined => {
  const field = fieldOf(value, name);
  const number = typeof field === 'string' ? Number.parseFloat(field) : field;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return Math.min(max, Math.max(min, Math.round(number)));
};
