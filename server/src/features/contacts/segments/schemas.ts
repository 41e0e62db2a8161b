import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { ContactRecord, Id } from '../contact.ts';
import { Filter, SegmentName } from './segment.ts';

export const CreateSegmentBody = Type.Object({ name: SegmentName, filter: Filter });
export const UpdateSegmentBody = Type.Object({ name: Type.Optional(SegmentName), filter: Type.Optional(Filter) });
export const PreviewSegmentBody = Type.Object({ filter: Filter });

export const SegmentParams = Type.Object({ id: Id });
export const SegmentsQuery = Type.Object({
  ...pageQuery,
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'In the name.' })),
});
export const SegmentContactsQuery = Type.Object(pageQuery);

export const ExplainQuery = Type.Object({
  contact: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'The id or the address of a contact. Required.',
      examples: ['ada@example.com'],
    }),
  ),
});

export const SegmentPreview = Type.Object(
  {
    count: Type.Integer({ description: 'Contacts among `looked_at` that meet the filter.' }),
    looked_at: Type.Integer(),
    complete: Type.Boolean({
      description: 'false: a second was not enough to look at all contacts, and `count` is that of the newest.',
    }),
    contacts: Type.Array(ContactRecord, { description: 'The newest of them, at most 10.' }),
  },
  { title: 'SegmentPreview', additionalProperties: false },
);

export const SegmentExplanation = Type.Object(
  {
    segment_id: Id,
    contact_id: Id,
    matches: Type.Boolean(),
    conditions: Type.Array(
      Type.Object(
        {
          at: Type.String({ description: 'Its place.', examples: ['filter.conditions[0]'] }),
          match: Type.Optional(Type.Enum(['all', 'any'], { description: 'Of a group.' })),
          field: Type.Optional(Type.String()),
          op: Type.Optional(Type.String()),
          value: Type.Optional(Type.Unknown()),
          count: Type.Optional(Type.Integer()),
          within: Type.Optional(Type.String()),
          matches: Type.Boolean(),
        },
        { title: 'ExplainedCondition', additionalProperties: false },
      ),
      { description: 'Every group and condition, in the order of the filter.' },
    ),
  },
  { title: 'SegmentExplanation', additionalProperties: false },
);

export const RemovedSegment = Type.Object(
  { success: Type.Literal(true), id: Id },
  { title: 'RemovedSegment', additionalProperties: false },
);
