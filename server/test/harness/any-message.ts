/** Contents of messages as people could write them, and worse: generators for property tests of mail. */
import fc from 'fast-check';
import type { Attachment } from '#mail/attachments/attachment-rules.ts';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import type { MessageContent, MessageRecipient } from '#mail/message/message.ts';

// Inputs that tend to break encoders: line ends, dots, boundaries, encoded words, wide and joined characters, long
// words.
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '\n',
    '\r\n',
    '\n\n\n',
    '.',
    '\n.\n',
    '\nFrom me\n',
    '--',
    '--=_',
    '\r\n--=_abc\r\n',
    '=?utf-8?Q?a?=',
    '=3D',
    '=',
    ' \n',
    '\t\n',
    '   ',
    '<p>',
    '<a href="https://x.test/?a=1&b=2">x</a>',
    '👩‍👩‍👧‍👦',
    '🏴󠁧󠁢󠁷󠁬󠁳󠁿',
    'é',
    'e\u0301',
    '\u200d',
    '\ufffe',
    'مرحبا',
    '你好',
    'ß',
  ),
  fc.integer({ min: 70, max: 80 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 20, max: 30 }).map((length) => 'é'.repeat(length)),
  fc.constant('w'.repeat(1200)),
);

/** A text of any shape, without the lone surrogates and NULs that the API refuses. */
export const anyText = fc
  .array(piece, { maxLength: 12 })
  .map((pieces) => pieces.join('').replaceAll('\0', '').toWellFormed());

/** A line of text for people: a subject or a name. */
const anyLine = anyText.map((text) =>
  text
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')
    .slice(0, 300)
    .toWellFormed(),
);

const address = fc
  .tuple(fc.stringMatching(/^[a-z0-9+_]{1,20}(\.[a-z0-9]{1,5})?$/), fc.stringMatching(/^[a-z0-9]{1,12}\.test$/))
  .map(([local, domain]) => `${local}@${domain}`);

const anyMailbox = fc
  .tuple(fc.option(anyLine.map((name) => name.trim())), address)
  .map(([name, text]) => ({ ...parseMailbox(text), name: name === '' ? null : name }));

const anyAttachment: fc.Arbitrary<Attachment> = fc.record({
  filename: fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), fc.constantFrom('.pdf', '.txt', '.eml', ''))
    .map(([base, extension]) => `f${base.replace(/[\x00-\x1f\x7f-\x9f<>:"|?*/\\.\s]/g, '_')}${extension}`),
  contentType: fc.constantFrom('application/pdf', 'text/plain', 'application/octet-stream', 'image/png; x="a b"'),
  contentId: fc.constant(null),
  disposition: fc.constantFrom('attachment' as const, 'inline' as const),
  body: fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
});

export const anyContent: fc.Arbitrary<MessageContent> = fc
  .record({
    from: anyMailbox.map((mailbox) => ({ ...mailbox, address: `${mailbox.local}@acme.test`, domain: 'acme.test' })),
    replyTo: fc.array(anyMailbox, { maxLength: 2 }),
    subject: anyLine,
    headers: fc.constantFrom(
      {},
      { 'X-Entity-Ref-ID': '42' },
      { 'X-Note': 'Grüße =?utf-8?q?x?=', References: '<a@x.test>' },
    ),
    inReplyTo: fc.constantFrom(null, '<parent@x.test>'),
    html: fc.option(anyText),
    text: fc.option(anyText),
    attachments: fc.array(anyAttachment, { maxLength: 3 }),
  })
  .map((content) => (content.html === null && content.text === null ? { ...content, text: '' } : content));

export const anyRecipient: fc.Arbitrary<MessageRecipient> = fc.record({
  to: fc.array(anyMailbox, { minLength: 1, maxLength: 3 }),
  cc: fc.array(anyMailbox, { maxLength: 2 }),
  messageId: fc.uuid().map((id) => `<${id}@acme.test>`),
  date: fc.date({ min: new Date('2020-01-01'), max: new Date('2037-12-31'), noInvalidDate: true }),
  extraHeaders: fc.constantFrom(
    [],
    [
      { name: 'List-Unsubscribe', value: '<https://x.test/api/n/unsubscribe?token=abc>, <mailto:u@x.test>' },
      { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
    ],
  ),
});
