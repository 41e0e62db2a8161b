import { PERSON_LAYOUT } from '#features/transfers';

const FIELDS = ['email', 'name', 'first_name', 'last_name', 'status', 'subscribed', 'unsubscribed'] as const;

/** The names of columns in files of contacts. `metadata.<key>` is a column of one property. */
export const CONTACT_LAYOUT = {
  names: {
    ...Object.fromEntries(FIELDS.map((field) => [field, PERSON_LAYOUT.names[field] ?? []])),
    properties: PERSON_LAYOUT.names['metadata'] ?? [],
    timezone: ['timezone', 'tz'],
    language: ['language', 'locale', 'lang'],
  },
};
