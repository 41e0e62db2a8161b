import { type BadRow, type FileRow, type Layout, readPerson } from '#features/transfers';
import { AppError } from '#platform/errors/app-error.ts';
import { readZone } from '#platform/time/zones.ts';
import { readLanguage } from '../contact-input.ts';
import { checkProperties } from '../properties/property-types.ts';

/** A row of a file that is a contact. */
export interface ContactRow extends FileRow {
  given: {
    first_name?: string;
    last_name?: string;
    name?: string;
    timezone?: string;
    language?: string;
    properties: Record<string, unknown>;
  };
  /** The file says that the person wants no mail. */
  hasLeft: boolean;
}

/**
 * Reads a row as files of people are read; names, zone and language of contacts besides. The types of properties are
 * known when the page is taken.
 */
export function readContactRow(
  line: number,
  layout: Layout,
  valueOf: (column: string) => unknown,
  now: Date,
): ContactRow | BadRow {
  const { properties = '', ...fields } = layout.fields;
  const ofPerson = { ...layout, fields: { ...fields, ...(properties === '' ? {} : { metadata: properties }) } };
  const person = readPerson(line, ofPerson, valueOf, now);
  if ('message' in person) return person;
  const text = (field: string): string => {
    const column = layout.fields[field];
    const value = column === undefined ? '' : valueOf(column);
    return typeof value === 'string' ? value.trim() : '';
  };
  try {
    checkProperties(person.metadata);
    return {
      line,
      email: person.email,
      given: { ...namesOf(text, person.name), ...placesOf(text), properties: person.metadata },
      hasLeft: person.status === 'unsubscribed',
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { line, email: person.email, reason: 'invalid_field', message: error.message };
  }
}

/** The whole name where the file has one, and no name that is only its parts. */
function namesOf(text: (field: string) => string, read: string | null) {
  const [first, last] = [text('first_name').slice(0, 200), text('last_name').slice(0, 200)];
  return {
    ...(first === '' ? {} : { first_name: first }),
    ...(last === '' ? {} : { last_name: last }),
    ...(text('name') === '' || read === null ? {} : { name: read }),
  };
}

function placesOf(text: (field: string) => string) {
  const [zone, language] = [text('timezone'), text('language')];
  return {
    ...(zone === '' ? {} : { timezone: readZone('timezone', zone) }),
    ...(language === '' ? {} : { language: readLanguage(language) }),
  };
}
