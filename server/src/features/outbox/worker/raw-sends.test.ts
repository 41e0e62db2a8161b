import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { createDkimKeyPair, type DkimKey, loadDkimKey } from '#mail/dkim.ts';
import { decodeTransfer } from '#mail/inbound/decode-part.ts';
import { readInboundMessage } from '#mail/inbound/read-message.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { aRawMessage, isStillSigned, RAW_MIMES, rawMime } from '../../../../test/harness/raw-messages.ts';
import { acceptSends } from '../accept/accept-send.ts';
import { type AcceptedSend, rawContent } from '../accept/accepted-send.ts';
import { createContentStore } from '../compose/content-store.ts';
import { loadContents } from '../compose/queries/load-contents.ts';
import { eraseEmails } from '../erasing/erase-emails.ts';
import { listEmailsToErase } from '../erasing/queries.ts';
import { accept, aContent, aSend, aWorker, aWorkspace, deliver, RecordingProvider, stateOf } from '../test-kit.ts';

const tracking = { baseUrl: 'https://links.test', ownUrls: [], key: Buffer.alloc(32, 3) };
const domain = { domain: 'posthorn.test', domainId: null };

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, contents, email_events cascade`.execute(t.db);
});

const aRawSend = async (to: readonly string[], mime?: Buffer, send: Partial<AcceptedSend> = {}) =>
  aSend(to, { source: 'relay', content: rawContent(await aRawMessage(mime), { domain }), ...send });

/** A worker that knows nothing yet, as after a restart. */
const aNewWorker = (provider: RecordingProvider, key: DkimKey | null = null) =>
  aWorker(t.db, provider, { contents: createContentStore({ db: t.db, tracking }), loadDkimKey: async () => key });

test('every recipient of the envelope gets the bytes as they are, from one stored copy', async () => {
  const ws = await aWorkspace(t.db);
  const mime = rawMime('<a href="https://example.com/">untouched</a>{{ name }}\r\n', { type: 'text/html' });
  const receipt = await accept(t.db, ws, await aRawSend(['Ada@Example.com', 'bob@example.com'], mime));
  const provider = new RecordingProvider();
  await deliver(aNewWorker(provider), 2);
  assert.deepEqual(provider.calls.map(({ message }) => message.envelope.to).sort(), [
    ['Ada@example.com'],
    ['bob@example.com'],
  ]);
  for (const { message } of provider.calls) {
    assert.ok(message.mime.equals(mime));
    assert.deepEqual([message.messageId, message.subject], ['<4711@client.acme.test>', 'Grüße']);
  }
  const { rows } = await sql<{ mime: Buffer }>`select mime from contents where workspace_id = ${ws}`.execute(t.db);
  assert.deepEqual(
    rows.map((row) => row.mime.equals(mime)),
    [true],
  );
  assert.equal((await stateOf(t.db, ws, receipt.emails[0]?.id ?? '')).status, 'sent');
});

test('whatever its bytes are, a message is signed as it is and verifies', async () => {
  const pair = await createDkimKeyPair();
  const key = loadDkimKey('posthorn.test', 'ph1', pair.privateKey);
  const ws = await aWorkspace(t.db);
  const given = Object.entries(RAW_MIMES);
  for (const [name, mime] of given)
    await accept(t.db, ws, await aRawSend([`${name.replaceAll(' ', '-')}@example.com`], mime));
  const provider = new RecordingProvider();
  await deliver(aNewWorker(provider, key), given.length);
  for (const [name, mime] of given) {
    const sent = provider.calls.find(({ message }) =>
      message.envelope.to[0]?.startsWith(`${name.replaceAll(' ', '-')}@`),
    );
    const bytes = sent?.message.mime ?? Buffer.alloc(0);
    assert.ok(bytes.subarray(-mime.length).equals(mime), name);
    assert.match(bytes.toString('latin1', 0, bytes.length - mime.length), /^DKIM-Signature: [^]*[^\r\n]\r\n$/, name);
    const { results } = await dkimVerify(bytes, {
      resolver: async (asked: string) => [[asked.startsWith('ph1.') ? `v=DKIM1; k=rsa; p=${pair.publicKey}` : 'none']],
    });
    const ours = results.find(({ signingDomain }) => signingDomain === 'posthorn.test');
    assert.equal(ours?.status.result, 'pass', `${name}: ${ours?.status.comment}`);
  }
  const signed = RAW_MIMES['signed'] ?? Buffer.alloc(0);
  assert.ok(provider.calls.some(({ message }) => message.mime.includes(signed) && isStillSigned(message.mime)));
});

test('in html that is tracked each recipient has links and a pixel of their own; the rest leaves as it is, and verifies', async () => {
  const pair = await createDkimKeyPair();
  const key = loadDkimKey('posthorn.test', 'ph1', pair.privateKey);
  const ws = await aWorkspace(t.db);
  const html = '<p>Gr\xc3\xbc\xc3\x9fe, <a href="https://example.com/a?b=1">here</a></p>';
  const part = (type: string, body: string): string => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  const mime = rawMime(`${part('text/plain', 'trailing \t')}${part('text/html; charset=utf-8', html)}--b--\r\n`, {
    type: 'multipart/alternative; boundary=b',
  });
  const to = ['ada@example.com', 'bob@example.com'];
  const content = { domain, trackOpens: true, trackClicks: true };
  await accept(t.db, ws, aSend(to, { source: 'relay', content: rawContent(await aRawMessage(mime), content) }));
  const provider = new RecordingProvider();
  await deliver(aNewWorker(provider, key), 2);
  const own = new Set<string>();
  for (const { message } of provider.calls) {
    const [head = '', rest = ''] = message.mime.toString('latin1').split(/(?=--b\r\nContent-Type: text\/html)/);
    assert.ok(head.endsWith(mime.toString('latin1').split(/(?=--b\r\nContent-Type: text\/html)/)[0] ?? ''));
    const read = await readInboundMessage(message.mime, { envelopeFrom: '', nowMs: () => 0 });
    const [, link = '', pixel = ''] =
      /^<p>Grüße, <a href="(https:\/\/links\.test\/t\/c\/[^"]+)">here<\/a><\/p><img src="(https:\/\/links\.test\/t\/o\/[^"]+)"/.exec(
        read.html ?? '',
      ) ?? assert.fail(read.html ?? rest);
    own.add(link).add(pixel);
    const { results } = await dkimVerify(message.mime, {
      resolver: async (asked: string) => [[asked.startsWith('ph1.') ? `v=DKIM1; k=rsa; p=${pair.publicKey}` : 'none']],
    });
    assert.equal(results[0]?.status.result, 'pass', results[0]?.status.comment);
  }
  assert.equal(own.size, 4);
  const { rows } = await sql<{ mime: Buffer }>`select mime from contents where workspace_id = ${ws}`.execute(t.db);
  assert.ok(rows[0]?.mime.equals(mime), 'the stored message is the given one');
});

test('a message whose html may not be changed leaves as it is, whatever was asked', async () => {
  const ws = await aWorkspace(t.db);
  const html = '<a href="https://example.com/">\x83e</a>\r\n';
  const fields = ['DKIM-Signature: v=1; a=rsa-sha256; d=client.test; s=x; b=AAAA'];
  for (const mime of [
    rawMime(html, { type: 'text/html; charset=utf-8', fields }),
    rawMime(html, { type: 'text/html; charset=shift_jis' }),
    rawMime(html, { type: 'text/html; charset=x-nobody' }),
  ]) {
    const content = rawContent(await aRawMessage(mime), { domain, trackOpens: true, trackClicks: true });
    assert.deepEqual([content.trackOpens, content.trackClicks], [false, false]);
    // Also when an earlier release has stored that it is tracked.
    await accept(t.db, ws, aSend(['ada@example.com'], { source: 'relay', content: { ...content, trackOpens: true } }));
    const provider = new RecordingProvider();
    await deliver(aNewWorker(provider), 1);
    assert.ok(provider.calls[0]?.message.mime.equals(mime));
  }
});

test('html in Windows-1252 leaves in Windows-1252 with links and a pixel, and no other byte of it changes', async () => {
  const ws = await aWorkspace(t.db);
  const html = '<p>\x93Gr\xfc\xdfe\x94 <a href="https://example.com/">x</a></p>';
  const mime = rawMime(`${html}\r\n`, { type: 'text/html; charset=windows-1252' });
  const content = rawContent(await aRawMessage(mime), { domain, trackOpens: true, trackClicks: true });
  await accept(t.db, ws, aSend(['ada@example.com'], { source: 'relay', content }));
  const provider = new RecordingProvider();
  await deliver(aNewWorker(provider), 1);
  const sent = provider.calls[0]?.message.mime.toString('latin1') ?? '';
  const [, body = ''] = sent.split(
    'Content-Type: text/html; charset=windows-1252\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n',
  );
  const decoded = decodeTransfer(Buffer.from(body, 'latin1'), 'quoted-printable').toString('latin1');
  assert.match(
    decoded,
    /^<p>\x93Gr\xfc\xdfe\x94 <a href="https:\/\/links\.test\/t\/c\/[^"]+">x<\/a><\/p>(\r\n)?<img src="https:\/\/links\.test\/t\/o\//,
  );
});

test('a message whose text or fields are changed on the way does not verify', async () => {
  const pair = await createDkimKeyPair();
  const ws = await aWorkspace(t.db);
  await accept(t.db, ws, await aRawSend(['ada@example.com'], RAW_MIMES['signed']));
  const provider = new RecordingProvider();
  await deliver(aNewWorker(provider, loadDkimKey('posthorn.test', 'ph1', pair.privateKey)), 1);
  const text = provider.calls[0]?.message.mime.toString('latin1') ?? '';
  for (const changed of [text.replace('trailing', 'Trailing'), text.replace('Subject:', 'Subject: Re:')]) {
    const { results } = await dkimVerify(Buffer.from(changed, 'latin1'), {
      resolver: async () => [[`v=DKIM1; k=rsa; p=${pair.publicKey}`]],
    });
    const ours = results.find(({ signingDomain }) => signingDomain === 'posthorn.test');
    // The one says that the body is another, the other that the fields are.
    assert.ok(['neutral', 'fail'].includes(ours?.status.result ?? 'not signed'), ours?.status.result);
  }
});

test('an attempt after a restart sends the stored bytes again', async () => {
  const ws = await aWorkspace(t.db);
  const mime = RAW_MIMES['a megabyte'] ?? Buffer.alloc(0);
  await accept(t.db, ws, await aRawSend(['ada@example.com'], mime));
  const provider = new RecordingProvider();
  provider.answer = () => ({ kind: 'temporary', response: '451 later', code: 451, throttled: false });
  await deliver(aNewWorker(provider), 1);
  await sql`update emails set status = 'queued', not_before = null where workspace_id = ${ws}`.execute(t.db);
  provider.answer = () => ({ kind: 'accepted', providerMessageId: null, response: '250 ok' });
  await deliver(aNewWorker(provider), 1);
  assert.deepEqual(
    provider.calls.map(({ message }) => message.mime.equals(mime)),
    [true, true],
  );
});

test('raw and composed sends share a statement and a page, and each leaves as its own', async () => {
  const ws = await aWorkspace(t.db);
  const file = { filename: 'a.bin', contentType: 'application/x-b', cid: null, disposition: 'attachment' } as const;
  const bodies = ['first file', 'second file'].map((text) => Buffer.from(text));
  const attachments = bodies.map((body) => ({ ...file, body }));
  const [one, two] = [rawMime('one\r\n'), rawMime('two\r\n')];
  await acceptSends({ db: t.db, workspaceId: ws }, [
    await aRawSend(['one@example.com'], one),
    aSend(['files@example.com'], { content: aContent({ attachments }) }),
    await aRawSend(['two@example.com'], two),
    aSend(['plain@example.com']),
  ]);
  const provider = new RecordingProvider();
  await deliver(aNewWorker(provider), 4);
  const mimeTo = (to: string): string =>
    provider.calls.find(({ message }) => message.envelope.to[0] === to)?.message.mime.toString('latin1') ?? '';
  assert.equal(mimeTo('one@example.com'), one.toString('latin1'));
  assert.equal(mimeTo('two@example.com'), two.toString('latin1'));
  for (const body of bodies) assert.ok(mimeTo('files@example.com').includes(body.toString('base64')));
  assert.match(mimeTo('plain@example.com'), /^Date: [^]*Thank you/);
});

test('a large raw message counts in the budget of bytes, and is not read with its page', async () => {
  const ws = await aWorkspace(t.db);
  const [small, large] = [RAW_MIMES['ascii'] ?? Buffer.alloc(0), RAW_MIMES['a megabyte'] ?? Buffer.alloc(0)];
  for (const mime of [small, large]) await accept(t.db, ws, await aRawSend(['ada@example.com'], mime));
  const { rows } = await sql<{ workspaceId: string; contentId: string }>`
    select workspace_id as "workspaceId", id as "contentId" from contents where workspace_id = ${ws}`.execute(t.db);
  const loaded = await loadContents(t.db, rows, 256 * 1024);
  assert.deepEqual(loaded.map(({ bytes, isLarge, mime }) => [bytes, isLarge, mime?.length]).sort(), [
    [large.length, true, undefined],
    [small.length, false, small.length],
  ]);
});

test('bytes that a server could read in two ways never leave, whoever stored them', async () => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, await aRawSend(['ada@example.com']));
  await sql`update contents set mime = convert_to(convert_from(mime, 'latin1') || E'.\n', 'latin1') where workspace_id = ${ws}`.execute(
    t.db,
  );
  const provider = new RecordingProvider();
  await deliver(aNewWorker(provider), 1);
  const state = await stateOf(t.db, ws, receipt.emails[0]?.id ?? '');
  assert.equal(state.status, 'failed');
  assert.match(state.error ?? '', /bare LF/);
  assert.equal(provider.calls.length, 0);
});

test('erasing a person leaves no byte of a message that names them, once nobody waits for it', async () => {
  const ws = await aWorkspace(t.db);
  const subscriberId = '0197f3e0-0000-7000-8000-00000000000a';
  const { emails } = await accept(
    t.db,
    ws,
    await aRawSend(['canary@example.com', 'bob@example.com'], rawMime('canary@example.com\r\n'), {
      origin: { subscriberId },
    }),
  );
  const [canary = '', bob = ''] = emails.map(({ id }) => id);
  await sql`update emails set subscriber_id = null where workspace_id = ${ws} and id = ${bob}`.execute(t.db);
  const settle = (id: string) =>
    sql`update emails set status = 'sent' where workspace_id = ${ws} and id = ${id}`.execute(t.db);
  await settle(canary);
  const toErase = () => listEmailsToErase(t.db, ws, [subscriberId], 10);
  assert.deepEqual(await toErase(), [], 'bob waits for the same bytes');
  await settle(bob);
  assert.deepEqual(await toErase(), [canary]);
  await eraseEmails(t.db, ws, [canary]);
  const { rows } = await sql`
    select c.* from contents c where c.workspace_id = ${ws}
       and position('63616e617279' in c::text) + position('canary' in c::text) > 0`.execute(t.db);
  assert.deepEqual(rows, []);
});

test('an erased message is not sent again', async () => {
  const ws = await aWorkspace(t.db);
  const { emails } = await accept(t.db, ws, await aRawSend(['ada@example.com']));
  const id = emails[0]?.id ?? '';
  await eraseEmails(t.db, ws, [id]);
  const provider = new RecordingProvider();
  await deliver(aNewWorker(provider), 1);
  assert.equal(provider.calls.length, 0);
  assert.match((await stateOf(t.db, ws, id)).error ?? '', /was erased/);
});
