import { Type } from 'typebox';
import { kept, record, type Stored } from '#platform/records/record.ts';
import { Instant } from '#platform/records/wire-types.ts';
import { Id } from '../contact.ts';
import type { WrittenFilter } from './filter.ts';

export const SEGMENTS_MAX = 500;
/** Of a filter with the filters of the segments that it names in their places. */
export const WRITTEN_OUT_MAX = 200;

export const SegmentName = Type.String({ minLength: 1, maxLength: 200, examples: ['Active customers'] });

const shownCondition = Type.Object(
  {
    field: Type.String({
      description:
        '`email`, `domain`, `name`, `first_name`, `last_name`, `timezone`, `language`, `created_at`, `unsubscribed`, ' +
        '`property:<key>`, `list:<id>`, `segment:<id>`; `sent`, `opened` and `clicked` for all mail, or ' +
        '`received:<id>`, `opened:<id>` and `clicked:<id>` for that of one issue or broadcast; `received_event:<name>` ' +
        'for events of `POST /v1/events`.',
      examples: ['property:plan'],
    }),
    op: Type.String({
      description:
        'Of texts: `equals`, `not_equals`, `contains`, `starts_with`, `ends_with`, `is_set`, `is_not_set`; of numbers ' +
        '`gt` and `lt`; of times `before` and `after`; of what is or is not so `is_true` and `is_false`; of `sent`, ' +
        '`opened`, `clicked` and `received_event:<name>` `at_least` and `none`.',
      examples: ['equals'],
    }),
    value: Type.Optional(Type.Union([Type.String(), Type.Number()], { examples: ['pro'] })),
    count: Type.Optional(
      Type.Integer({
        description: 'Of `at_least`: so many emails or events, 1 when left out; of events with `within` at most 50.',
      }),
    ),
    within: Type.Optional(Type.String({ description: 'Only the last time: `12 hours`, `30 days`, `4 weeks`.' })),
  },
  { title: 'SegmentCondition' },
);

const Match = Type.Enum(['all', 'any']);

/** Its content is judged as a whole, and a fault is 422 with its place. */
export const Filter = Type.Unknown({
  'x-shown-as': Type.Object(
    {
      match: Match,
      conditions: Type.Array(
        Type.Union([
          shownCondition,
          Type.Object(
            { match: Match, conditions: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
            { title: 'SegmentGroup', description: 'A group within: to a depth of 5, with 50 conditions in all.' },
          ),
        ]),
        { minItems: 1 },
      ),
    },
    {
      title: 'SegmentFilter',
      examples: [{ match: 'all', conditions: [{ field: 'property:plan', op: 'equals', value: 'pro' }] }],
    },
  ),
});

const fields = {
  workspace_id: kept<string>(),
  id: Id,
  name: SegmentName,
  filter: Type.Unsafe<WrittenFilter>(Filter),
  uses: kept<string[]>(),
  created_at: Instant,
  updated_at: Instant,
};

/** A segment as it is stored. */
export type Segment = Stored<typeof fields>;
export const SEGMENT = record(fields);
export const SegmentRecord = Type.Object(SEGMENT.schema, { title: 'Segment', additionalProperties: false });
export const segmentView = (row: Segment) => SEGMENT.view(row, {});
