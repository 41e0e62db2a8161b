import type {
  Contact,
  ContactProperty,
  CreateContactRequest,
  UpdateContactRequest,
} from '../../api/generated/types.gen.ts';

export type PropertyType = ContactProperty['type'];

/** A property as it is typed. */
export interface TypedProperty {
  key: string;
  type: PropertyType;
  text: string;
}

export interface ContactValues extends Record<string, unknown> {
  email: string;
  first_name: string;
  last_name: string;
  name: string;
  timezone: string;
  language: string;
  properties: readonly TypedProperty[];
}

const NAMES = ['first_name', 'last_name', 'name', 'timezone', 'language'] as const;

export const EMPTY_CONTACT: ContactValues = {
  email: '',
  first_name: '',
  last_name: '',
  name: '',
  timezone: '',
  language: '',
  properties: [],
};

type Known = readonly Pick<ContactProperty, 'key' | 'type'>[];

const usualType = (value: string | number | boolean): PropertyType =>
  typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'boolean';

/** `name` is the two names together where the person has none of its own; then the field is empty. */
const ownName = ({ name, first_name, last_name }: Contact): string => {
  const together = [first_name, last_name].filter((part) => part !== null).join(' ');
  return name === null || name === together ? '' : name;
};

export const valuesOf = (contact: Contact, known: Known): ContactValues => ({
  email: contact.email,
  first_name: contact.first_name ?? '',
  last_name: contact.last_name ?? '',
  name: ownName(contact),
  timezone: contact.timezone ?? '',
  language: contact.language ?? '',
  properties: Object.entries(contact.properties).map(([key, value]) => ({
    key,
    type: known.find((one) => one.key === key)?.type ?? usualType(value),
    text: String(value),
  })),
});

/** The value of a property for the API; undefined unless it can be read. */
export function readProperty({
  type,
  text,
}: Pick<TypedProperty, 'type' | 'text'>): string | number | boolean | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (type === 'number') return Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined;
  if (type === 'boolean') return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined;
  return type === 'date' ? trimmed : text;
}

/** The first thing that is wrong with the properties, in a sentence. */
export function faultOfProperties(properties: readonly TypedProperty[]): string | null {
  const seen = new Set<string>();
  for (const property of properties) {
    const key = property.key.trim();
    if (key === '') return 'Every property needs a key.';
    if (seen.has(key)) return `${key} is here twice.`;
    seen.add(key);
    if (readProperty(property) === undefined) return `${key} needs a ${WORDS[property.type]}.`;
  }
  return null;
}

const WORDS = {
  string: 'text',
  number: 'number',
  boolean: 'yes or no',
  date: 'day or time',
} as const satisfies Record<PropertyType, string>;

const propertiesOf = (values: ContactValues): Record<string, unknown> =>
  Object.fromEntries(values.properties.map((property) => [property.key.trim(), readProperty(property)]));

export function bodyOfNew(values: ContactValues): CreateContactRequest {
  const properties = propertiesOf(values);
  const named = NAMES.map((name) => [name, values[name].trim()] as const).filter(([, text]) => text !== '');
  return {
    email: values.email.trim(),
    ...Object.fromEntries(named),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/** Only what is different: a removed property is null. */
export function bodyOfChange(values: ContactValues, before: Contact): UpdateContactRequest {
  const old = valuesOf(before, []);
  const now = propertiesOf(values);
  const properties: Record<string, unknown> = {};
  for (const key of Object.keys(before.properties)) if (!Object.hasOwn(now, key)) properties[key] = null;
  for (const [key, value] of Object.entries(now)) if (before.properties[key] !== value) properties[key] = value;
  const named = NAMES.filter((name) => values[name].trim() !== old[name]);
  return {
    ...(values.email.trim() === before.email ? {} : { email: values.email.trim() }),
    ...Object.fromEntries(named.map((name) => [name, values[name].trim() === '' ? null : values[name].trim()])),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}
