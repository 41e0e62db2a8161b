import { Type } from 'typebox';
import { computed, kept, record, type Stored } from '#platform/records/record.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import type { Properties } from './properties/property-types.ts';

export const Id = Type.String({ format: 'uuid', examples: ['0197f3d4-0000-7a50-9b1f-3f2f6f0c9a12'] });

const fields = {
  workspace_id: kept<string>(),
  id: Id,
  /** The identity of the address: lower case, domain in ASCII. */
  email: Type.String({ examples: ['ada@example.com'] }),
  first_name: nullable(Type.String({ examples: ['Ada'] })),
  last_name: nullable(Type.String({ examples: ['Lovelace'] })),
  name: nullable(Type.String({ description: '`first_name` and `last_name` when no name was given.' })),
  properties: Type.Unsafe<Properties>(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      examples: [{ plan: 'pro', seats: 3 }],
    }),
  ),
  unsubscribed: computed(Type.Boolean({ description: 'true: they want no mail to many from this workspace.' })),
  unsubscribed_at: nullable(Instant),
  suppressed: computed(
    Type.Boolean({ description: 'true: the address is on the suppression list, so nothing is sent to it.' }),
  ),
  timezone: nullable(Type.String({ examples: ['Europe/Berlin'] })),
  language: nullable(Type.String({ examples: ['en-GB'] })),
  list_ids: computed(Type.Array(Id, { description: 'The lists that the contact is on.' })),
  created_at: Instant,
  updated_at: Instant,
};

/** A contact as it is stored. */
export type Contact = Stored<typeof fields>;
export const CONTACT = record(fields);
export const ContactRecord = Type.Object(CONTACT.schema, { title: 'Contact', additionalProperties: false });

/** Facts about a contact that stand elsewhere. */
export interface Surroundings {
  isSuppressed: boolean;
  listIds: readonly string[];
}

export const contactView = (row: Contact, { isSuppressed, listIds }: Surroundings) =>
  CONTACT.view(row, {
    name: row.name ?? fullName(row),
    unsubscribed: row.unsubscribedAt !== null,
    suppressed: isSuppressed,
    list_ids: listIds,
  });

const fullName = ({ firstName, lastName }: Contact): string | null =>
  firstName === null && lastName === null ? null : [firstName, lastName].filter((part) => part !== null).join(' ');
