import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { KINDS } from './queries.ts';

export const RecordParams = Type.Object({
  id: Type.String({
    description: 'The id of any record, or of an event (`evt_…`).',
    examples: ['0197f420-1c2d-7abc-8def-0123456789ab'],
  }),
});

const RecordType = Type.Enum([...KINDS], { title: 'RecordType', description: 'The kind of the record.' });

export const NamedRecord = Type.Object(
  {
    type: RecordType,
    id: Type.String({ format: 'uuid' }),
    name: nullable(
      Type.String({
        description: 'Its name, subject or address, whichever its kind has; null: it has none.',
        examples: ['Your order has shipped'],
      }),
    ),
    parent: nullable(
      Type.Object(
        { type: RecordType, id: Type.String({ format: 'uuid' }) },
        {
          description:
            'The record that it belongs to, for its path: the newsletter of an issue, a subscriber or a file; the ' +
            'automation of a run; the webhook of a delivery; the email of an event or of a captured email.',
        },
      ),
    ),
  },
  { title: 'NamedRecord', additionalProperties: false },
);

export const RecordsQuery = Type.Object({
  search: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'A whole address finds its contact, its subscribers in all newsletters, and its suppression. Any other text is ' +
      'looked for in names, subjects, domains and URLs of webhooks, whatever the case, in the newest 1,000 records of ' +
      'each kind: its first 100 characters, in the first 300 of each.',
    examples: ['ada@example.com'],
  }),
});

export const NamedRecords = Type.Object(
  {
    data: Type.Array(NamedRecord, {
      description: 'At most five of each kind: by kind, and the newest of a kind first.',
    }),
  },
  { title: 'NamedRecords', additionalProperties: false },
);
