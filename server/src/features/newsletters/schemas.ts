import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { Count, nullable } from '#platform/records/wire-types.ts';
import { LANGUAGES } from '#features/reader-pages';
import { LINES, SHOWN_LINE } from '#platform/records/text-patterns.ts';
import { Id, NEWSLETTER } from './newsletter.ts';
import { ACCENT_COLOR_PATTERN, SLUG_PATTERN } from './newsletter-rules.ts';

const ADDRESS_CHARS_MAX = 1_000;
const URL_CHARS_MAX = 2_048;
const ORIGINS_MAX = 20;

/** One line: at least one character that is not white space, no control characters. */
const line = (maxLength: number, description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    ...SHOWN_LINE,
    description,
    examples: [example],
  });

/** Text with lines. */
const text = (maxLength: number, description: string, example: string) =>
  Type.String({
    maxLength,
    ...LINES,
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
  'x-says': 'may have only lower-case letters, digits, and hyphens between them, such as acme-weekly',
  maxLength: 63,
  description:
    'Its name in public URLs (`/n/acme-weekly`): lower-case letters, digits and hyphens. Unique on this ' +
    'server. A change moves the pages at once. The old slug redirects until another newsletter takes it, and ' +
    'links in sent mail keep working.',
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
  from_name: Type.Optional(nullable(line(128, 'The display name of the sender. `name` when left out.', 'Acme'))),
  reply_to: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: ADDRESS_CHARS_MAX,
        description: 'The address for replies: one mailbox at any domain. The sender when left out.',
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
        'x-says': 'must be a colour in hexadecimal digits, such as #4f46e5',
        description:
          'The colour of pages, buttons and the confirmation email, with three or six digits. Posthorn adjusts ' +
          'the colours for contrast.',
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
        'Shown in the footer of every issue. The law of some countries requires it.',
        'Acme Inc., 1 Main St, Springfield',
      ),
    ),
  ),
  timezone: Type.Optional(
    nullable(
      Type.String({
        maxLength: 64,
        description:
          'IANA name; an old one is kept under the name of today. Times without an offset are read in it. UTC when left ' +
          'out.',
        examples: ['Europe/Berlin'],
      }),
    ),
  ),
  language: Type.Optional(
    nullable(
      Type.Enum([...LANGUAGES], {
        description: 'The language of its pages, its confirmation email and the footer of issues. `en` when left out.',
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
  archive_indexable: Type.Optional(
    Type.Boolean({
      description: 'Search engines may list the archive and its issues; true when left out.',
    }),
  ),
  ask_name: Type.Optional(
    Type.Boolean({
      description: 'The sign-up form has an optional field for the name; false: the address alone. true when left out.',
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
    Type.Boolean({ description: 'false closes public sign-up: page, form and JSON. true when left out.' }),
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

export const NewsletterPreview = Type.Object(
  {
    page: Type.String({ description: 'The sign-up page.', examples: ['<!doctype html>…'] }),
    embed: Type.String({ description: 'The form for a frame on another site.', examples: ['<!doctype html>…'] }),
    embed_line: Type.String({ description: 'The same in one line.', examples: ['<!doctype html>…'] }),
    mail: Type.String({
      description: 'The newest issue that the caller may read; an invented one when there is none.',
      examples: ['<!doctype html>…'],
    }),
  },
  { title: 'NewsletterPreview', additionalProperties: false },
);

export const NewsletterParams = Type.Object({ id: Id });
export const NewslettersQuery = Type.Object(pageQuery);

export const NewsletterInList = Type.Object(NEWSLETTER.schema, {
  title: 'NewsletterSummary',
  additionalProperties: false,
});
export const Newsletter = Type.Object(
  {
    ...NEWSLETTER.schema,
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
