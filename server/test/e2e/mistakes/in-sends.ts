import { EMAIL, WITHOUT_FROM, WITHOUT_TO, WITHOUT_SUBJECT, WITHOUT_TEXT } from './email.ts';
import type { Mistake } from './mistake.ts';

export const SENDS: readonly Mistake[] = [
  {
    what: 'An empty object',
    request: { url: '/v1/send', body: {} },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'to is required',
      param: 'to',
      details: ['to is required', 'from is required', 'subject is required', 'html or text is required'],
    },
  },
  {
    what: 'No `from`',
    request: { url: '/v1/send', body: { ...WITHOUT_FROM } },
    answer: { status: 400, name: 'validation_error', message: 'from is required', param: 'from' },
  },
  {
    what: 'No `to`',
    request: { url: '/v1/send', body: { ...WITHOUT_TO } },
    answer: { status: 400, name: 'validation_error', message: 'to is required', param: 'to' },
  },
  {
    what: 'No `subject`',
    request: { url: '/v1/send', body: { ...WITHOUT_SUBJECT } },
    answer: { status: 400, name: 'validation_error', message: 'subject is required', param: 'subject' },
  },
  {
    what: 'Neither `html` nor `text`',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT } },
    answer: { status: 400, name: 'validation_error', message: 'html or text is required', param: 'html' },
  },
  {
    what: 'An empty `html`',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, html: '' } },
    answer: { status: 400, name: 'validation_error', message: 'html or text is required', param: 'html' },
  },
  {
    what: 'An empty list of recipients',
    request: { url: '/v1/send', body: { ...EMAIL, to: [] } },
    answer: { status: 400, name: 'validation_error', message: 'to needs at least one address', param: 'to' },
  },
  {
    what: 'A recipient as an object',
    request: { url: '/v1/send', body: { ...EMAIL, to: { email: 'ada@example.com', name: 'Ada' } } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'to must be a string, such as Ada <ada@example.com>, or an array',
      param: 'to',
    },
  },
  {
    what: 'Recipients as objects',
    request: { url: '/v1/send', body: { ...EMAIL, to: [{ email: 'ada@example.com' }] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'to[0] must be a string, such as Ada <ada@example.com>',
      param: 'to[0]',
    },
  },
  {
    what: 'Recipients in one text',
    request: { url: '/v1/send', body: { ...EMAIL, to: 'ada@example.com, bob@example.com' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'to takes several addresses as an array: ["ada@example.com", "bob@example.com"]',
      param: 'to',
    },
  },
  {
    what: 'A recipient without a domain',
    request: { url: '/v1/send', body: { ...EMAIL, to: ['ada@example.com', 'bob'] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'to[1] must be an email address. The address has no @.',
      param: 'to[1]',
    },
  },
  {
    what: 'A recipient with letters that mail servers refuse',
    request: { url: '/v1/send', body: { ...EMAIL, to: 'jörg@example.com' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message:
        'to must be an email address. The part before the @ must be plain ASCII: mailboxes in other scripts cannot be reached.',
      param: 'to',
    },
  },
  {
    what: 'A sender as an object',
    request: { url: '/v1/send', body: { ...EMAIL, from: { email: 'hello@posthorn.test', name: 'Acme' } } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'from must be a string, such as Acme <hello@posthorn.test>',
      param: 'from',
    },
  },
  {
    what: 'A sender without an address',
    request: { url: '/v1/send', body: { ...EMAIL, from: 'Acme' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'from must be an email address. The address has no @.',
      param: 'from',
    },
  },
  {
    what: 'Two senders',
    request: { url: '/v1/send', body: { ...EMAIL, from: 'a@posthorn.test, b@posthorn.test' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'from must be an email address. More than one address, or a second @: give exactly one mailbox.',
      param: 'from',
    },
  },
  {
    what: 'A sender at a domain that is not verified',
    request: { url: '/v1/send', body: { ...EMAIL, from: 'me@gmail.com' } },
    answer: {
      status: 422,
      name: 'validation_error',
      message:
        'The domain gmail.com is not verified for sending in this workspace. Send from a verified domain. Add your domain in the dashboard under Domains or with POST /v1/domains and verify it, or name it in POSTHORN_SENDER_DOMAINS and start again.',
      param: 'from',
    },
  },
  {
    what: '`from_email` and `from_name`',
    request: { url: '/v1/send', body: { ...WITHOUT_FROM, from_email: 'hello@posthorn.test', from_name: 'Acme' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'from_email is unknown: write from as Name <address>',
      param: 'from_email',
      details: [
        'from_email is unknown: write from as Name <address>',
        'from_name is unknown: write from as Name <address>',
      ],
    },
  },
  {
    what: 'A mistyped `html`',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, htlm: '<p>Hi</p>' } },
    answer: { status: 400, name: 'validation_error', message: 'htlm is unknown: did you mean html?', param: 'htlm' },
  },
  {
    what: 'A mistyped `subject`',
    request: { url: '/v1/send', body: { ...WITHOUT_SUBJECT, subjct: 'Hello' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'subjct is unknown: did you mean subject?',
      param: 'subjct',
    },
  },
  {
    what: 'A mistyped `attachments`',
    request: { url: '/v1/send', body: { ...EMAIL, attachements: [] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'attachements is unknown: did you mean attachments?',
      param: 'attachements',
    },
  },
  {
    what: '`body` for the text',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, body: 'Hi' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'body is unknown: did you mean html or text?',
      param: 'body',
    },
  },
  {
    what: '`message` for the text',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, message: 'Hi' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'message is unknown: did you mean html or text?',
      param: 'message',
    },
  },
  {
    what: 'A field that no service has',
    request: { url: '/v1/send', body: { ...EMAIL, priority: 'high' } },
    answer: { status: 202, warnings: ['priority is unknown and was ignored.'], unknown: 'priority' },
  },
  {
    what: 'A missing field beside one that no service has',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, kontents: 'Hi' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'html or text is required',
      param: 'html',
      warnings: ['kontents is unknown and was ignored.'],
      unknown: 'kontents',
    },
  },
  {
    what: 'Two spellings of a field that differ',
    request: { url: '/v1/send', body: { ...EMAIL, replyTo: 'a@example.com', reply_to: 'b@example.com' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'replyTo was given in two spellings with different values; give it once',
      param: 'replyTo',
    },
  },
  {
    what: 'The names of Postmark',
    request: {
      url: '/v1/send',
      body: {
        From: 'hello@posthorn.test',
        To: 'ada@example.com',
        Subject: 'Hello',
        HtmlBody: '<p>Hi</p>',
        TextBody: 'Hi',
      },
    },
    answer: { status: 202 },
  },
  {
    what: '`html_body` for `html`',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, html_body: '<p>Hi</p>' } },
    answer: { status: 202 },
  },
  {
    what: 'A stream of Postmark',
    request: { url: '/v1/send', body: { ...EMAIL, MessageStream: 'outbound' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'MessageStream cannot be used: leave it out, because transactional mail always goes before bulk mail',
      param: 'MessageStream',
    },
  },
  {
    what: 'A template of Postmark',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, TemplateAlias: 'welcome', TemplateModel: { name: 'Ada' } } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'TemplateAlias is unknown: did you mean templateId?',
      param: 'TemplateAlias',
      details: [
        'TemplateAlias is unknown: did you mean templateId?',
        'TemplateModel is unknown: did you mean variables?',
      ],
    },
  },
  {
    what: '`react` of Resend',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, react: '<Email />' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'react cannot be used: render it to html first',
      param: 'react',
    },
  },
  {
    what: '`personalizations` of SendGrid',
    request: {
      url: '/v1/send',
      body: {
        from: 'hello@posthorn.test',
        subject: 'Hello',
        personalizations: [{ to: [{ email: 'ada@example.com' }] }],
        content: [{ type: 'text/plain', value: 'Hi' }],
      },
    },
    answer: {
      status: 400,
      name: 'validation_error',
      message:
        'personalizations cannot be used: put the recipients in to, or send each message as an item of POST /v1/batch',
      param: 'personalizations',
      details: [
        'personalizations cannot be used: put the recipients in to, or send each message as an item of POST /v1/batch',
        'content is unknown: did you mean html or text?',
      ],
    },
  },
  {
    what: '`recipients` for `to`',
    request: { url: '/v1/send', body: { ...WITHOUT_TO, recipients: ['ada@example.com'] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'recipients is unknown: did you mean to?',
      param: 'recipients',
    },
  },
  {
    what: '`templateId`',
    request: { url: '/v1/send', body: { ...WITHOUT_TEXT, templateId: 'welcome' } },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'There is no template welcome in this workspace.',
      param: 'templateId',
    },
  },
  {
    what: '`variables` without a template',
    request: { url: '/v1/send', body: { ...EMAIL, variables: { name: 'Ada' } } },
    answer: { status: 202 },
  },
  {
    what: '`scheduled_at` of Resend, more than a year ahead',
    request: { url: '/v1/send', body: { ...EMAIL, scheduled_at: '2099-01-01T09:00:00Z' } },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'scheduledFor must be at most 365 days ahead.',
      param: 'scheduledFor',
    },
  },
  {
    what: '`send_at` of SendGrid',
    request: { url: '/v1/send', body: { ...EMAIL, send_at: 1893488400 } },
    answer: { status: 400, name: 'validation_error', message: 'scheduledFor must be a string', param: 'scheduledFor' },
  },
  {
    what: 'A time in words',
    request: { url: '/v1/send', body: { ...EMAIL, scheduledFor: 'tomorrow' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message:
        'scheduledFor must be a time that exists, such as 2026-12-01T09:00:00Z, or 2026-12-01T09:00:00 with a ' +
        'timezone, or "in 2 hours"',
      param: 'scheduledFor',
    },
  },
  {
    what: 'A dry run asked for in the body',
    request: { url: '/v1/send', body: { ...EMAIL, dryRun: true } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'dryRun is a parameter of the query: put ?dryRun=… at the end of the URL',
      param: 'dryRun',
    },
  },
  {
    what: 'A mistyped dry run',
    request: { url: '/v1/send?dryrun=true', body: { ...EMAIL } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'dryrun is unknown: did you mean dryRun?',
      param: 'dryrun',
    },
  },
  {
    what: 'A dry run that is neither true nor false',
    request: { url: '/v1/send?dryRun=1', body: { ...EMAIL } },
    answer: { status: 400, name: 'validation_error', message: 'dryRun must be one of true, false', param: 'dryRun' },
  },
  {
    what: 'A parameter that does not exist',
    request: { url: '/v1/send?test=true', body: { ...EMAIL } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'test is unknown: this takes only dryRun',
      param: 'test',
    },
  },
  {
    what: 'A field of the body in the query',
    request: { url: '/v1/send?subject=Hello', body: { ...WITHOUT_SUBJECT } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'subject is a field of the body: put it there',
      param: 'subject',
    },
  },
  {
    what: 'A text for a boolean',
    request: { url: '/v1/send', body: { ...EMAIL, trackOpens: 'true' } },
    answer: { status: 400, name: 'validation_error', message: 'trackOpens must be true or false', param: 'trackOpens' },
  },
  {
    what: 'A number for a text',
    request: { url: '/v1/send', body: { ...EMAIL, subject: 42 } },
    answer: { status: 400, name: 'validation_error', message: 'subject must be a string', param: 'subject' },
  },
  {
    what: '`null` for a list',
    request: { url: '/v1/send', body: { ...EMAIL, to: null } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'to must be a string, such as Ada <ada@example.com>, or an array',
      param: 'to',
    },
  },
  {
    what: 'Several faults at once',
    request: { url: '/v1/send', body: { from: 5, to: [], subject: ['x'], html: 7 } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'from must be a string, such as Acme <hello@posthorn.test>',
      param: 'from',
      details: [
        'from must be a string, such as Acme <hello@posthorn.test>',
        'to needs at least one address',
        'subject must be a string',
        'html must be a string',
      ],
    },
  },
  {
    what: 'A subject of two lines',
    request: { url: '/v1/send', body: { ...EMAIL, subject: 'Hello\nWorld' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'subject must not have control characters or line breaks',
      param: 'subject',
    },
  },
  {
    what: 'A header that Posthorn sets',
    request: { url: '/v1/send', body: { ...EMAIL, headers: { 'Reply-To': 'a@example.com' } } },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'headers.Reply-To: This header is written by the service and cannot be set.',
      param: 'headers.Reply-To',
    },
  },
  {
    what: 'A header with a line break',
    request: { url: '/v1/send', body: { ...EMAIL, headers: { 'X-Order': '4\n2' } } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'headers.X-Order: A header cannot hold a line break or a NUL.',
      param: 'headers.X-Order',
    },
  },
  {
    what: 'Headers as a list of texts',
    request: { url: '/v1/send', body: { ...EMAIL, headers: ['X-Order: 42'] } },
    answer: { status: 400, name: 'validation_error', message: 'headers must be an object', param: 'headers' },
  },
  {
    what: 'Tags as texts',
    request: { url: '/v1/send', body: { ...EMAIL, tags: ['welcome'] } },
    answer: { status: 400, name: 'validation_error', message: 'tags[0] must be an object', param: 'tags[0]' },
  },
  {
    what: 'A tag with a space',
    request: { url: '/v1/send', body: { ...EMAIL, tags: [{ name: 'kind', value: 'first mail' }] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'tags[0].value must be 1 to 256 letters, digits, underscores and hyphens',
      param: 'tags[0].value',
    },
  },
  {
    what: 'Metadata as a text',
    request: { url: '/v1/send', body: { ...EMAIL, metadata: 'order 42' } },
    answer: { status: 400, name: 'validation_error', message: 'metadata must be an object', param: 'metadata' },
  },
  {
    what: 'An attachment by its URL',
    request: {
      url: '/v1/send',
      body: { ...EMAIL, attachments: [{ filename: 'a.pdf', path: 'https://example.com/a.pdf' }] },
    },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'attachments[0].path cannot be used: files are not fetched, so send the file as base64 in content',
      param: 'attachments[0].path',
    },
  },
  {
    what: 'An attachment that is no base64',
    request: { url: '/v1/send', body: { ...EMAIL, attachments: [{ filename: 'a.txt', content: 'Hello, World!' }] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'attachments[0].content: The content is not padded standard base64 without white space.',
      param: 'attachments[0].content',
    },
  },
  {
    what: 'An attachment as a data URL',
    request: {
      url: '/v1/send',
      body: { ...EMAIL, attachments: [{ filename: 'a.txt', content: 'data:text/plain;base64,SGk=' }] },
    },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'attachments[0].content: The content is not padded standard base64 without white space.',
      param: 'attachments[0].content',
    },
  },
  {
    what: 'An attachment without a name',
    request: { url: '/v1/send', body: { ...EMAIL, attachments: [{ content: 'SGk=' }] } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'attachments[0].filename is required',
      param: 'attachments[0].filename',
    },
  },
  {
    what: 'A program as attachment',
    request: { url: '/v1/send', body: { ...EMAIL, attachments: [{ filename: 'setup.exe', content: 'SGk=' }] } },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'attachments[0].filename: Files ending in .exe are not accepted, because mail programs block them.',
      param: 'attachments[0].filename',
    },
  },
  {
    what: 'One attachment without a list',
    request: { url: '/v1/send', body: { ...EMAIL, attachments: { filename: 'a.txt', content: 'SGk=' } } },
    answer: { status: 400, name: 'validation_error', message: 'attachments must be an array', param: 'attachments' },
  },
  {
    what: 'A time without a zone',
    request: { url: '/v1/send', body: { ...EMAIL, expiresAt: '2030-01-01 09:00' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'expiresAt must be an ISO 8601 date and time with an offset, such as 2026-12-01T09:00:00Z',
      param: 'expiresAt',
    },
  },
  {
    what: 'A time in the past',
    request: { url: '/v1/send', body: { ...EMAIL, expiresAt: '2020-01-01T09:00:00Z' } },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'expiresAt is in the past: the email would never be sent',
      param: 'expiresAt',
    },
  },
  {
    what: 'A newsletter by its name',
    request: { url: '/v1/send', body: { ...EMAIL, newsletterId: 'weekly' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'newsletterId must be a valid uuid',
      param: 'newsletterId',
    },
  },
  {
    what: 'A newsletter that does not exist',
    request: { url: '/v1/send', body: { ...EMAIL, newsletterId: '01999999-aaaa-7000-8000-000000000001' } },
    answer: {
      status: 422,
      name: 'validation_error',
      message: 'newsletterId is not in this workspace.',
      param: 'newsletterId',
    },
  },
];
