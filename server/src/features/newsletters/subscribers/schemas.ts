import { Type } from 'typebox';
import { ConsentSummaryRecord, DeclaredConsent } from '#features/consents';
import { otherNames } from '#platform/http/fields/other-names.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { LINE } from '#platform/records/text-patterns.ts';
import { Id } from '../newsletter.ts';
import { NewsletterParams } from '../schemas.ts';
import { RECEIVED_ISSUE } from './listing/received-issue.ts';
import { SUBSCRIBER_ORDERS } from './listing/list-queries.ts';
import { Status, SUBSCRIBER } from './subscriber.ts';
import { NAME_CHARS_MAX, SOURCE_CHARS_MAX } from './joining/subscriber-input.ts';

const ADDRESS_CHARS_MAX = 1_000;
const SEARCH_CHARS_MAX = 254;

const line = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, ...LINE, description, examples: [example] });

const Email = Type.String({
  minLength: 1,
  maxLength: ADDRESS_CHARS_MAX,
  description: 'An address alone. Stored in lower case, its domain in ASCII.',
  examples: ['ada@example.com'],
});
const Name = line(NAME_CHARS_MAX, 'For greetings and for you.', 'Ada');
const Source = line(SOURCE_CHARS_MAX, 'The source of the subscriber, in your words.', 'footer-form');
const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Your own data about a subscriber, at most 16 KB as JSON. We write `unsubscribe_reason` when somebody leaves.',
  examples: [{ plan: 'pro' }],
});

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
        'true: a person who has unsubscribed is added again like a new subscriber. A given name and source ' +
        'replace the stored ones, and `metadata` is merged.',
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
  consent: Type.Optional(DeclaredConsent),
});

/** The names that the `consent` of a record has: who moves people from list to list sends back what was read. */
export const CONSENT_NAMES = otherNames({
  anyCase: false,
  inside: {
    consent: otherNames({
      anyCase: false,
      same: { signup_at: 'at', signup_ip: 'ip', signup_user_agent: 'user_agent', signup_url: 'url' },
    }),
  },
});

export const ChangeSubscriberBody = Type.Object({
  email: Type.Optional(Email),
  consent: Type.Optional(
    Type.Object(DeclaredConsent.properties, {
      description:
        'Evidence that the person agreed to be mailed at the new `email`: with it an active subscriber stays active.',
    }),
  ),
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

export const Subscriber = Type.Object(
  { ...SUBSCRIBER.schema, consent: ConsentSummaryRecord },
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
    queued: Type.Integer({
      minimum: 0,
      description:
        'Subscribers who will be reminded. The reminders leave at a sixth of the send rate. A subscriber who confirms, ' +
        'leaves or got too many confirmation emails lately is skipped.',
    }),
    queued_is_estimate: Type.Optional(Type.Literal(true, { description: 'There are more than `queued` says.' })),
  },
  { additionalProperties: false },
);

export const ReceivedIssue = Type.Object(RECEIVED_ISSUE.schema, {
  title: 'ReceivedIssue',
  additionalProperties: false,
});
