/** A message that somebody else composed, from acceptance through a real mail server or the capture to its record. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { acceptSend, rawContent, type SendReceipt } from '#features/outbox';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { aRawMessage, isStillSigned, RAW_MIMES } from '../harness/raw-messages.ts';
import { type SmtpSink, startSmtpSink } from '../harness/smtp-sink.ts';
import { until } from '../harness/until.ts';

let sink: SmtpSink;
let api: TestApp;
before(async () => {
  sink = await startSmtpSink();
  api = await createTestApp({
    worker: true,
    env: { POSTHORN_PROVIDER_URL: sink.url, POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '1000' },
  });
});
after(async () => {
  await api.close();
  await sink.stop();
});

async function relayed(to: string, mime: Uint8Array, sandbox = false): Promise<SendReceipt> {
  const content = rawContent(await aRawMessage(mime), { domain: { domain: 'posthorn.test', domainId: null } });
  return acceptSend(
    { db: api.db, workspaceId: api.workspaceId },
    {
      source: 'relay',
      lane: 'transactional',
      content,
      recipients: [parseMailbox(to)],
      expiresAt: null,
      sandbox,
      apiKey: null,
      takes: [],
    },
  );
}

async function arrivedFor(to: string): Promise<Buffer> {
  const message = await until(`the message to ${to}`, async () => sink.messages.find((one) => one.to.includes(to)));
  return message.mime;
}

/** The bytes behind our signature, which verifies. */
async function verifiedRest(mime: Buffer): Promise<Buffer> {
  const { rows } = await sql<{ selector: string; key: string }>`
    select dkim_selector as selector, dkim_public_key as key from domains
     where workspace_id = ${api.workspaceId} and domain = 'posthorn.test'`.execute(api.db);
  const { results } = await dkimVerify(mime, {
    resolver: async (name: string) => {
      const ours = rows.find(({ selector }) => name === `${selector}._domainkey.posthorn.test`);
      return [[ours === undefined ? 'none' : `v=DKIM1; k=rsa; p=${ours.key}`]];
    },
  });
  assert.equal(results.find(({ signingDomain }) => signingDomain === 'posthorn.test')?.status.result, 'pass');
  return mime.subarray(mime.indexOf('Received: from laptop'));
}

test('over SMTP every byte of a message arrives as it was given, behind a signature that verifies', async () => {
  for (const [name, mime] of Object.entries(RAW_MIMES)) {
    const to = `${name.replaceAll(' ', '-')}@example.com`;
    await relayed(to, mime);
    assert.ok((await verifiedRest(await arrivedFor(to))).equals(mime), name);
  }
});

test('a message without a last line end gets one, and its signatures are of what arrives', async () => {
  const mime = RAW_MIMES['signed'] ?? Buffer.alloc(0);
  await relayed('no-end@example.com', mime.subarray(0, -2));
  const arrived = await arrivedFor('no-end@example.com');
  assert.ok((await verifiedRest(arrived)).equals(mime));
  assert.ok(isStillSigned(arrived));
});

test('in the sandbox the bytes are kept, and shown as a mail client would', async () => {
  const mime = RAW_MIMES['signed'] ?? Buffer.alloc(0);
  const receipt = await relayed('kept@example.com', mime, true);
  const listed = await until('its captured copy', async () => {
    const { body } = await api.request({ url: '/v1/captured-emails?to=kept@example.com' });
    return (body as { data: { id: string; message_id: string; subject: string }[] }).data[0]; // checked by the document
  });
  assert.deepEqual([listed.message_id, listed.subject], ['<4711@client.acme.test>', 'Grüße']);
  const raw = await api.app.inject({
    url: `/v1/captured-emails/${listed.id}/raw`,
    headers: { authorization: `Bearer ${api.key}` },
  });
  assert.ok((await verifiedRest(raw.rawPayload)).equals(mime));
  const shown = await api.request({ url: `/v1/captured-emails/${listed.id}` });
  assert.match(JSON.stringify(shown.body), /Grüße/);
  const email = await api.request({ url: `/v1/emails/${receipt.emails[0]?.id}` });
  assert.partialDeepStrictEqual(email.body, {
    source: 'relay',
    message_id: '<4711@client.acme.test>',
    subject: 'Grüße',
  });
});
