import { Type } from 'typebox';
import { Instant, nullable } from '#platform/records/wire-types.ts';

const Payload = Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown(), { examples: [{ order_id: '42' }] })));
const at = (description: string) =>
  Type.Optional(nullable(Type.String({ format: 'date-time', description, examples: ['2026-12-01T09:00:00Z'] })));

export const SimulateBody = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 320, examples: ['ada@example.com'] }),
  at: at('When the run begins, at most 10 years from now; now when left out.'),
  until: at('When to stop; 366 days later when left out.'),
  payload: Payload,
  events: Type.Optional(
    nullable(
      Type.Array(
        Type.Object({
          at: Type.String({ format: 'date-time', examples: ['2026-12-02T09:00:00Z'] }),
          name: Type.String({
            maxLength: 110,
            pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,109}$',
            'x-says': 'must be the name of an event',
            description: 'Of your own, or one of this service such as `email_opened`.',
            examples: ['order.paid'],
          }),
          payload: Payload,
        }),
        { maxItems: 100 },
      ),
    ),
  ),
});

const text = nullable(Type.String());
export const Simulated = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          at: Instant,
          branch: nullable(Type.String({ description: '`yes`, `no`, `event`, `timeout`, or why it ended here.' })),
          subject: text,
          html: text,
          text,
          error: text,
        },
        { title: 'AutomationSimulatedStep', additionalProperties: false },
      ),
    ),
    ended: Type.Enum(['completed', 'exited', 'failed', 'waiting']),
  },
  { title: 'AutomationSimulation', additionalProperties: false },
);
