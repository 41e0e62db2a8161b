import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { listOfEventTypes } from '../catalogue.ts';
import { DELIVERY_STATUSES } from './delivery.ts';

const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:05.123Z'] });
const Id = Type.String({ format: 'uuid', examples: ['0197f400-1c2d-7abc-8def-0123456789ab'] });

const Status = Type.Enum(DELIVERY_STATUSES, {
  title: 'WebhookDeliveryStatus',
  description:
    'pending: waits for its next attempt. delivering: it is due, and its endpoint is being served. succeeded: answered 2xx. failed: so was its last attempt. ' +
    'discarded: the event was deleted before it could be delivered.',
  examples: ['succeeded'],
});

const Attempt = Type.Object(
  {
    at: Instant,
    status: nullable(Type.Integer({ description: 'null: no answer came.', examples: [503] })),
    response_time_ms: nullable(Type.Integer()),
    error: nullable(Type.String({ examples: ['The receiver answered 503; only 200 to 299 is success.'] })),
  },
  { title: 'WebhookAttempt', additionalProperties: false },
);

export const DeliveryRecord = Type.Object(
  {
    id: Id,
    webhook_id: Id,
    event_id: Type.String({ pattern: '^evt_[0-9a-f]{32}$', examples: ['evt_0197f4001c2d7abc8def0123456789ab'] }),
    event_type: Type.String({ examples: ['bounce'] }),
    status: Status,
    attempt: Type.Integer({ description: 'Attempts made.', examples: [1] }),
    max_attempts: Type.Integer({ examples: [8] }),
    url: Type.String({
      description: 'The URL of the last attempt; before the first attempt, the URL of the endpoint.',
    }),
    request_body: nullable(
      Type.String({ description: 'The bytes that are sent, the same in every attempt; null before the first.' }),
    ),
    response_status: nullable(Type.Integer()),
    response_body: nullable(
      Type.String({ description: 'Of the last attempt: up to 4 KB, control characters escaped; null when none came.' }),
    ),
    response_time_ms: nullable(Type.Integer()),
    error: nullable(Type.String({ description: 'Why the last attempt was no success.' })),
    next_attempt_at: nullable(Instant),
    delivered_at: nullable(Instant),
    created_at: Instant,
    attempts: Type.Array(Attempt, { description: 'Every attempt, oldest first.' }),
  },
  { title: 'WebhookDelivery', additionalProperties: false },
);

export const WebhookParams = Type.Object({ id: Id });
export const DeliveryParams = Type.Object({ id: Id, deliveryId: Id });

export const DeliveriesQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Status),
  event_type: Type.Optional(Type.String({ maxLength: 100, description: 'Only this type.', examples: ['bounce'] })),
});

export const AllDeliveriesQuery = Type.Object({
  ...DeliveriesQuery.properties,
  webhook_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only to this webhook.' })),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'Created from this time on.', examples: ['2026-11-20T00:00:00Z'] }),
  ),
  until: Type.Optional(
    Type.String({ format: 'date-time', description: 'Created before this time.', examples: ['2026-11-21T00:00:00Z'] }),
  ),
});

export const ReplayBody = Type.Object({
  since: Type.String({
    format: 'date-time',
    description: 'Start of the period. Events and deliveries are kept for 30 days.',
    examples: ['2026-11-20T00:00:00Z'],
  }),
  until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'End of the period; now when left out.',
      examples: ['2026-11-20T10:00:00Z'],
    }),
  ),
  event_types: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description: `Only these: ${listOfEventTypes()}.`,
      examples: [['bounce', 'complaint']],
    }),
  ),
  only_failed: Type.Optional(
    Type.Boolean({
      description:
        'true (the default): deliveries that failed and were not replayed since. false: every event that the ' +
        'webhook would receive today, whether it was delivered before or not, including events from times when ' +
        'the webhook was disabled or did not exist. Deliveries of the range that wait for their next attempt are ' +
        'tried now in both cases.',
      examples: [true],
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`next_cursor` of the call before.' })),
});

export const Replayed = Type.Object(
  {
    queued: Type.Integer({
      description: 'Deliveries that this call queued or that it moved to now: at most 10,000.',
      examples: [42],
    }),
    has_more: Type.Boolean({ description: 'The range has more events than one call queues.' }),
    next_cursor: nullable(Type.String({ description: 'To continue, give it with the same range.' })),
  },
  { additionalProperties: false },
);
