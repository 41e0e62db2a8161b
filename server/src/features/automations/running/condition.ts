import { isDeepStrictEqual } from 'node:util';
import type { Condition } from '../automation.ts';
import { meaningOf } from '../step-fields.ts';
import type { Facts } from './facts.ts';

/** The facts that conditions can ask for. */
export type Told = Pick<Facts, 'email' | 'payload' | 'subscriber' | 'contact'>;

/** Whether a condition holds now. A field that is not there is null. */
export function holds({ field, op, value }: Condition, facts: Told): boolean {
  const found = fieldOf(facts, field) ?? null;
  switch (meaningOf(op)) {
    case 'equals':
      return isSame(found, value ?? null);
    case 'not_equals':
      return !isSame(found, value ?? null);
    case 'in':
      return Array.isArray(value) && value.some((one) => isSame(found, one));
    case 'contains':
      return contains(found, value);
    case 'not_contains':
      return !contains(found, value);
    case 'starts_with':
      return typeof found === 'string' && typeof value === 'string' && found.startsWith(value);
    case 'ends_with':
      return typeof found === 'string' && typeof value === 'string' && found.endsWith(value);
    case 'greater_than':
      return compare(found, value) > 0;
    case 'less_than':
      return compare(found, value) < 0;
    case 'exists':
      return found !== null;
    case 'not_exists':
      return found === null;
    case 'is_true':
      return isSame(found, true);
    case 'is_false':
      return isSame(found, false);
  }
}

function fieldOf(facts: Told, field: string): unknown {
  const { email, payload, subscriber, contact } = facts;
  return valueAt({ email, payload, subscriber, contact }, field.split('.'));
}

/** Over own properties only. */
export function valueAt(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Object(value)[name];
  }
  return value;
}

/** `42` and `"42"` are the same here: forms send texts. */
const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || (isPlain(one) && isPlain(other) && String(one) === String(other));

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const contains = (found: unknown, value: unknown): boolean =>
  Array.isArray(found)
    ? found.some((one) => isSame(one, value))
    : typeof found === 'string' && isPlain(value) && found.includes(String(value));

/** NaN, which is neither more nor less, for what cannot be compared. */
function compare(one: unknown, other: unknown): number {
  const [a, b] = [Number(one ?? Number.NaN), Number(other ?? Number.NaN)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  if (typeof one !== 'string' || typeof other !== 'string') return Number.NaN;
  return one < other ? -1 : Number(one > other); // instants in ISO 8601 too
}
