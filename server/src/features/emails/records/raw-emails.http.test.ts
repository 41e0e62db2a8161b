import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { acceptSend, rawContent, type SendReceipt } from '#features/outbox';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';
import { aRawMessage, RAW_MIMES, rawMime } from '../../../../test/harness/raw-messages.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

async function relayed(mime: Buffer, to: readonly string[] = ['Ada@example.com']): Promise<SendReceipt> {
  const content = rawContent(await aRawMessage(mime), {
    domain: { domain: 'posthorn.test', domainId: null },
    tags: [{ name: 'kind', value: 'receipt' }],
    metadata: { orderId: '42' },
  });
  const send = { source: 'relay', lane: 'transactional', content, sandbox: false, apiKey: null, takes: [] } as const;
  return acceptSend(
    { db: api.t.db, workspaceId: api.workspaceId },
    { ...send, recipients: to.map(parseMailbox), expiresAt: null },
  );
}

const idOf = (receipt: SendReceipt): string => receipt.emails[0]?.id ?? '';
const get = (url: string, token?: string) =>
  api.call({ method: 'GET', url, ...(token === undefined ? {} : { token }) });
const settle = (id: string) =>
  sql`update emails set status = 'sent' where workspace_id = ${api.workspaceId} and id = ${id}`.execute(api.t.db);

const PARTS = [
  '--b',
  'Content-Type: multipart/alternative; boundary="c"',
  '',
  '--c',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Gr\xc3\xbc\xc3\x9fe',
  '--c',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Gr\xc3\xbc\xc3\x9fe</p>',
  '--c--',
  '--b',
  'Content-Type: application/pdf; name="r.pdf"',
  'Content-Disposition: attachment; filename="r.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  'AAEC',
  '--b--',
  '',
].join('\r\n');
const MIXED = rawMime(PARTS, { type: 'multipart/mixed; boundary="b"', fields: ['Received: by second'] });

test('200: the record of a raw email is of its message: sender, subject, Message-ID, and the recipient of the envelope', async () => {
  const receipt = await relayed(MIXED, ['Ada@example.com', 'bob@example.com']);
  const { status, body } = await get(`/v1/emails/${idOf(receipt)}`);
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, {
    source: 'relay',
    from: 'Acme, Inc <hello@posthorn.test>',
    to: ['Ada@example.com'],
    cc: [],
    subject: 'Grüße',
    message_id: '<4711@client.acme.test>',
    tags: [{ name: 'kind', value: 'receipt' }],
    metadata: { orderId: '42' },
  });
  const job = await get(`/v1/send/${receipt.jobId}`);
  assert.deepEqual(
    job.body.emails.data.map((email: { messageId: string }) => email.messageId),
    ['<4711@client.acme.test>', '<4711@client.acme.test>'],
  );
  const listed = await get('/v1/emails?source=relay&subject=gr%C3%BC');
  assert.equal(listed.body.data[0].message_id, '<4711@client.acme.test>');
  assert.match((await get(`/v1/emails/${idOf(receipt)}/explain`)).body.verdict, /waits for its turn/);
});

test('200: the content of a raw email is what a mail client finds in it', async () => {
  const { status, body } = await get(`/v1/emails/${idOf(await relayed(MIXED))}/content`);
  assert.equal(status, 200);
  assert.deepEqual(
    { subject: body.subject, text: body.text.trim(), html: body.html.trim(), attachments: body.attachments },
    {
      subject: 'Grüße',
      text: 'Grüße',
      html: '<p>Grüße</p>',
      attachments: [
        {
          id: null,
          filename: 'r.pdf',
          content_type: 'application/pdf',
          content_id: null,
          disposition: 'attachment',
          size: 3,
        },
      ],
    },
  );
  assert.equal(body.headers['Message-ID'], '<4711@client.acme.test>');
  assert.match(body.headers.Received, /^from laptop .*\nby second$/);
});

test('200: a message that no mail client can take apart is shown without its parts', async () => {
  const deep = rawMime('--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'.repeat(400), {
    type: 'multipart/mixed; boundary=b',
  });
  const { status, body } = await get(`/v1/emails/${idOf(await relayed(deep))}/content`);
  assert.deepEqual([status, body.subject, body.html, body.attachments], [200, 'Grüße', null, []]);
});

test('200 raw: the bytes as they were accepted; 404 for an email that is composed, and once it was erased', async () => {
  for (const [name, mime] of Object.entries(RAW_MIMES)) {
    const { status, headers, raw } = await get(`/v1/emails/${idOf(await relayed(mime))}/raw`);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^message\/rfc822/);
    assert.ok(raw.equals(mime), name);
  }
  const good = { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'Hi', html: '<p>Hi</p>' };
  const composed = await api.call({ method: 'POST', url: '/v1/send', body: good });
  assert.equal((await get(`/v1/emails/${composed.body.emails[0].id}/raw`)).status, 404);
  const erased = idOf(await relayed(MIXED));
  await sql`update contents set mime = '' where workspace_id = ${api.workspaceId} and id =
    (select content_id from emails where workspace_id = ${api.workspaceId} and id = ${erased})`.execute(api.t.db);
  assert.equal((await get(`/v1/emails/${erased}/raw`)).status, 404);
  const content = await get(`/v1/emails/${erased}/content`);
  assert.deepEqual([content.status, content.body.html, content.body.headers], [200, null, {}]);
  await settle(erased);
  assert.equal((await api.call({ method: 'POST', url: `/v1/emails/${erased}/resend` })).status, 409);
});

test('202 resend: the same bytes with the same Message-ID to the recipient of the envelope', async () => {
  for (const mime of [MIXED, RAW_MIMES['signed'] ?? MIXED, RAW_MIMES['eight bits'] ?? MIXED]) {
    const id = idOf(await relayed(mime, ['Ada@example.com']));
    await settle(id);
    const marked = { method: 'POST', url: `/v1/emails/${id}/resend`, body: { to: 'me@example.com' } } as const;
    assert.equal((await api.call(marked)).status, 409, 'its bytes are not changed, so a copy would not be marked');
    const { status, body } = await api.call({ method: 'POST', url: `/v1/emails/${id}/resend` });
    assert.equal(status, 202);
    const copy = body.emails[0].id;
    assert.ok((await get(`/v1/emails/${copy}/raw`)).raw.equals(mime));
    assert.partialDeepStrictEqual((await get(`/v1/emails/${copy}`)).body, {
      source: 'resend',
      to: ['Ada@example.com'],
      message_id: '<4711@client.acme.test>',
      tags: [{ name: 'kind', value: 'receipt' }],
      metadata: { orderId: '42' },
    });
  }
});

test('404: no other workspace reads a raw email, its parts or its bytes, or sends it again', async () => {
  const id = idOf(await relayed(MIXED));
  await settle(id);
  const foreign = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  for (const path of ['', '/content', '/raw', '/explain'])
    assert.equal((await get(`/v1/emails/${id}${path}`, foreign)).status, 404, path);
  assert.equal((await api.call({ method: 'POST', url: `/v1/emails/${id}/resend`, token: foreign })).status, 404);
  const reader = await api.caller({ scopes: ['emails:send'] });
  assert.equal((await get(`/v1/emails/${id}/raw`, reader)).status, 403);
});

test('202 resend to another address: a marked copy to it alone; 400 for what is no address, and nothing is stored', async () => {
  const sent = await api.call({
    method: 'POST',
    url: '/v1/send',
    body: {
      from: 'hello@posthorn.test',
      to: 'ada@example.com',
      cc: ['Bob <bob@example.com>'],
      subject: 'x'.repeat(998),
      text: 'Hi',
    },
  });
  const id: string = sent.body.emails[0].id;
  await settle(id);
  const resend = (to: unknown) => api.call({ method: 'POST', url: `/v1/emails/${id}/resend`, body: { to } });
  const { status, body } = await resend('Me <me@example.com>');
  assert.equal(status, 202);
  const copy = await get(`/v1/emails/${body.emails[0].id}`);
  assert.partialDeepStrictEqual(copy.body, { to: ['me@example.com'], cc: [], subject: `Copy: ${'x'.repeat(992)}` });
  const before = await countStored(api.t);
  for (const to of ['nobody', '', 5, 'a@example.com, b@example.com']) {
    const refused = await resend(to);
    assert.deepEqual([refused.status, refused.body.param], [400, 'to'], String(to));
  }
  assert.deepEqual(await countStored(api.t), before);
});
