import { type TSchema, Type } from 'typebox';
import { EMAIL_STATUSES, shownStatus } from '#features/outbox';

/** Limits of one send. Over a limit is 400, like any other value that does not fit its field. */
export const LIMITS = {
  recipients: 1_000,
  groupedRecipients: 50,
  replyTo: 10,
  subjectChars: 998,
  preheaderChars: 500,
  bodyBytes: 2 * 1024 * 1024,
  attachments: 20,
  metadataKeys: 50,
  metadataBytes: 16 * 1024,
  tags: 20,
  headers: 50,
  batchItems: 100,
  /** Raw JSON of a request: 25 MB of files are 34 MB of base64, and two bodies of 2 MB come on top. */
  requestBytes: 40 * 1024 * 1024,
} as const;

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Mailbox = Type.String({ minLength: 1, examples: ['Ada <ada@example.com>'] });

const mailboxes = (max: number, description: string, example: string) =>
  Type.Union([Mailbox, Type.Array(Mailbox, { maxItems: max }), Type.Null()], {
    description,
    examples: [[example]],
  });

const Attachment = Type.Object(
  {
    filename: Type.String({ minLength: 1, description: 'Name shown to the recipient.', examples: ['receipt.pdf'] }),
    content: Type.String({
      description: 'The file as strict base64 (RFC 4648 §4, padded, no line breaks).',
      examples: ['JVBERi0xLjQK'],
    }),
    contentType: Type.Optional(
      nullable(Type.String(), 'Media type such as `application/pdf`; `application/octet-stream` when left out.'),
    ),
    contentId: Type.Optional(
      nullable(Type.String(), 'Content-ID of an inline image: refer to it as `cid:…` in the html.'),
    ),
    disposition: Type.Optional(
      nullable(
        Type.Enum(['attachment', 'inline']),
        '`attachment`, or `inline` when the html shows it. Follows from `contentId` when left out.',
      ),
    ),
  },
  { title: 'Attachment', description: 'A file. At most 20, and 25 MB decoded in total.' },
);

const TAG_TEXT = {
  pattern: '^[A-Za-z0-9_-]{1,256}$',
  'x-says': 'must be 1 to 256 letters, digits, underscores and hyphens',
} as const;

export const Tag = Type.Object(
  {
    name: Type.String({ ...TAG_TEXT, examples: ['kind'] }),
    value: Type.String({ ...TAG_TEXT, examples: ['receipt'] }),
  },
  { title: 'EmailTag' },
);

/** Of a send for later. Nobody plans a mail for longer ahead than a year. */
const MAX_DELAY_SECONDS = 365 * 86_400;
export const MaxDelay = Type.Optional(
  nullable(
    Type.Integer({ minimum: 0, maximum: MAX_DELAY_SECONDS, examples: [3_600] }),
    'An email that cannot leave within so many seconds of its time fails with `missed_window`, for example because ' +
      'the server was down. 24 hours when left out.',
  ),
);

/** The body of POST /v1/send, and one item of POST /v1/batch. */
export const SendBody = Type.Object(
  {
    from: Type.Optional(
      nullable(
        Type.String({ minLength: 1, examples: ['Acme <hello@posthorn.test>'] }),
        'Exactly one mailbox. Its domain must be verified in this workspace (422) and allowed to the key (403). ' +
          'Required unless the template has one.',
      ),
    ),
    to: Type.Union([Mailbox, Type.Array(Mailbox, { minItems: 1, maxItems: LIMITS.recipients })], {
      description:
        'One mailbox, or 1 to 1,000. Each gets a private message of its own; duplicates are collapsed. With `cc`, `bcc` or `groupRecipients` it is one message to all, at most 50.',
      examples: [['ada@example.com', 'Bob <bob@example.com>']],
    }),
    cc: Type.Optional(mailboxes(LIMITS.groupedRecipients, 'Copies that everybody sees.', 'carol@example.com')),
    bcc: Type.Optional(
      mailboxes(LIMITS.groupedRecipients, 'Copies that nobody sees: never in a header.', 'audit@example.com'),
    ),
    replyTo: Type.Optional(
      mailboxes(LIMITS.replyTo, 'The address for replies, instead of `from`.', 'support@example.com'),
    ),
    subject: Type.Optional(
      nullable(
        Type.String({ maxLength: LIMITS.subjectChars, examples: ['Your receipt'] }),
        'One line, at most 998 characters. Required unless the template has one.',
      ),
    ),
    html: Type.Optional(
      nullable(
        Type.String({ examples: ['<p>Thank you!</p>'] }),
        'At most 2 MB. One of `html`, `text` and `templateId` is required.',
      ),
    ),
    text: Type.Optional(
      nullable(Type.String({ examples: ['Thank you!'] }), 'At most 2 MB. Made from `html` when left out.'),
    ),
    preheader: Type.Optional(
      nullable(
        Type.String({ maxLength: LIMITS.preheaderChars, examples: ['Order 42'] }),
        'The line that inboxes show after the subject. Put into the html as a hidden block.',
      ),
    ),
    attachments: Type.Optional(nullable(Type.Array(Attachment, { maxItems: LIMITS.attachments }), 'Files.')),
    headers: Type.Optional(
      nullable(
        Type.Record(Type.String(), Type.String(), { examples: [{ 'X-Entity-Ref-ID': '42' }] }),
        'Extra headers. Headers that Posthorn or the provider sets (From, Subject, DKIM-Signature, X-SES-…) ' +
          'are refused with 422.',
      ),
    ),
    tags: Type.Optional(
      nullable(Type.Array(Tag, { maxItems: LIMITS.tags }), 'Labels to filter and count by. At most 20.'),
    ),
    metadata: Type.Optional(
      nullable(
        Type.Record(Type.String(), Type.Unknown(), { examples: [{ orderId: '42' }] }),
        'Your own data, returned with the email and never sent. At most 50 keys and 16 KB.',
      ),
    ),
    trackOpens: Type.Optional(
      Type.Boolean({
        description:
          'Count opens with a pixel in the html. When left out, the setting of the workspace applies (initially ' +
          'off).',
        examples: [true],
      }),
    ),
    trackClicks: Type.Optional(
      Type.Boolean({
        description:
          'Count clicks: the links of the html lead through this server. When left out, the setting of the ' +
          'workspace applies.',
        examples: [true],
      }),
    ),
    groupRecipients: Type.Optional(
      Type.Boolean({ default: false, description: 'One message to all of `to` instead of a private one for each.' }),
    ),
    inReplyTo: Type.Optional(
      nullable(
        Type.String({ maxLength: 998, examples: ['<0197f400-0000-7000-8000-000000000001@example.com>'] }),
        'Message-ID of the message this one answers: sets In-Reply-To and References.',
      ),
    ),
    expiresAt: Type.Optional(
      nullable(
        Type.String({ format: 'date-time', examples: ['2026-11-21T00:00:00Z'] }),
        'Not handed to the provider after this instant: the email fails with error `expired`.',
      ),
    ),
    newsletterId: Type.Optional(
      nullable(
        Type.String({ format: 'uuid', examples: ['0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11'] }),
        'A newsletter of this workspace (else 422) that the key may use (else 403). Lists and events then name ' +
          'the newsletter. Posthorn neither checks subscriptions nor adds an unsubscribe link to such an email.',
      ),
    ),
    sandbox: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Keep the message on this server (captured mail) and deliver nothing.',
      }),
    ),
    templateId: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: 100, examples: ['welcome'] }),
        'The id or the alias of a template of this workspace, in place of `html` and `text`. Its version is read now: ' +
          'a later change does not reach this send.',
      ),
    ),
    templateVersion: Type.Optional(
      nullable(
        Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Literal('published')]),
        'A version that was published once; the published one when left out. Test keys may name drafts.',
      ),
    ),
    variables: Type.Optional(
      nullable(
        Type.Record(Type.String(), Type.Unknown(), { examples: [{ name: 'Ada' }] }),
        'Values for Liquid. Subject, html, text and preheader are Liquid when there are `variables`, ' +
          '`recipientVariables` or a template; otherwise they are sent as they are. An empty object counts as none.',
      ),
    ),
    recipientVariables: Type.Optional(
      nullable(
        Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
          examples: [{ 'ada@example.com': { name: 'Ada' } }],
        }),
        'By address of `to`: values that count before those of `variables`.',
      ),
    ),
    strictVariables: Type.Optional(
      nullable(
        Type.Boolean({ default: true }),
        'Whether a required variable that is missing refuses the send (422). false: it is empty.',
      ),
    ),
    scheduledFor: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: 64, examples: ['2026-12-01T09:00:00+01:00'] }),
        'Send later, as `POST /scheduled` does: an instant with its offset, a wall time in `timezone`, or `in 2 hours`.',
      ),
    ),
    timezone: Type.Optional(
      nullable(
        Type.String({ maxLength: 64, examples: ['Europe/Berlin'] }),
        'IANA zone of `scheduledFor`. Without one, a wall time is in the zone of the workspace.',
      ),
    ),
    maxDelaySeconds: MaxDelay,
  },
  { title: 'SendEmailRequest', description: 'An email to send.' },
);

export const SendQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Enum(['true', 'false'], {
      description:
        '`true` checks everything and answers 200 with the expected result. Nothing is stored, sent or counted.',
    }),
  ),
});

export const EmailStatus = Type.Enum([...new Set(EMAIL_STATUSES.map(shownStatus))], {
  title: 'EmailStatus',
  description: 'The stage that the email has reached.',
});

const AcceptedEmail = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    to: Type.String({ description: 'The address; the first one of a grouped message.' }),
    status: EmailStatus,
    suppressed: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of one message to a group: its addresses on the suppression list, which are left out.',
      }),
    ),
  },
  { title: 'AcceptedEmail' },
);

const Warnings = Type.Optional(
  Type.Array(Type.String(), { description: 'Names each unknown field of the request. Missing when there is none.' }),
);

const ScheduledId = Type.Optional(
  Type.String({ format: 'uuid', description: 'Of a send with `scheduledFor`: change or cancel it at /scheduled/:id.' }),
);

export const SendAccepted = Type.Object(
  {
    success: Type.Literal(true),
    jobId: Type.String({ format: 'uuid', description: 'Follow it at GET /v1/send/:jobId.' }),
    scheduledId: ScheduledId,
    status: Type.Enum(['queued', 'suppressed', 'scheduled']),
    accepted: Type.Integer({ description: 'Emails that were queued.' }),
    suppressed: Type.Integer({ description: 'Addresses on the suppression list, which get nothing.' }),
    emails: Type.Array(AcceptedEmail, { description: 'The first 100; the rest is at GET /v1/send/:jobId.' }),
    estimatedCompletionAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    message: Type.String(),
    warnings: Warnings,
  },
  { title: 'SendAccepted' },
);

export const SendPreview = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether at least one message would be sent.' }),
    emails: Type.Array(
      Type.Object({
        to: Type.String(),
        decision: Type.Enum(['send', 'suppressed', 'capped']),
        reason: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    rendered: Type.Object({
      subject: Type.String(),
      html: Type.Union([Type.String(), Type.Null()]),
      text: Type.Union([Type.String(), Type.Null()]),
    }),
    warnings: Type.Array(Type.String()),
  },
  { title: 'SendPreview', description: 'Answer of a dry run.' },
);

/** Items are read one by one, so that `permissive` can take the good ones: here they only have to be there. */
const BatchItems = Type.Array(Type.Unknown({ 'x-shown-as': SendBody }), { minItems: 1, maxItems: LIMITS.batchItems });

export const BatchBody = Type.Union(
  [
    BatchItems,
    Type.Object({
      emails: BatchItems,
      mode: Type.Optional(Type.Enum(['strict', 'permissive'], { default: 'strict' })),
    }),
  ],
  {
    description:
      '1 to 100 bodies of POST /v1/send, at most 1,000 addresses together. `strict` (default): one bad item refuses all. `permissive`: the good ones are accepted.',
  },
);

export const BatchAccepted = Type.Object(
  {
    success: Type.Literal(true),
    batchId: Type.String({ format: 'uuid' }),
    accepted: Type.Integer({ description: 'Items that were accepted.' }),
    rejected: Type.Integer({ description: 'Items that were refused (mode `permissive`).' }),
    results: Type.Array(
      Type.Object({
        index: Type.Integer(),
        jobId: Type.Optional(Type.String({ format: 'uuid' })),
        scheduledId: ScheduledId,
        status: Type.Optional(Type.Enum(['queued', 'suppressed', 'scheduled'])),
        emails: Type.Optional(Type.Array(AcceptedEmail)),
        error: Type.Optional(
          Type.Object({
            name: Type.String(),
            message: Type.String(),
            param: Type.Optional(Type.String()),
            details: Type.Optional(Type.Array(Type.String())),
          }),
        ),
      }),
    ),
    warnings: Warnings,
  },
  { title: 'BatchAccepted' },
);
