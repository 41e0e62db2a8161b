import type { Static } from 'typebox';
import { type Mailbox } from '#mail/addresses/addresses.ts';
import { readAddress } from '#mail/addresses/read-address.ts';
import { invalid } from '#platform/errors/app-error.ts';
import { readEach } from '#platform/http/fields/read-meaning.ts';
import { readName } from '#platform/pages/typed-name.ts';
import { readZone } from '#platform/time/zones.ts';
import type { Contact } from './contact.ts';
import { checkProperties, mergeProperties } from './properties/property-types.ts';
import { CreateContactBody, type UpdateContactBody } from './schemas.ts';

export type ContactInput = Static<typeof CreateContactBody>;
type ContactChange = Static<typeof UpdateContactBody>;

export function readLanguage(tag: string): string {
  try {
    const [language] = Intl.getCanonicalLocales(tag);
    if (language !== undefined) return language;
  } catch {
    // Falls through to the one error of an unknown tag.
  }
  throw invalid('language', 'language must be a BCP 47 language tag such as en or pt-BR');
}

const readers = {
  email: (email: string): Mailbox => readAddress(email),
  properties: checkProperties,
  timezone: (zone: string) => readZone('timezone', zone),
  language: readLanguage,
};
export const readNewContact = readEach<typeof CreateContactBody>(readers);
export const readContactChange = readEach<typeof UpdateContactBody>(readers);

/** The fields that describe a person. */
export type Description = Pick<Contact, 'firstName' | 'lastName' | 'name' | 'properties' | 'timezone' | 'language'>;

export const NO_DESCRIPTION: Description = {
  firstName: null,
  lastName: null,
  name: null,
  properties: {},
  timezone: null,
  language: null,
};

const orHeld = <T>(given: string | null | undefined, held: string | null, read: (text: string) => T) =>
  given === undefined ? held : given === null ? null : read(given);

/** The fields with these changes: only what is given differs, and null clears. */
export function describe(held: Description, given: ContactChange): Description {
  return {
    firstName: orHeld(given.first_name, held.firstName, readName),
    lastName: orHeld(given.last_name, held.lastName, readName),
    name: orHeld(given.name, held.name, readName),
    properties: given.properties === undefined ? held.properties : mergeProperties(held.properties, given.properties),
    timezone: orHeld(given.timezone, held.timezone, readers.timezone),
    language: orHeld(given.language, held.language, readLanguage),
  };
}
