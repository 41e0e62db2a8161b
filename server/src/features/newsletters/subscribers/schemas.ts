import { type TSchema, Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { Id, NewsletterParams } from '../schemas.ts';
import { SUBSCRIBER_ORDERS } from './listing/list-queries.ts';
import { SUBSCRIBER_STATUSES } from './subscriber.ts';
import { NAME_CHARS_MAX, SOURCE_CHARS_MAX } from './joining/subscriber-input.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });
const Count = Type.Integer({ minimum: 0 });

const ADDRESS_CHARS_MAX = 1_000;
const SEARCH_CHARS_MAX = 254;

const line = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description, examples: [example] });

const Email = Type.String({
  minLength: 1,
  maxLength: ADDRESS_CHARS_MAX,
  description: 'An address alone. Stored in lower case, its domain in ASCII.',
  examples: ['ada@example.com'],
});
const Name = line(NAME_CHARS_MAX, 'For greetings and for you.', 'Ada');
const Source = line(SOURCE_CHARS_MAX, 'Where they came from, in your words.', 'footer-form');
const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Your own data about a subscriber, at most 16 KB as JSON. We write `unsubscribe_reason` when somebody leaves.',
  examples: [{ plan: 'pro' }],
});
const Status = Type.Enum([...SUBSCRIBER_STATUSES], { title: 'SubscriberStatus', examples: ['active'] });

const Consent = Type.Object(
  {
    ip: Type.Optional(nullable(line(64, 'Where the person was.', '203.0.113.7'))),
    user_agent: Type.Optional(nullable(line(1_000, 'Their browser.', 'Mozilla/5.0'))),
    url: Type.Optional(nullable(line(2_000, 'The page with your form.', 'https://acme.example/blog'))),
    form_version: Type.Optional(nullable(line(200, 'Which wording they agreed to.', 'footer-2026-11'))),
    at: Type.Optional(
      nullable(
        Type.String({
          format: 'date-time',
          description: 'When they agreed: `signup_at` of the record. Now, when left out.',
          examples: ['2026-11-20T10:00:00.000Z'],
        }),
      ),
    ),
    text: Type.Optional(nullable(line(2_000, 'How they agreed, in words.', 'Ticked the box at the checkout.'))),
  },
  { description: 'Evidence that the person agreed. Kept as proof, and needed with `skip_confirmation`.' },
);

export const SubscriberParams = Type.Object({
  ...NewsletterParams.properties,
  subscriberId: Id,
});

export const SubscribersQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Status),
  search: Type.Optional(
    line(SEARCH_CHARS_MAX, 'Part of the address or the name, in any case; `%` and `_` are ordinary.', 'ada@'),
  ),
  source: Type.Optional(line(SOURCE_CHARS_MAX, 'Exactly this source.', 'footer-form')),
  sort: Type.Optional(
    Type.Enum([...SUBSCRIBER_ORDERS], {
      description: '`-created_at`, newest first, when left out.',
      examples: ['email'],
    }),
  ),
});

export const PagesQuery = Type.Object(pageQuery);

export const CreateSubscriberBody = Type.Object({
  email: Email,
  name: Type.Optional(nullable(Name)),
  source: Type.Optional(nullable(Source)),
  metadata: Type.Optional(Metadata),
  resubscribe: Type.Optional(
    Type.Boolean({
      description:
        'true: somebody who has left starts again, as if they were new. A name and a source that are given replace the ' +
        'known ones, and `metadata` is merged.',
      examples: [false],
    }),
  ),
  skip_confirmation: Type.Optional(
    Type.Boolean({
      description:
        'true: active at once, without an email. You vouch that the person agreed: describe it in `consent`.',
      examples: [false],
    }),
  ),
  consent: Type.Optional(Consent),
});

export const ChangeSubscriberBody = Type.Object({
  name: Type.Optional(nullable(Name)),
  source: Type.Optional(nullable(Source)),
  metadata: Type.Optional(nullable(Metadata)),
});

export const RemindBody = Type.Object({
  older_than_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description: 'Subscribers who were asked less than this many days ago are skipped. 3 when left out.',
      examples: [3],
    }),
  ),
});

const ConsentSummary = Type.Object(
  {
    method: nullable(
      Type.Enum(['double_opt_in', 'single_opt_in', 'attested', 'import'], {
        description: 'attested: the API call vouched for it; import: whoever imported did.',
      }),
    ),
    signup_at: nullable(Type.String({ examples: ['2026-11-20T10:00:00.000Z'] })),
    signup_ip: nullable(Type.String()),
    signup_user_agent: nullable(Type.String()),
    signup_url: nullable(Type.String()),
    signup_via: nullable(Type.Enum(['public', 'api', 'import'])),
    confirmed_at: nullable(Type.String({ examples: ['2026-11-20T10:03:00.000Z'] })),
    confirmed_ip: nullable(Type.String()),
    confirmed_user_agent: nullable(Type.String()),
  },
  {
    title: 'ConsentSummary',
    additionalProperties: false,
    description: 'How they came to be on the list; null is what nobody knows. The whole record is at `/consents`.',
  },
);

export const Subscriber = Type.Object(
  {
    id: Id,
    newsletter_id: Id,
    email: Type.String({ examples: ['ada@example.com'] }),
    name: nullable(Type.String()),
    source: nullable(Type.String()),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      description:
        '`unsubscribe_reason` says why somebody left: `user` (by a link), `api`, or why their address was suppressed: ' +
        '`hard_bounce`, `soft_bounce`, `complaint`, `manual`.',
      examples: [{ plan: 'pro' }],
    }),
    status: Status,
    confirmed_at: nullable(Instant),
    unsubscribed_at: nullable(Instant),
    confirmation_sent_at: nullable(Instant),
    confirmation_count: Type.Integer({ description: 'Confirmation emails so far.', examples: [1] }),
    last_opened_at: nullable(Instant),
    last_clicked_at: nullable(Instant),
    created_at: Instant,
    updated_at: Instant,
    consent: ConsentSummary,
  },
  { title: 'Subscriber', additionalProperties: false },
);

export const Resent = Type.Object(
  {
    success: Type.Literal(true),
    id: Id,
    status: Type.Literal('pending'),
    confirmation_sent_at: nullable(Instant),
  },
  { additionalProperties: false },
);

export const Reminded = Type.Object(
  {
    success: Type.Literal(true),
    queued: Count,
    skipped: Type.Integer({ minimum: 0, description: 'Sent too many lately, or confirmed or left at that moment.' }),
    has_more: Type.Boolean({ description: 'true: call again for the next hundred.' }),
  },
  { additionalProperties: false },
);

export const ConsentRecord = Type.Object(
  {
    id: Id,
    action: Type.Enum([
      'signed_up',
      'confirmation_sent',
      'confirmed',
      'unsubscribed',
      'undone',
      'imported',
      'added',
      'erased',
    ]),
    at: Instant,
    email: nullable(Type.String({ description: 'As it was typed.' })),
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    url: nullable(Type.String()),
    source: nullable(Type.String()),
    form_version: nullable(Type.String({ description: 'Which wording they saw.' })),
    email_id: nullable(Type.String({ description: 'The confirmation email that was sent.' })),
    token_id: nullable(Type.String({ description: 'The link that was followed.' })),
    details: nullable(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'Consent', additionalProperties: false },
);

export const ReceivedIssue = Type.Object(
  {
    issue_id: Id,
    email_id: Id,
    subject: Type.String(),
    status: Type.String({ description: 'Of the email to this subscriber.', examples: ['delivered'] }),
    error: nullable(Type.String()),
    open_count: Count,
    click_count: Count,
    sent_at: nullable(Instant),
    delivered_at: nullable(Instant),
    last_event_at: nullable(Instant),
    created_at: Instant,
  },
  { title: 'ReceivedIssue', additionalProperties: false },
);
