import type { Reader, ReaderLinks } from '#features/compositions';

/** The fields of a contact that its mail can name. */
export interface ContactFacts {
  email: string;
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  properties: Readonly<Record<string, unknown>>;
}

/** The roots of variables that come from the contact; the broadcast's own variables stand behind them. */
export const OF_CONTACT: readonly string[] = [
  'email',
  'first_name',
  'last_name',
  'name',
  'properties',
  'contact',
  'unsubscribe_url',
  'preferences_url',
];

export const KNOWN_PATHS: readonly string[] = [...OF_CONTACT, 'broadcast.name'];

/** The variables of one contact's mail. The fields of the contact win; `shared` may give those that it has not. */
export function contactVariables(
  contact: ContactFacts,
  { unsubscribeUrl, preferencesUrl }: ReaderLinks,
  { name, shared }: { name: string; shared: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  const own = withoutNull({
    email: contact.email,
    first_name: contact.firstName,
    last_name: contact.lastName,
    name: contact.name ?? fullName(contact),
  });
  const properties = { ...Object(shared['properties']), ...contact.properties };
  return {
    ...shared,
    ...own,
    properties,
    contact: { ...Object(shared['contact']), ...own, properties },
    broadcast: { name },
    unsubscribe_url: unsubscribeUrl,
    preferences_url: preferencesUrl,
  };
}

const withoutNull = (fields: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

const fullName = ({ firstName, lastName }: ContactFacts): string | null =>
  [firstName, lastName].filter((part) => part !== null).join(' ') || null;

/** A contact as previews show it: their first and last name stand in what a reader brings along. */
export const readerOf = ({ email, name, firstName, lastName, properties }: ContactFacts): Reader => ({
  email,
  name,
  metadata: { firstName, lastName, properties },
});

/** The same the other way; of somebody made up, the name has the parts. */
export function contactOfReader({ name, email, metadata }: Reader): ContactFacts {
  if ('properties' in metadata) {
    const { firstName, lastName, properties } = metadata;
    return { email, name, firstName: textOf(firstName), lastName: textOf(lastName), properties: Object(properties) };
  }
  const [firstName = null, lastName = null] = name?.split(' ', 2) ?? [];
  return { email, name, firstName, lastName, properties: {} };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
