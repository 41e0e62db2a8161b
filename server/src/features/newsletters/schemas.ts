import { type TSchema, Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { LANGUAGES } from './locales/messages.ts';
import { ACCENT_COLOR_PATTERN, SLUG_PATTERN } from './newsletter-rules.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ format: 'date-time', examples: ['2026-11-20T10:00:00.000Z'] });
export const Id = Type.String({ format: 'uuid', examples: ['0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11'] });
const Count = Type.Integer({ minimum: 0 });

const ADDRESS_CHARS_MAX = 1_000;
const URL_CHARS_MAX = 2_048;
const ORIGINS_MAX = 20;

/** One line: at least one character that is not white space, no control characters. */
const line = (maxLength: number, description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\u0000-\\u001f\\u007f\\s][^\\u0000-\\u001f\\u007f]*$',
    description,
    examples: [example],
  });

/** Text with lines. */
const text = (maxLength: number, description: string, example: string) =>
  Type.String({
    maxLength,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    description,
    examples: [example],
  });

const Name = line(
  200,
  'The name that readers see; also the name of the sender unless `from_name` is given.',
  'Acme Weekly',
);
const Slug = Type.String({
  pattern: SLUG_PATTERN,
  maxLength: 63,
  description:
    'Its place in public URLs (`/n/acme-weekly`): lower-case letters, digits and hyphens. Unique on this server. ' +
    'Changing it moves the pages at once; the old one leads there until somebody else takes it, and links in mail that ' +
    'was sent go on working.',
  examples: ['acme-weekly'],
});

const optional = {
  description: Type.Optional(
    nullable(text(1_000, 'Shown on the page where people subscribe.', 'One email every Friday.')),
  ),
  from_email: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: ADDRESS_CHARS_MAX,
        description:
          'The sender of issues: an address alone, at a verified domain. Without one nothing can be sent or ' +
          'scheduled; confirmation emails then come from `newsletter@` your first verified domain.',
        examples: ['news@posthorn.test'],
      }),
    ),
  ),
  from_name: Type.Optional(nullable(line(128, 'The name beside it. `name` when left out.', 'Acme'))),
  reply_to: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: ADDRESS_CHARS_MAX,
        description: 'Where answers go: one mailbox at any domain. To the sender when left out.',
        examples: ['Acme <hello@example.com>'],
      }),
    ),
  ),
  double_opt_in: Type.Optional(
    Type.Boolean({
      description: 'New subscribers are asked by mail to confirm; true when left out.',
      examples: [true],
    }),
  ),
  accent_color: Type.Optional(
    nullable(
      Type.String({
        maxLength: 7,
        pattern: ACCENT_COLOR_PATTERN,
        description: 'Of pages, buttons and the confirmation email, with three or six digits. We see to the contrast.',
        examples: ['#4f46e5'],
      }),
    ),
  ),
  logo_url: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: URL_CHARS_MAX,
        description: 'An image that browsers and mail programs load: https, a public address.',
        examples: ['https://cdn.example.com/logo.png'],
      }),
    ),
  ),
  postal_address: Type.Optional(
    nullable(
      text(
        500,
        'In the footer of every issue, where the law of your readers asks for it.',
        'Acme Inc., 1 Main St, Springfield',
      ),
    ),
  ),
  timezone: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description: 'IANA name; times without an offset are read in it. UTC when left out.',
        examples: ['Europe/Berlin'],
      }),
    ),
  ),
  language: Type.Optional(
    nullable(
      Type.Enum([...LANGUAGES], {
        description: 'Of its pages, its confirmation email and the footer of issues. `en` when left out.',
        examples: ['en'],
      }),
    ),
  ),
  track_opens: Type.Optional(Type.Boolean({ description: 'true when left out.', examples: [true] })),
  track_clicks: Type.Optional(Type.Boolean({ description: 'true when left out.', examples: [true] })),
  archive_enabled: Type.Optional(
    Type.Boolean({
      description: 'Sent issues can be read by anyone at `archive_url` and in feeds; true when left out.',
    }),
  ),
  unsubscribe_confirm_page: Type.Optional(
    Type.Boolean({
      description:
        'The link to unsubscribe leads to a page with a button, for everybody and not for link scanners only; false when ' +
        'left out. The button of mail programs (RFC 8058) acts at once in any case.',
      examples: [false],
    }),
  ),
  signup_enabled: Type.Optional(
    Type.Boolean({ description: 'false closes every public way in: page, form and JSON. true when left out.' }),
  ),
  redirect_origins: Type.Optional(
    Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: ORIGINS_MAX,
      description: 'Sites whose plain form may have people sent back to them: scheme, host and port alone.',
      examples: [['https://www.example.com']],
    }),
  ),
  pending_purge_days: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        description:
          'Days after which an unconfirmed subscriber is removed; 0: never; null: the setting of the server.',
        examples: [30],
      }),
    ),
  ),
};

export const CreateNewsletterBody = Type.Object({ name: Name, slug: Slug, ...optional });
export const UpdateNewsletterBody = Type.Object({
  name: Type.Optional(Name),
  slug: Type.Optional(Slug),
  ...optional,
});

export const NewsletterParams = Type.Object({ id: Id });
export const NewslettersQuery = Type.Object(pageQuery);

const url = (example: string) => Type.String({ examples: [example] });
const record = {
  id: Id,
  name: Type.String({ examples: ['Acme Weekly'] }),
  slug: Type.String({ examples: ['acme-weekly'] }),
  description: nullable(Type.String()),
  from_email: nullable(Type.String()),
  from_name: nullable(Type.String()),
  reply_to: nullable(Type.String()),
  double_opt_in: Type.Boolean(),
  accent_color: nullable(Type.String()),
  logo_url: nullable(Type.String()),
  postal_address: nullable(Type.String()),
  timezone: Type.String(),
  language: Type.String({ examples: ['en'] }),
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  archive_enabled: Type.Boolean(),
  unsubscribe_confirm_page: Type.Boolean(),
  signup_enabled: Type.Boolean(),
  redirect_origins: Type.Array(Type.String()),
  pending_purge_days: nullable(Type.Integer()),
  confirmations_paused_at: nullable(
    Type.String({
      format: 'date-time',
      description:
        'Sign-ups came so unusually fast that confirmation emails rest since then; resume-confirmations lets them go on.',
    }),
  ),
  subscriber_count: Type.Integer({
    minimum: 0,
    description: 'Active subscribers: the ones who get issues.',
    examples: [4_812],
  }),
  issue_count: Count,
  last_issue_sent_at: nullable(Instant),
  subscribe_url: url('https://app.example.com/n/acme-weekly'),
  embed_url: url('https://app.example.com/n/acme-weekly/embed'),
  archive_url: url('https://app.example.com/n/acme-weekly/archive'),
  feed_url: url('https://app.example.com/n/acme-weekly/feed.xml'),
  created_at: Instant,
  updated_at: Instant,
};

export const NewsletterInList = Type.Object(record, { title: 'NewsletterSummary', additionalProperties: false });
export const Newsletter = Type.Object(
  {
    ...record,
    subscriber_counts: Type.Object(
      { total: Count, active: Count, pending: Count, unsubscribed: Count },
      { additionalProperties: false },
    ),
  },
  { title: 'Newsletter', additionalProperties: false },
);

export const Removed = Type.Object(
  { success: Type.Literal(true), id: Id },
  { title: 'Deleted', additionalProperties: false },
);
