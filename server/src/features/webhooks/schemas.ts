import { Type } from 'typebox';
import { nullable } from '#platform/records/wire-types.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { EVENT_TYPES, EVERY_TYPE, listOfEventTypes } from './catalogue.ts';

const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:05.123Z'] });
const Id = Type.String({ format: 'uuid', examples: ['0197f400-1c2d-7abc-8def-0123456789ab'] });

const URL_CHARS_MAX = 2_048;
const LISTED_MAX = 100;
export const OVERLAP_DEFAULT_SECONDS = 86_400;
const OVERLAP_MAX_SECONDS = 7 * 86_400;

const Url = Type.String({
  minLength: 1,
  maxLength: URL_CHARS_MAX,
  description: 'Where deliveries are posted to: https, a public address, no user name.',
  examples: ['https://example.com/webhooks/posthorn'],
});

const Events = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: LISTED_MAX,
  description: `\`${EVERY_TYPE}\` for all of them, or any of ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
  examples: [['delivery', 'bounce', 'complaint']],
});

const fields = {
  description: Type.Optional(
    nullable(Type.String({ maxLength: 500, description: 'The purpose of the endpoint.', examples: ['CRM'] })),
  ),
  newsletter_ids: Type.Optional(
    Type.Array(Id, {
      maxItems: LISTED_MAX,
      description: 'Only events of these newsletters; empty: of all and of none.',
    }),
  ),
  domain_ids: Type.Optional(
    Type.Array(Id, { maxItems: LISTED_MAX, description: 'Only events of these domains; empty: of all and of none.' }),
  ),
};

export const CreateWebhookBody = Type.Object({
  url: Url,
  events: Events,
  enabled: Type.Optional(
    Type.Boolean({ description: 'true when left out. false: it gets no events until you enable it.' }),
  ),
  ...fields,
});

export const UpdateWebhookBody = Type.Object({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  enabled: Type.Optional(
    Type.Boolean({
      description: 'false: no attempt starts after the answer. true: what failed before counts no more.',
    }),
  ),
  ...fields,
});

export const TestWebhookBody = Type.Object({
  type: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `The type of the sample: ${listOfEventTypes()}. The first the endpoint names when left out.`,
      examples: ['bounce'],
    }),
  ),
});

export const RotateSecretBody = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_MAX_SECONDS,
      description: `How long the old secret signs beside the new one; ${OVERLAP_DEFAULT_SECONDS} when left out, 0: not at all.`,
      examples: [86_400],
    }),
  ),
});

export const WebhookParams = Type.Object({ id: Id });

export const WebhookRecord = Type.Object(
  {
    id: Id,
    url: Type.String(),
    secret: Type.String({
      description: 'Signs deliveries. Masked for dashboard users who may only read.',
      examples: ['whsec_6o0s1M2fQyqDq0sE7c6Kq3w1vT9rXb4uYH5zAeJdLkM='],
    }),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    description: nullable(Type.String()),
    newsletter_ids: Type.Array(Type.String()),
    domain_ids: Type.Array(Type.String()),
    disabled_reason: nullable(Type.String({ description: 'Why we disabled it; null when a person did.' })),
    last_success_at: nullable(Instant),
    last_failure_at: nullable(Instant),
    previous_secret_expires_at: nullable(Type.String({ format: 'date-time', description: 'Until then both sign.' })),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Webhook', additionalProperties: false },
);

export const TestResult = Type.Object(
  {
    success: Type.Boolean({ description: 'The receiver answered 200 to 299.' }),
    status: Type.Integer({ description: 'Status of its answer; 0 when no answer came.', examples: [200] }),
    body: Type.String({ description: 'Its answer up to 4 KB, control characters escaped; or why there is none.' }),
  },
  { title: 'WebhookTestResult', additionalProperties: false },
);

export const Deleted = Type.Object({ success: Type.Literal(true) }, { title: 'Success', additionalProperties: false });

export const EventsQuery = Type.Object({
  ...pageQuery,
  type: Type.Optional(Type.String({ maxLength: 100, description: `One of ${listOfEventTypes()}.` })),
  email_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only events of this email, however old.' })),
  since: Type.Optional(Type.String({ format: 'date-time', description: '`created_at` at or after.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: '`created_at` before.' })),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], {
      description: 'desc, newest first, when left out; asc to catch up.',
      examples: ['asc'],
    }),
  ),
});

const text = Type.String();
const nullableText = nullable(text);

export const EventEnvelope = Type.Object(
  {
    id: Type.String({ pattern: '^evt_[0-9a-f]{32}$', examples: ['evt_0197f4001c2d7abc8def0123456789ab'] }),
    type: Type.Enum(EVENT_TYPES),
    api_version: text,
    created_at: Instant,
    workspace_id: Id,
    test: Type.Boolean(),
    sequence: Type.Optional(
      nullable(
        Type.Integer({
          description:
            'Of an event of an email: its number among them, from 1, in the order in which they were recorded; null ' +
            'for events from before November 2026.',
          examples: [2],
        }),
      ),
    ),
    email: Type.Optional(
      Type.Object(
        {
          id: Id,
          job_id: nullableText,
          message_id: text,
          from: text,
          to: Type.Array(text),
          recipient: text,
          subject: text,
          source: nullableText,
          tags: Type.Array(Type.Object({ name: text, value: text })),
          metadata: Type.Record(text, Type.Unknown()),
          template_id: nullableText,
          broadcast_id: nullableText,
          newsletter_id: nullableText,
          issue_id: nullableText,
          automation_run_id: nullableText,
          scheduled_id: nullableText,
          domain_id: nullableText,
          truncated: Type.Optional(Type.Array(text, { description: 'Fields left out to keep the event under 20 KB.' })),
        },
        { additionalProperties: false },
      ),
    ),
    event_data: Type.Record(text, Type.Unknown()),
  },
  { title: 'WebhookEvent', additionalProperties: false },
);
