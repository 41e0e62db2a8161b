import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { Id } from './contact.ts';
import { PROPERTY_TYPES } from './properties/property-types.ts';

const NAME_CHARS_MAX = 200;

const name = (description: string, example: string) =>
  Type.Optional(nullable(Type.String({ maxLength: NAME_CHARS_MAX, description, examples: [example] })));

const Email = Type.String({ minLength: 1, maxLength: 320, examples: ['ada@example.com'] });

const described = {
  first_name: name('The given name.', 'Ada'),
  last_name: name('The family name.', 'Lovelace'),
  name: name('The whole name, when it is not the two together.', 'Countess Lovelace'),
  properties: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Texts, numbers, booleans and dates by key; null removes a key. The first value of a key in the workspace ' +
        'decides its type, and another type is refused. At most 100 keys and 16 KB.',
      examples: [{ plan: 'pro', seats: 3 }],
    }),
  ),
  timezone: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description: 'An IANA time zone; an old name is kept under the name of today.',
        examples: ['Europe/Berlin'],
      }),
    ),
  ),
  language: Type.Optional(
    nullable(Type.String({ maxLength: 35, description: 'A BCP 47 language tag.', examples: ['en-GB'] })),
  ),
};

/** The fields that describe a person. */
export const DescriptionBody = Type.Object(described);

export const CreateContactBody = Type.Object({
  email: Email,
  ...described,
  unsubscribed: Type.Optional(
    Type.Boolean({ description: 'true: no mail to many. false does not subscribe anybody who has unsubscribed.' }),
  ),
});

export const UpdateContactBody = Type.Object({
  email: Type.Optional(Email),
  ...described,
  unsubscribed: Type.Optional(
    Type.Boolean({ description: 'false subscribes them again: only when the person has asked for it.' }),
  ),
});

/** Rows are judged one by one, so that good ones are stored beside bad ones. */
export const BatchBody = Type.Object({
  contacts: Type.Array(Type.Unknown({ 'x-shown-as': CreateContactBody }), { minItems: 1, maxItems: 1_000 }),
});

export const BatchAnswer = Type.Object(
  {
    success: Type.Literal(true),
    created: Type.Integer(),
    updated: Type.Integer(),
    skipped: Type.Integer({ description: 'Rows that change nothing, and addresses of people who were erased.' }),
    errors: Type.Array(Type.Object({ index: Type.Integer(), message: Type.String() }), {
      description: 'Rows that were not stored, by their place from 0.',
    }),
  },
  { title: 'ContactBatch', additionalProperties: false },
);

export const ContactParams = Type.Object({
  id: Type.String({ description: 'The id or the address of the contact.', examples: ['ada@example.com'] }),
});

export const ContactsQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A part of the address or of a name. The whole address of a contact finds this contact alone.',
    }),
  ),
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 320, description: 'The contact with this address.' })),
  unsubscribed: Type.Optional(Type.Enum(['true', 'false'])),
  list_id: Type.Optional(Type.String({ format: 'uuid', description: 'Contacts on this list.' })),
});

export const DeleteContactQuery = Type.Object({
  erase: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: '`true`: the person asked to be forgotten. Uploads of many do not bring the address back.',
    }),
  ),
});

export const RemovedContact = Type.Object(
  { success: Type.Literal(true), id: Id },
  { title: 'RemovedContact', additionalProperties: false },
);

export const UnsubscribeBody = Type.Object({
  list_id: Type.Optional(
    nullable(Type.String({ format: 'uuid', description: 'They leave this list; without it, all mail to many.' })),
  ),
});

export const PagesQuery = Type.Object(pageQuery);
export const ContactProperty = Type.Object(
  { id: Id, key: Type.String({ examples: ['plan'] }), type: Type.Enum(PROPERTY_TYPES), created_at: Instant },
  { title: 'ContactProperty', additionalProperties: false },
);
