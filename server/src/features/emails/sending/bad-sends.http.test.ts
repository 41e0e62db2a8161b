import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

const good = { from: 'hello@posthorn.test', to: ['ada@example.com'], subject: 'Hello', text: 'Hi' };
const label = (length: number) => 'a'.repeat(length);
const file = { filename: 'a.txt', content: 'AAEC' };

interface Row {
  what: string;
  body: object;
  status: 400 | 422;
  param: string;
}

const refusedAddresses: [string, string][] = [
  ['two dots', 'a..b@example.com'],
  ['a leading dot', '.a@example.com'],
  ['a trailing dot', 'a.@example.com'],
  ['no at sign', 'example.com'],
  ['a local part of 65', `${label(65)}@example.com`],
  ['a label of 64', `a@${label(64)}.com`],
  ['255 characters', `${label(60)}@${`${label(60)}.`.repeat(3)}${label(11)}`],
  ['two addresses, comma', 'a@example.com, b@example.com'],
  ['two addresses, semicolon', 'a@example.com;b@example.com'],
  ['CRLF and a header', 'a@example.com\r\nBcc: v@example.com'],
  ['a line feed', 'a@example.com\nBcc: v@example.com'],
  ['a carriage return', 'a@example.com\rBcc: v@example.com'],
  ['U+2028', 'a@example.com\u2028'],
  ['U+0085', 'a@example.com\u0085'],
  ['an encoded word', '=?x?q?collab=40evil.test=3e=00?=foo@example.com'],
  ['UTF-7', '=?utf-7?q?collab&AEA-evil.test&ACw-?=foo@example.com'],
  ['a comment', 'a(comment)@example.com'],
  ['a comment in the domain', 'a@(c)example.com'],
  ['folding', 'a@\r\n example.com'],
  ['a broken A-label', 'a@xn--'],
  ['a local part in another script', 'ü@example.com'],
  ['a dotted capital I', 'İ@example.com'],
  ['a Kelvin sign', '\u212a@example.com'],
  ['a no-break space around', '\u00a0a@example.com'],
  ['a tab around', '\ta@example.com'],
  ['a C1 character', 'a\u0081@example.com'],
  ['a DEL', 'a\u007f@example.com'],
  ['a group', 'g: a@example.com;'],
  ['an address and a mailbox', 'a@good.test <a@bad.test>'],
  ['two mailboxes', '<a@good.test> <b@bad.test>'],
  ['a name that shows another domain', '"a@good.test" <a@bad.test>'],
  ['an address literal', 'a@[127.0.0.1]'],
  ['a quoted local part', '"a b"@example.com'],
  ['nothing but space', '   '],
];

const rows: Row[] = [
  // Shape: missing, wrong types, never truthiness.
  ...(['from', 'to', 'subject'] as const).map((param) => {
    const { [param]: _, ...body } = good;
    return { what: `no ${param}`, body, status: 400 as const, param };
  }),
  { what: 'neither html nor text', body: { ...good, text: null }, status: 400, param: 'html' },
  { what: 'empty html and text', body: { ...good, html: '', text: '' }, status: 400, param: 'html' },
  ...[1, true, null, {}, [], [1], [null], [['a@example.com']]].map((to) => ({
    what: `to is ${JSON.stringify(to)}`,
    body: { ...good, to },
    status: 400 as const,
    param: /^\[.+\]$/.test(JSON.stringify(to)) ? 'to[0]' : 'to',
  })),
  ...[1, ['a@example.com'], null, { address: 'a@example.com' }, ''].map((from) => ({
    what: `from is ${JSON.stringify(from)}`,
    body: { ...good, from },
    status: 400 as const,
    param: 'from',
  })),
  ...(['subject', 'html', 'text', 'preheader', 'inReplyTo', 'expiresAt'] as const).flatMap((param) =>
    [1, ['x'], true, {}].map((value) => ({
      what: `${param} is ${JSON.stringify(value)}`,
      body: { ...good, [param]: value },
      status: 400 as const,
      param,
    })),
  ),
  ...(['trackOpens', 'trackClicks', 'groupRecipients', 'sandbox'] as const).flatMap((param) =>
    ['false', 0, 'no', null, []].map((value) => ({
      what: `${param} is ${JSON.stringify(value)}`,
      body: { ...good, [param]: value },
      status: 400 as const,
      param,
    })),
  ),
  ...(['headers', 'metadata'] as const).flatMap((param) =>
    ['x', 1, [], true].map((value) => ({
      what: `${param} is ${JSON.stringify(value)}`,
      body: { ...good, [param]: value },
      status: 400 as const,
      param,
    })),
  ),
  // Addresses, in every field that takes one.
  ...refusedAddresses.flatMap(([what, address]) => [
    {
      what: `to with ${what}`,
      body: { ...good, to: ['ok@example.com', address] },
      status: 400 as const,
      param: 'to[1]',
    },
    { what: `from with ${what}`, body: { ...good, from: address }, status: 400 as const, param: 'from' },
    { what: `cc with ${what}`, body: { ...good, cc: [address] }, status: 400 as const, param: 'cc[0]' },
    { what: `bcc with ${what}`, body: { ...good, bcc: address }, status: 400 as const, param: 'bcc' },
    { what: `replyTo with ${what}`, body: { ...good, replyTo: [address] }, status: 400 as const, param: 'replyTo[0]' },
  ]),
  {
    what: '1,001 recipients',
    body: { ...good, to: Array.from({ length: 1_001 }, (_, n) => `u${n}@example.com`) },
    status: 400,
    param: 'to',
  },
  {
    what: '51 addresses in a group',
    body: { ...good, groupRecipients: true, to: Array.from({ length: 51 }, (_, n) => `u${n}@example.com`) },
    status: 400,
    param: 'to',
  },
  {
    what: '51 addresses over to, cc and bcc',
    body: {
      ...good,
      to: Array.from({ length: 49 }, (_, n) => `u${n}@example.com`),
      cc: ['x@example.com'],
      bcc: ['y@example.com'],
    },
    status: 400,
    param: 'to',
  },
  // Text.
  { what: 'a subject of 999', body: { ...good, subject: label(999) }, status: 400, param: 'subject' },
  { what: 'an empty subject', body: { ...good, subject: '' }, status: 400, param: 'subject' },
  { what: 'a subject of spaces', body: { ...good, subject: '   ' }, status: 400, param: 'subject' },
  ...['a\r\nBcc: v@example.com', 'a\nb', 'a\tb', 'a\u0000b', 'a\u0085b', 'a\u2028b', 'a\u001bb'].flatMap((text) => [
    {
      what: `subject ${JSON.stringify(text)}`,
      body: { ...good, subject: text },
      status: 400 as const,
      param: 'subject',
    },
    {
      what: `preheader ${JSON.stringify(text)}`,
      body: { ...good, preheader: text },
      status: 400 as const,
      param: 'preheader',
    },
  ]),
  { what: 'html over 2 MB', body: { ...good, html: 'é'.repeat(1_048_577) }, status: 400, param: 'html' },
  { what: 'text over 2 MB', body: { ...good, text: 'a'.repeat(2_097_153) }, status: 400, param: 'text' },
  // Lone surrogates and NUL, which the database would refuse.
  ...(['subject', 'html', 'text', 'preheader', 'from'] as const).map((param) => ({
    what: `half a surrogate pair in ${param}`,
    body: { ...good, [param]: `x\ud800y` },
    status: 400 as const,
    param,
  })),
  {
    what: 'half a surrogate pair in metadata',
    body: { ...good, metadata: { a: { b: ['\udfff'] } } },
    status: 400,
    param: 'metadata.a.b[0]',
  },
  { what: 'NUL in metadata', body: { ...good, metadata: { a: '\u0000' } }, status: 400, param: 'metadata.a' },
  { what: 'NUL in html', body: { ...good, html: 'a\u0000b' }, status: 400, param: 'html' },
  // Headers.
  ...[
    'From',
    'sender',
    'TO',
    'Cc',
    'Bcc',
    'Reply-To',
    'Subject',
    'Date',
    'Message-ID',
    'MIME-Version',
    'Content-Type',
    'Return-Path',
    'Received',
    'DKIM-Signature',
    'List-Unsubscribe',
    'List-Unsubscribe-Post',
    'List-Id',
    'Precedence',
    'Auto-Submitted',
    'X-SES-Configuration-Set',
    'X-Posthorn-Id',
  ].map((name) => ({
    what: `the header ${name}`,
    body: { ...good, headers: { [name]: 'x' } },
    status: 422 as const,
    param: `headers.${name}`,
  })),
  ...['a\r\nBcc: v@example.com', 'a\nb', 'a\rb'].map((value) => ({
    what: `a header value ${JSON.stringify(value)}`,
    body: { ...good, headers: { 'X-A': value } },
    status: 400 as const,
    param: 'headers.X-A',
  })),
  { what: 'a header name with a space', body: { ...good, headers: { 'X Y': 'x' } }, status: 422, param: 'headers.X Y' },
  { what: 'a header name with a colon', body: { ...good, headers: { 'X:Y': 'x' } }, status: 422, param: 'headers.X:Y' },
  {
    what: 'a header name with CRLF',
    body: { ...good, headers: { 'X\r\nY': 'x' } },
    status: 400,
    param: 'headers.X\r\nY',
  },
  {
    what: 'a header twice in two cases',
    body: { ...good, headers: { 'X-A': '1', 'x-a': '2' } },
    status: 422,
    param: 'headers.x-a',
  },
  {
    what: 'a header value of 871',
    body: { ...good, headers: { 'X-A': label(871) } },
    status: 422,
    param: 'headers.X-A',
  },
  {
    what: 'a header value that is no text',
    body: { ...good, headers: { 'X-A': 1 } },
    status: 400,
    param: 'headers.X-A',
  },
  {
    what: 'headers that are too large together, each within its limit',
    body: { ...good, headers: Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`X-${n}`, label(850)])) },
    status: 422,
    param: 'headers',
  },
  {
    what: 'one recipient of a thousand whose name makes the headers too large',
    body: {
      ...good,
      headers: Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`X-${n}`, label(850)])),
      to: [
        ...Array.from({ length: 998 }, (_, n) => `p${n}@example.com`),
        `${'字'.repeat(300)} <wide@example.com>`,
        'last@example.com',
      ],
    },
    status: 422,
    param: 'headers',
  },
  {
    what: 'names of a group that make the headers too large',
    body: {
      ...good,
      groupRecipients: true,
      to: Array.from({ length: 25 }, (_, n) => `${'字'.repeat(200)} <p${n}@example.com>`),
      cc: ['cc@example.com'],
    },
    status: 422,
    param: 'headers',
  },
  {
    what: '1,000 headers',
    body: { ...good, headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`X-${n}`, 'x'])) },
    status: 422,
    param: 'headers',
  },
  // Labels and data.
  {
    what: 'a tag with a space',
    body: { ...good, tags: [{ name: 'a b', value: 'x' }] },
    status: 400,
    param: 'tags[0].name',
  },
  { what: 'a tag without a value', body: { ...good, tags: [{ name: 'a' }] }, status: 400, param: 'tags[0].value' },
  {
    what: '21 tags',
    body: { ...good, tags: Array.from({ length: 21 }, () => ({ name: 'a', value: 'b' })) },
    status: 400,
    param: 'tags',
  },
  {
    what: '51 keys of metadata',
    body: { ...good, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) },
    status: 400,
    param: 'metadata',
  },
  { what: '16 KB of metadata', body: { ...good, metadata: { a: label(16_384) } }, status: 400, param: 'metadata' },
  { what: 'a key of 1 MB', body: { ...good, metadata: { [label(1_048_576)]: 1 } }, status: 400, param: 'metadata' },
  // Files.
  {
    what: 'wrong padding',
    body: { ...good, attachments: [{ ...file, content: 'AAE' }] },
    status: 400,
    param: 'attachments[0].content',
  },
  {
    what: 'white space in base64',
    body: { ...good, attachments: [{ ...file, content: 'AA\nEC' }] },
    status: 400,
    param: 'attachments[0].content',
  },
  {
    what: 'the URL alphabet',
    body: { ...good, attachments: [{ ...file, content: '-_-_' }] },
    status: 400,
    param: 'attachments[0].content',
  },
  {
    what: 'an empty file',
    body: { ...good, attachments: [{ ...file, content: '' }] },
    status: 422,
    param: 'attachments[0].content',
  },
  {
    what: 'a program',
    body: { ...good, attachments: [file, { ...file, filename: 'a.exe' }] },
    status: 422,
    param: 'attachments[1].filename',
  },
  {
    what: 'a name that turns around',
    body: { ...good, attachments: [{ ...file, filename: 'a\u202egpj.exe' }] },
    status: 422,
    param: 'attachments[0].filename',
  },
  {
    what: 'a name with CRLF',
    body: { ...good, attachments: [{ ...file, filename: 'a\r\nb.txt' }] },
    status: 400,
    param: 'attachments[0].filename',
  },
  {
    what: 'a content type with CRLF',
    body: { ...good, attachments: [{ ...file, contentType: 'text/html\r\nX: y' }] },
    status: 422,
    param: 'attachments[0].contentType',
  },
  {
    what: 'an unknown disposition',
    body: { ...good, attachments: [{ ...file, disposition: 'hidden' }] },
    status: 400,
    param: 'attachments[0].disposition',
  },
  {
    what: '21 files',
    body: { ...good, attachments: Array.from({ length: 21 }, () => file) },
    status: 400,
    param: 'attachments',
  },
  // Times and references.
  {
    what: 'a day that does not exist',
    body: { ...good, expiresAt: '2026-02-30T00:00:00Z' },
    status: 400,
    param: 'expiresAt',
  },
  {
    what: 'a time without an offset',
    body: { ...good, expiresAt: '2099-01-01T00:00:00' },
    status: 400,
    param: 'expiresAt',
  },
  {
    what: 'an expiry in the past',
    body: { ...good, expiresAt: '2020-01-01T00:00:00Z' },
    status: 422,
    param: 'expiresAt',
  },
  { what: 'a Message-ID with two ids', body: { ...good, inReplyTo: '<a@b> <c@d>' }, status: 400, param: 'inReplyTo' },
  {
    what: 'a Message-ID with a line break',
    body: { ...good, inReplyTo: '<a@b>\r\nX: y' },
    status: 400,
    param: 'inReplyTo',
  },
  {
    what: 'a time too far ahead',
    body: { ...good, scheduledFor: '2099-01-01T00:00:00Z' },
    status: 422,
    param: 'scheduledFor',
  },
  { what: 'a zone without a time', body: { ...good, timezone: 'Europe/Berlin' }, status: 400, param: 'timezone' },
];

test('400 or 422 naming the field for every bad send, and nothing is stored', async (t) => {
  const before = await countStored(api.t);
  for (const { what, body, status, param } of rows) {
    await t.test(`${status} ${what.slice(0, 80)}`, async () => {
      const answer = await api.call({ method: 'POST', url: '/v1/send', body });
      assert.deepEqual(
        { status: answer.status, name: answer.body.name, param: answer.body.param },
        { status, name: 'validation_error', param },
        answer.body.message,
      );
    });
  }
  assert.deepEqual(await countStored(api.t), before);
});

test('400 lists every fault of a send at once, the unreadable ones first', async () => {
  const { status, body } = await api.call({
    method: 'POST',
    url: '/v1/send',
    body: { ...good, to: ['ok@example.com', 'bad', 'worse'], subject: '', headers: { Bcc: 'x' } },
  });
  assert.equal(status, 400);
  assert.equal(body.param, 'to[1]');
  assert.deepEqual(
    body.details.map((detail: string) => detail.split(/[ :]/)[0]),
    ['to[1]', 'to[2]', 'subject', 'headers.Bcc'],
  );
});

test('400 where not all faults of type are listed: fields that none of them names may be wrong too', async () => {
  const before = await countStored(api.t);
  const wrong = { subject: 5, html: 5, headers: 5, replyTo: 5 };
  const manyNumbers = Array.from({ length: 6_000 }, () => 1);
  for (const [body, param] of [
    [{ from: good.from, to: Array.from({ length: 25 }, () => 1), ...wrong }, 'to[0]'],
    [{ from: good.from, url: manyNumbers, to: 5, ...wrong }, 'to'],
    [{ url: manyNumbers, form: good.from, to: good.to, ...wrong }, 'form'],
  ] as const)
    for (const [url, sent, named] of [
      ['/v1/send', body, param],
      ['/v1/batch', { emails: [body] }, `emails[0].${param}`],
    ] as const) {
      const answer = await api.call({ method: 'POST', url, body: sent });
      assert.deepEqual([answer.status, answer.body.param], [400, named], answer.body.message);
    }
  assert.deepEqual(await countStored(api.t), before);
});

test('400 for what is no JSON object, numbers out of range, keys twice and __proto__', async () => {
  const bodies = [
    '',
    'null',
    '[]',
    '"x"',
    '1',
    '{"to":1e400}',
    '{"to":"a","to":"b"}',
    '{"__proto__":{"isAdmin":true}}',
    '{',
  ];
  for (const payload of bodies) {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/v1/send',
      headers: { authorization: `Bearer ${await api.caller()}`, 'content-type': 'application/json' },
      payload,
    });
    assert.equal(answer.statusCode, 400, payload);
    assert.equal(answer.json().name, 'validation_error');
  }
  assert.equal(Reflect.get({}, 'isAdmin'), undefined);
});

const accepted: [string, object][] = [
  ['an address of 254', { to: [`${label(60)}@${`${label(60)}.`.repeat(3)}${label(10)}`] }],
  ['a local part of 64', { to: [`${label(64)}@example.com`] }],
  ['a label of 63', { to: [`a@${label(63)}.com`] }],
  ['a domain in another script', { to: ['a@bücher.example'] }],
  ['space around an address', { to: ['  a@example.com '] }],
  ['50 in a group', { groupRecipients: true, to: Array.from({ length: 50 }, (_, n) => `u${n}@example.com`) }],
  ['a subject of 998', { subject: label(998) }],
  ['an emoji of several code points', { subject: '👩‍👩‍👧‍👦 שלום' }],
  ['a subject that looks encoded', { subject: '=?utf-8?Q?=0D=0ABcc:_x?=' }],
  ['2 MB of text', { text: 'a'.repeat(2_097_152) }],
  ['a body with control characters that text may have', { text: 'a\tb\r\nc\fd' }],
  ['noncharacters', { html: '<p>\ufffe\u{1ffff}</p>' }],
  ['operators in metadata', { metadata: { $where: '1', '': 1, 'a.b': { $ne: null }, list: [1, [2]] } }],
  [
    'null for what is optional',
    {
      cc: null,
      bcc: null,
      replyTo: null,
      html: null,
      preheader: null,
      templateId: null,
      variables: {},
      recipientVariables: null,
      scheduledFor: null,
      timezone: null,
      newsletterId: null,
      inReplyTo: null,
      expiresAt: null,
      attachments: null,
      headers: null,
      tags: null,
      metadata: null,
    },
  ],
  ['a Message-ID without brackets', { inReplyTo: 'a@example.com' }],
];

for (const [what, body] of accepted) {
  test(`202 for ${what}`, async () => {
    const answer = await api.call({ method: 'POST', url: '/v1/send', body: { ...good, ...body } });
    assert.equal(answer.status, 202, answer.body.message);
  });
}

test('202 keeps an address of another script as its ASCII domain', async () => {
  const { body } = await api.call({ method: 'POST', url: '/v1/send', body: { ...good, to: 'Ann@Bücher.example' } });
  assert.equal(body.emails[0].to, 'ann@xn--bcher-kva.example');
});
