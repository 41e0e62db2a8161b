import { type TSchema, Type } from 'typebox';
import { PUBLIC_NAME_CHARS_MAX } from '#platform/pages/typed-name.ts';
import { SOURCE_CHARS_MAX } from '../subscribers/joining/subscriber-input.ts';

const EMAIL_CHARS_MAX = 1_000;
const URL_CHARS_MAX = 2_048;
/** A proof of Turnstile has at most 2,048; hCaptcha names no limit. */
const PROOF_CHARS_MAX = 8_192;

export const Slug = Type.Object({
  slug: Type.String({ description: 'Of the newsletter.', examples: ['acme-weekly'] }),
});

const Email = Type.String({
  minLength: 1,
  maxLength: EMAIL_CHARS_MAX,
  description: 'The address alone, without a name beside it.',
  examples: ['ada@example.com'],
});
const RedirectUrl = Type.String({
  maxLength: URL_CHARS_MAX,
  description:
    'The URL to which a plain HTML form redirects (303). Its origin must be one of the `redirect_origins` of ' +
    'the newsletter. Otherwise it is ignored, and the answer is a page of Posthorn.',
  examples: ['https://acme.com/thanks'],
});

/** A script sends null for a field that its form has not. */
const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const Proof = (service: string) =>
  orNull(
    Type.String({
      maxLength: PROOF_CHARS_MAX,
      description: `The proof that the widget of ${service} makes: required if the server uses it. It counts once.`,
    }),
  );

export const SubscribeBody = Type.Object({
  email: Email,
  name: orNull(Type.String({ maxLength: PUBLIC_NAME_CHARS_MAX, description: 'No web addresses.', examples: ['Ada'] })),
  source: orNull(
    Type.String({
      maxLength: SOURCE_CHARS_MAX,
      description: 'The place of the sign-up, in your words.',
      examples: ['footer-form'],
    }),
  ),
  url: orNull(
    Type.String({
      maxLength: URL_CHARS_MAX,
      description: 'The page with the form, for the proof of consent. The header Referer when left out.',
      examples: ['https://acme.com/blog'],
    }),
  ),
  'cf-turnstile-response': Proof('Turnstile'),
  'h-captcha-response': Proof('hCaptcha'),
  redirect_url: Type.Optional(RedirectUrl),
  website: orNull(
    Type.String({
      maxLength: URL_CHARS_MAX,
      description:
        'Hide this field from people and leave it empty. A sign-up with a value here comes from a program and is ' +
        'not stored.',
    }),
  ),
  shown_at: Type.Optional(Type.String({ maxLength: 100, description: 'Of our own pages: leave it out.' })),
  form_version: Type.Optional(Type.String({ maxLength: 100, description: 'Of our own pages: leave it out.' })),
  embed: Type.Optional(Type.String({ maxLength: 10, description: 'Of our own pages: leave it out.' })),
});

export const SendAgainBody = Type.Object({
  email: Email,
  redirect_url: Type.Optional(RedirectUrl),
  embed: Type.Optional(Type.String({ maxLength: 10, description: 'Of our own pages: leave it out.' })),
});

/** The form behind a link that was cut, whose newsletter nobody knows. */
export const NewLinksBody = Type.Object({ email: Email });

export const SubscribeAnswer = Type.Object(
  {
    success: Type.Literal(true),
    status: Type.Union([Type.Literal('pending'), Type.Literal('active')], {
      description:
        '`pending` wherever people have to confirm, whatever the address was before; else `active`. It tells nobody ' +
        'whether an address is on the list.',
      examples: ['pending'],
    }),
    message: Type.String({
      description: 'For people, in the language of the newsletter.',
      examples: [
        'Check your inbox. Nothing there after a few minutes? Look in your spam folder, or have the email sent again.',
      ],
    }),
  },
  { title: 'SignUpAnswer' },
);

const nullableText = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

export const PublicNewsletter = Type.Object(
  {
    slug: Type.String({ examples: ['acme-weekly'] }),
    name: Type.String({ examples: ['Acme Weekly'] }),
    description: nullableText('A sentence about the newsletter.', 'One email every Friday.'),
    language: Type.String({ description: 'Of its pages and emails.', examples: ['en'] }),
    accent_color: nullableText('For buttons and links.', '#4f46e5'),
    logo_url: nullableText('Of a picture.', 'https://cdn.acme.com/logo.png'),
    double_opt_in: Type.Boolean({ description: 'Whether people confirm by email before they are subscribed.' }),
    signup_enabled: Type.Boolean({ description: 'False: nobody can sign up at the moment.' }),
    archive_enabled: Type.Boolean({ description: 'Whether past issues can be read at `archive_url`.' }),
    ask_name: Type.Boolean({ description: 'Whether its own form asks for a name.' }),
    human_proof: Type.Union(
      [
        Type.Object(
          {
            service: Type.Union([Type.Literal('turnstile'), Type.Literal('hcaptcha')]),
            site_key: Type.String({ examples: ['0x4AAAAAAA'] }),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The service whose proof of a person a sign-up needs; null: none.' },
    ),
    subscribe_url: Type.String({ examples: ['https://app.example.com/n/acme-weekly'] }),
    archive_url: nullableText('null: it is off.', 'https://app.example.com/n/acme-weekly/archive'),
  },
  { title: 'PublicNewsletter' },
);

/** A token once: what comes twice is an array, and no token. */
export const LinkQuery = Type.Object({
  token: Type.String(),
  /** The button that led here. */
  done: Type.Optional(Type.String()),
});

/** The form fields of the buttons on the data page. */
export const DataBody = Type.Object({ action: Type.String({ maxLength: 100 }) });

/** The form fields of the buttons on the preferences page. */
export const PreferencesBody = Type.Object({
  action: Type.String({ maxLength: 100 }),
  name: Type.Optional(Type.String({ maxLength: SOURCE_CHARS_MAX })),
});
