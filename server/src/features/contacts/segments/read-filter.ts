import { unacceptable } from '#platform/errors/app-error.ts';
import type { PropertyTypes } from '../properties/property-types.ts';
import type { Condition, Group, WrittenCondition } from './filter.ts';
import { readTest } from './read-test.ts';

const FILTER_LIMITS = { depth: 5, conditions: 50 } as const;

const FIELDS_OF_CONDITION = ['field', 'op', 'value', 'count', 'within'];
const FIELDS_OF_GROUP = ['match', 'conditions'];

/**
 * Reads a filter. Throws 422 with the place of the first fault: nothing of a filter is passed over. `types` has the
 * types of the properties of the workspace; without them (null) the filter is read for its other faults only.
 */
export function readFilter(given: unknown, types: PropertyTypes | null, at = 'filter'): Group {
  let left: number = FILTER_LIMITS.conditions;
  const readGroup = (value: unknown, place: string, depth: number): Group => {
    const group = recordOf(value, place, FIELDS_OF_GROUP);
    if (depth > FILTER_LIMITS.depth) {
      throw unacceptable(place, `${place} is nested deeper than ${FILTER_LIMITS.depth} levels`);
    }
    const { match, conditions } = group;
    if (match !== 'all' && match !== 'any') throw unacceptable(`${place}.match`, `${place}.match must be all or any`);
    if (!Array.isArray(conditions) || conditions.length === 0) {
      throw unacceptable(`${place}.conditions`, `${place}.conditions must have at least one condition`);
    }
    left -= conditions.length;
    if (left < 0) {
      throw unacceptable(
        `${place}.conditions`,
        `A filter has at most ${FILTER_LIMITS.conditions} conditions, groups counted with them`,
      );
    }
    const parts = conditions.map((one: unknown, index) => readPart(one, `${place}.conditions[${index}]`, depth));
    return { at: place, match, parts };
  };
  const readPart = (value: unknown, place: string, depth: number): Group | Condition =>
    isRecord(value) && ('match' in value || 'conditions' in value)
      ? readGroup(value, place, depth + 1)
      : readCondition(value, place, types);
  return readGroup(given, at, 1);
}

/** Of a request, beside the types of its other fields: the faults of a filter that show without the database. */
export const checkFilter = (given: unknown): unknown => readFilter(given, null);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function recordOf(value: unknown, at: string, known: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) throw unacceptable(at, `${at} must be an object`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const name = unknown.slice(0, 64);
    throw unacceptable(`${at}.${name}`, `${at}.${name} is unknown: this takes only ${known.join(', ')}`);
  }
  return value;
}

function readCondition(given: unknown, at: string, types: PropertyTypes | null): Condition {
  const { field, op, value, count, within } = recordOf(given, at, FIELDS_OF_CONDITION);
  if (typeof field !== 'string') throw unacceptable(`${at}.field`, `${at}.field is required`);
  if (typeof op !== 'string') throw unacceptable(`${at}.op`, `${at}.op is required`);
  const test = readTest({ field, op, value, count, within }, at, types);
  const written: WrittenCondition = { field, op };
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') written.value = value;
  if (typeof count === 'number') written.count = count;
  if (typeof within === 'string') written.within = within;
  return { at, written, test };
}
