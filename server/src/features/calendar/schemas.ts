import { Type } from 'typebox';
import { Instant, nullable } from '#platform/records/wire-types.ts';

export const DAYS_MAX = 42;
export const ITEMS_USUAL = '10';

const Day = (description: string) => Type.String({ maxLength: 40, description, examples: ['2026-12-01'] });

export const CalendarQuery = Type.Object({
  start: Day('The first day in the zone (`2026-12-01`), or an instant at a full quarter of an hour.'),
  end: Day(`The end, not included: a day in the zone, or an instant. At most ${DAYS_MAX} days after \`start\`.`),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Name of an IANA zone. The zone of the workspace when left out.',
      examples: ['Europe/Berlin'],
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,9}$',
      description: `How many of each day are listed, from 1 to 100; ${ITEMS_USUAL} when left out.`,
      examples: [ITEMS_USUAL],
    }),
  ),
});

const Id = Type.String({ format: 'uuid' });

const Planned = Type.Object(
  {
    type: Type.Enum(['scheduled_email', 'issue', 'broadcast'], { title: 'PlannedType' }),
    id: Id,
    newsletter_id: nullable(Id),
    newsletter_name: nullable(Type.String({ description: 'Of an issue.' })),
    name: nullable(Type.String({ description: 'Of a broadcast.' })),
    subject: nullable(Type.String({ description: 'null: the subject of its template, or none yet.' })),
    to: nullable(Type.String({ description: 'The first address of a scheduled email.' })),
    recipients: nullable(Type.Integer({ description: 'How many addresses a scheduled email has.' })),
    status: Type.String({ description: 'The state of its kind.', examples: ['scheduled'] }),
    scheduled_for: Type.String({
      format: 'date-time',
      description: 'Its time. Of an issue or a broadcast that was sent at once: when it began.',
      examples: ['2026-12-01T08:00:00.000Z'],
    }),
    timezone: nullable(Type.String({ description: 'The zone in which the time was meant.' })),
    wall_time: nullable(
      Type.String({
        description: 'The local time in `timezone` that was asked for; null: an instant was.',
        examples: ['2026-12-01T09:00:00'],
      }),
    ),
    recipient_timezone: Type.Boolean({
      description: 'Of a broadcast: each contact gets it at this local time in their own time zone.',
    }),
  },
  { title: 'PlannedMail', additionalProperties: false },
);

export const Calendar = Type.Object(
  {
    timezone: Type.String(),
    days: Type.Array(
      Type.Object(
        {
          date: Type.String({ examples: ['2026-12-01'] }),
          start: Instant,
          total: Type.Integer({ description: 'Exact up to 1,000 of each kind.' }),
          total_is_estimate: Type.Boolean({ description: 'There are more than `total`.' }),
          items: Type.Array(Planned, { description: 'The first of the day, in the order of their times.' }),
        },
        { title: 'CalendarDay', additionalProperties: false },
      ),
    ),
  },
  { title: 'Calendar', additionalProperties: false },
);
