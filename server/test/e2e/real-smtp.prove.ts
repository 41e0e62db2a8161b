/**
 * The whole of Posthorn in front of a real Postfix: what is accepted at /v1/send is what lies in the mailbox, its DKIM
 * signature holds for verifiers of others, and what Postfix refuses is told as it is.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { sql } from 'kysely';
import PostalMime, { type Email } from 'postal-mime';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Delivery, type Postfix, postfixMissing, startPostfix } from '../harness/postfix.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';
import { until } from '../harness/until.ts';
import { needsTool } from '../system-tools.ts';
import { startGreylist } from './real-smtp/greylist.ts';
import { verifiesWithMailauth, verifyWithDkimpy } from './real-smtp/verify-dkim.ts';

const FROM = 'Acme <hello@posthorn.test>';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('Postfix is there', (t) => void needsTool(t, 'postfix'));

suite('through a real Postfix', { skip: postfixMissing }, () => {
  let postfix: Postfix;
  let greylist: Awaited<ReturnType<typeof startGreylist>>;
  let database: TestDatabase;
  let posthorn: PosthornProcess;

  before(async () => {
    greylist = await startGreylist();
    postfix = await startPostfix({ policyPort: greylist.port });
    database = await createTestDatabase();
    posthorn = await startProcess({
      databaseUrl: database.url,
      env: {
        POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${postfix.port}?tls=none`,
        POSTHORN_SEND_RATE: '500',
        POSTHORN_PROVIDER_CEILING: '1000',
      },
    });
  });
  after(async () => {
    await posthorn?.stop();
    await postfix?.stop();
    await greylist?.stop();
    await database?.close();
  });

  /** A test reads fields of many shapes. */
  async function send(body: object): Promise<any> {
    const answer = await posthorn.fetch('/v1/send', { body: { from: FROM, ...body } });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    return answer.body;
  }

  const settled = (id: string, status: string): Promise<any> =>
    until(`email ${id} as ${status}`, async () => {
      const { body } = (await posthorn.fetch(`/v1/emails/${id}`)) as { body: any };
      return body.status === status ? body : undefined;
    });

  /** The deliveries with this subject, with the line ends of the wire, once there are so many. */
  const delivered = (subject: string, count: number): Promise<(Delivery & { mail: Email })[]> =>
    until(`${count} deliveries of ${subject}`, async () => {
      const all = await Promise.all(
        (await postfix.deliveries()).map(async ({ message, ...rest }) => {
          const wire = Buffer.from(message.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
          return { ...rest, message: wire, mail: await PostalMime.parse(wire, { attachmentEncoding: 'arraybuffer' }) };
        }),
      );
      const found = all.filter(({ mail }) => mail.subject === subject);
      return found.length >= count ? found : undefined;
    });

  const bytesOf = (mail: Email): [string | null, Buffer][] =>
    mail.attachments.map(({ filename, content }) => [filename, Buffer.from(content as ArrayBuffer)]);
  const lines = (text: string | undefined): string | undefined => text?.replaceAll('\r\n', '\n').replace(/\n$/, '');

  test('private copies: each recipient gets one message, addressed to them alone', async () => {
    const subject = 'Private copies';
    const to = ['Ada Lovelace <ada@example.net>', 'bob@example.net', 'ADA@example.net'];
    const sent = await send({ to, subject, html: '<p>Hello <b>you</b></p>', replyTo: 'support@posthorn.test' });
    assert.equal(sent.accepted, 2, 'one address written in two ways is one recipient');
    for (const { id } of sent.emails) await settled(id, 'sent');
    const copies = await delivered(subject, 2);
    assert.equal(copies.length, 2);
    assert.deepEqual(copies.map(({ to: address }) => address).sort(), ['ada@example.net', 'bob@example.net']);
    for (const { to: address, mail, from, message } of copies) {
      assert.deepEqual(
        mail.to?.map((one) => one.address),
        [address],
      );
      assert.equal(mail.from?.address, 'hello@posthorn.test');
      assert.equal(mail.from?.name, 'Acme');
      assert.ok(from.endsWith('posthorn.test'), from);
      assert.equal(mail.replyTo?.[0]?.address, 'support@posthorn.test');
      assert.equal(lines(mail.html), '<p>Hello <b>you</b></p>');
      assert.equal(lines(mail.text), 'Hello you');
      const email = await settled(sent.emails.find((one: any) => one.to === address).id, 'sent');
      assert.equal(mail.messageId, email.message_id);
      assert.ok(email.provider_message_id, 'the queue id of Postfix is kept');
      assert.equal(message.toString('latin1').includes(address === 'ada@example.net' ? 'bob@' : 'ada@'), false);
    }
  });

  test('one message to all with cc and bcc: everybody gets it, and Bcc is nowhere in the bytes', async () => {
    const subject = 'Grouped';
    const body = {
      to: ['Ada <ada@example.net>', 'bob@example.net'],
      cc: ['Carol <carol@example.net>'],
      bcc: ['blind@example.net', 'Secret Person <secret@example.net>'],
      subject,
      text: 'To all of you',
    };
    const sent = await send(body);
    await settled(sent.emails[0].id, 'sent');
    const copies = await delivered(subject, 5);
    assert.deepEqual(
      copies.map(({ to }) => to).sort(),
      ['ada', 'blind', 'bob', 'carol', 'secret'].map((name) => `${name}@example.net`),
    );
    for (const { mail, message } of copies) {
      assert.deepEqual(
        mail.to?.map((one) => one.address),
        ['ada@example.net', 'bob@example.net'],
      );
      assert.deepEqual(
        mail.cc?.map((one) => one.address),
        ['carol@example.net'],
      );
      const text = message.toString('latin1').replace(/^Received:(.*\r\n[ \t])*.*\r\n/gm, '');
      assert.doesNotMatch(text, /blind|secret|bcc/i);
    }
  });

  const hardTexts: [string, string][] = [
    ['dots', '.\n..\n.hidden\n\n.\nQUIT\nlast.'],
    ['long lines', `${'x'.repeat(5_000)}\n${'wörter und '.repeat(300)}end`],
    ['unicode', 'Grüße aus Köln, 你好, שלום, 👩‍👩‍👧, e\u0301, \u{10ffff}-free'],
    ['spaces', 'trailing  \n\ttab\t\n  leading\n=3D=20 =\nFrom the start'],
  ];
  for (const [what, text] of hardTexts) {
    test(`text arrives as it was written: ${what}`, async () => {
      const subject = `Text with ${what}, ünïcödé 🎺 ${'and a long subject '.repeat(8)}`.trim();
      const html = `<pre>${text}</pre>`;
      const sent = await send({ to: 'ada@example.net', subject, text, html });
      await settled(sent.emails[0].id, 'sent');
      const [copy] = await delivered(subject, 1);
      assert.equal(lines(copy?.mail.text), text);
      assert.equal(lines(copy?.mail.html), html);
      const longest = Math.max(...(copy?.message.toString('latin1').split('\r\n') ?? []).map((line) => line.length));
      assert.ok(longest <= 998, `a line of ${longest} bytes`);
    });
  }

  test('files, an inline image and a megabyte of html arrive byte for byte', async () => {
    const subject = 'Large';
    const html = `<p>${'<i>Zeile</i> für Zeile &amp; mehr\n'.repeat(32_000)}</p><img src="cid:logo">`;
    assert.ok(Buffer.byteLength(html) > 1_000_000);
    const files: [string, Buffer][] = [
      ['bytes.bin', randomBytes(100_000)],
      ['Rechnung für Köln.pdf', Buffer.from('%PDF-1.4\r\nnot really')],
      ['one byte.txt', Buffer.from([0])],
    ];
    const sent = await send({
      to: 'ada@example.net',
      subject,
      html,
      text: 'Short',
      headers: { 'X-Entity-Ref-ID': '42' },
      attachments: [
        ...files.map(([filename, content]) => ({ filename, content: content.toString('base64') })),
        { filename: 'logo.png', content: PIXEL.toString('base64'), contentType: 'image/png', contentId: 'logo' },
      ],
    });
    await settled(sent.emails[0].id, 'sent');
    const [copy] = await delivered(subject, 1);
    assert.ok(copy !== undefined);
    assert.equal(lines(copy.mail.html), html);
    assert.equal(copy.mail.headers.find(({ key }) => key === 'x-entity-ref-id')?.value, '42');
    const arrived = new Map(bytesOf(copy.mail));
    for (const [filename, content] of files) assert.deepEqual(arrived.get(filename), content, filename);
    const logo = copy.mail.attachments.find(({ filename }) => filename === 'logo.png');
    assert.equal(logo?.contentId, '<logo>');
    assert.equal(logo?.disposition, 'inline');
    assert.equal(logo?.mimeType, 'image/png');
    assert.deepEqual(arrived.get('logo.png'), PIXEL);
  });

  test('the DKIM signature of every delivered message holds for mailauth and dkimpy, and not for a changed one', async (t) => {
    const { rows } = await sql<{ selector: string; key: string }>`
      select dkim_selector as selector, dkim_public_key as key from domains
       where domain = 'posthorn.test' and workspace_id in (select id from workspaces where is_home)`.execute(
      database.db,
    );
    const name = `${rows[0]?.selector}._domainkey.posthorn.test`;
    const record = `v=DKIM1; k=rsa; p=${rows[0]?.key}`;
    await delivered('Large', 1);
    const wire = (await postfix.delivered()).map((message) =>
      Buffer.from(message.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
    );
    assert.ok(wire.length >= 10, `${wire.length} messages`);
    for (const mime of wire) assert.ok(await verifiesWithMailauth(mime, name, record));
    const changed = Buffer.from(wire[0]?.toString('latin1').replace(/^Subject: /m, 'Subject: Not ') ?? '', 'latin1');
    assert.equal(await verifiesWithMailauth(changed, name, record), false);
    t.diagnostic(`${wire.length} delivered messages verify`);
    if (!needsTool(t, 'dkim')) return;
    assert.deepEqual(verifyWithDkimpy([...wire, changed], name, record), [...wire.map(() => true), false]);
  });

  test('a recipient whom Postfix does not know: failed, with its words and a reject event, and nothing delivered', async () => {
    const subject = 'Refused';
    const sent = await send({ to: ['nobody@example.net', 'ada@example.net'], subject, text: 'Hello' });
    const refused = await settled(sent.emails[0].id, 'failed');
    assert.match(refused.error, /554 5\.7\.1 .*nobody@example\.net.*rejected/);
    assert.deepEqual(
      refused.events.map((event: any) => event.type),
      ['send', 'reject'],
    );
    await settled(sent.emails[1].id, 'sent');
    assert.deepEqual(
      (await delivered(subject, 1)).map(({ to }) => to),
      ['ada@example.net'],
    );
    const { body: job } = (await posthorn.fetch(`/v1/send/${sent.jobId}`)) as { body: any };
    assert.equal(job.status, 'completed_with_errors');
    const { body: explained } = (await posthorn.fetch(`/v1/emails/${sent.emails[0].id}/explain`)) as { body: any };
    assert.match(JSON.stringify(explained), /554 5\.7\.1/);
  });

  test('one refused recipient of a message to several is told, and the others get it', async () => {
    const subject = 'Partly refused';
    const body = { to: ['ada@example.net'], cc: ['nobody@example.net'], subject, text: 'Hello' };
    const sent = await send(body);
    const email = await settled(sent.emails[0].id, 'sent');
    const rejects = email.events.filter((event: any) => event.type === 'reject');
    assert.deepEqual(
      rejects.map((event: any) => event.recipient),
      ['nobody@example.net'],
    );
    assert.deepEqual(
      (await delivered(subject, 1)).map(({ to }) => to),
      ['ada@example.net'],
    );
  });

  test('a greylisted recipient waits as queued, is tried again and gets the message once', async () => {
    const subject = 'Greylisted';
    const sent = await send({ to: 'slow@example.net', subject, text: 'Hello' });
    const { id } = sent.emails[0];
    await until('the first refusal', async () => (greylist.asked.includes('slow@example.net') ? true : undefined));
    const waiting = await settled(id, 'queued');
    assert.equal(waiting.sent_at, null);
    assert.deepEqual(
      (await postfix.deliveries()).filter(({ to }) => to === 'slow@example.net'),
      [],
    );
    const startedMs = performance.now();
    await settled(id, 'sent');
    assert.ok(performance.now() - startedMs < 15_000, 'after the first backoff of about 5 s');
    assert.equal((await delivered(subject, 1)).length, 1);
    assert.equal(greylist.asked.filter((address) => address === 'slow@example.net').length, 2);
    const { body: explained } = (await posthorn.fetch(`/v1/emails/${id}/explain`)) as { body: any };
    assert.match(JSON.stringify(explained), /Greylisted/);
  });
});
