import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import { isInstant } from '#platform/time/instant.ts';

export const PROPERTY_TYPES = ['string', 'number', 'boolean', 'date'] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];
export type PropertyTypes = ReadonlyMap<string, PropertyType>;

/** The values of a contact: texts, numbers, booleans and dates by key. */
export type Properties = Readonly<Record<string, string | number | boolean>>;

/** Properties as a caller gives them: null removes a key. */
export type GivenProperties = Readonly<Record<string, unknown>>;

const KEY = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const KEYS_MAX = 100;
const TEXT_CHARS_MAX = 2_000;
const BYTES_MAX = 16_384;

/** Throws 400 for keys and values that no contact can have, whatever their types in the workspace. */
export function checkProperties(given: GivenProperties): void {
  for (const [key, value] of Object.entries(given)) {
    if (!KEY.test(key)) {
      throw invalid('properties', 'properties: a key is 1 to 64 of A-Z, a-z, 0-9, - and _, and begins with a letter');
    }
    if (value !== null && !isScalar(value)) {
      throw invalid(`properties.${key}`, `properties.${key} must be a text, a number, a boolean or null`);
    }
    if (typeof value === 'string' && value.length > TEXT_CHARS_MAX) {
      throw invalid(`properties.${key}`, `properties.${key} must have at most ${TEXT_CHARS_MAX} characters`);
    }
  }
  checkSize(given);
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function checkSize(properties: GivenProperties): void {
  if (Object.keys(properties).length > KEYS_MAX) {
    throw invalid('properties', `properties must have at most ${KEYS_MAX} keys`);
  }
  if (Buffer.byteLength(JSON.stringify(properties), 'utf8') > BYTES_MAX) {
    throw invalid('properties', 'properties must be at most 16 KB as JSON');
  }
}

const isDate = (text: string): boolean => isInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);

/** The type that the first value of a key gives it. */
function typeOf(value: unknown): PropertyType {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' && isDate(value) ? 'date' : 'string';
}

/**
 * The types that these values give to keys that had none. Throws 422 for a value of another type than its key has. A
 * text may look like a date.
 */
export function judgeTypes(given: GivenProperties, types: PropertyTypes): Map<string, PropertyType> {
  const declared = new Map<string, PropertyType>();
  for (const [key, value] of Object.entries(given)) {
    if (value === null) continue;
    const type = types.get(key);
    const own = typeOf(value);
    if (type === undefined) declared.set(key, own);
    else if (type !== own && !(type === 'string' && own === 'date')) {
      throw unacceptable(`properties.${key}`, `properties.${key} must be a ${type}, as in other contacts`);
    }
  }
  return declared;
}

/** Key by key: what is null goes. Throws 400 when they would be too many. */
export function mergeProperties(held: Properties, given: GivenProperties): Properties {
  const merged = Object.entries({ ...held, ...given }).filter(([, value]) => value !== null);
  const result = Object.fromEntries(merged) as Properties; // the values were checked
  checkSize(result);
  return result;
}
