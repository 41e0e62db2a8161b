import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { createDkimKeyPair, type DkimKey, loadDkimKey } from '#mail/dkim.ts';
import { readClickToken, readOpenToken } from '#mail/tracking/token.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { AcceptedSend, ComposedContent } from '../accept/accepted-send.ts';
import { createContentStore } from './content-store.ts';
import { accept, aContent, aSend, aWorker, aWorkspace, deliver, RecordingProvider } from '../test-kit.ts';

const key = Buffer.alloc(32, 3);
const tracking = { baseUrl: 'https://links.test', ownUrls: [], key };
const html = '<body><p>Hi</p><a href="https://example.com/a?x=1&amp;y=2">go</a></body>';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

interface Delivered {
  emailId: string;
  to: string[];
  html: string;
  text: string;
  mime: Buffer;
}

async function deliveredOf(
  content: Partial<ComposedContent>,
  send: Partial<AcceptedSend> = {},
  loadDkimKey: () => Promise<DkimKey | null> = async () => null,
): Promise<Delivered[]> {
  const ws = await aWorkspace(t.db);
  const provider = new RecordingProvider();
  const worker = aWorker(t.db, provider, { contents: createContentStore({ db: t.db, tracking }), loadDkimKey });
  const to = ['ada@example.com', 'bob@example.com'];
  const receipt = await accept(
    t.db,
    ws,
    aSend(send.grouped ? [] : to, { content: aContent({ html, ...content }), ...send }),
  );
  await deliver(worker, receipt.total);
  return Promise.all(
    provider.calls.map(async ({ message }) => {
      const parsed = await PostalMime.parse(message.mime);
      return {
        emailId: message.emailId,
        to: message.envelope.to,
        html: (parsed.html ?? '').trimEnd(),
        text: (parsed.text ?? '').trimEnd(),
        mime: message.mime,
      };
    }),
  );
}

const openedEmail = ({ html: shown }: Delivered): string | undefined =>
  readOpenToken(/\/t\/o\/([^.]+)\.gif/.exec(shown)?.[1] ?? '', key)?.emailId;
const clicked = ({ html: shown }: Delivered) => readClickToken(/\/t\/c\/([\w-]+)/.exec(shown)?.[1] ?? '', key);

test('every recipient gets links and a pixel of their own, and the rest of the html as it was given', async () => {
  const mails = await deliveredOf({ trackOpens: true, trackClicks: true });
  assert.equal(mails.length, 2);
  for (const mail of mails) {
    assert.equal(openedEmail(mail), mail.emailId);
    assert.partialDeepStrictEqual(clicked(mail), { emailId: mail.emailId, target: 'https://example.com/a?x=1&y=2' });
    const undone = mail.html
      .replace(/<img [^>]*>/, '')
      .replace(/https:\/\/links\.test\/t\/c\/[^"]+/, 'https://example.com/a?x=1&amp;y=2');
    assert.equal(undone, html);
  }
  assert.notEqual(mails[0]?.html, mails[1]?.html);
});

test('opens without clicks leaves links alone, clicks without opens brings no pixel', async () => {
  const [opens] = await deliveredOf({ trackOpens: true });
  assert.match(opens?.html ?? '', /<a href="https:\/\/example\.com\/a\?x=1&amp;y=2">go<\/a><img /);
  const [clicks] = await deliveredOf({ trackClicks: true });
  assert.doesNotMatch(clicks?.html ?? '', /<img/);
  assert.match(clicks?.html ?? '', /href="https:\/\/links\.test\/t\/c\//);
});

test('off means untouched', async () => {
  for (const mail of await deliveredOf({})) assert.equal(mail.html, html);
});

test('the text half keeps its links, given or made from the html; a text-only mail has no tracking', async () => {
  const on = { trackOpens: true, trackClicks: true };
  const [made] = await deliveredOf({ ...on, text: null });
  assert.equal(made?.text, 'Hi\n\ngo <https://example.com/a?x=1&y=2>');
  const [given] = await deliveredOf({ ...on, text: 'See https://example.com/a' });
  assert.equal(given?.text, 'See https://example.com/a');
  const [only] = await deliveredOf({ ...on, html: null, text: 'See https://example.com/a' });
  assert.equal(only?.text, 'See https://example.com/a');
  assert.equal(only?.html, '');
});

test('a grouped message has one token for everybody in it', async () => {
  const grouped = { to: [parseMailbox('ada@example.com')], cc: [parseMailbox('bob@example.com')], bcc: [] };
  const mails = await deliveredOf({ trackOpens: true, trackClicks: true }, { grouped });
  assert.equal(mails.length, 1);
  assert.deepEqual(mails[0]?.to, ['ada@example.com', 'bob@example.com']);
  assert.ok(mails[0] && openedEmail(mails[0]) === mails[0].emailId);
});

test('mail of the system is never tracked, whatever was set', async () => {
  const on = { trackOpens: true, trackClicks: true };
  for (const mail of await deliveredOf(on, { lane: 'system', source: 'system' })) assert.equal(mail.html, html);
});

test('a sandbox send is tracked as well', async () => {
  const [mail] = await deliveredOf({ trackOpens: true }, { sandbox: true });
  assert.ok(mail && openedEmail(mail) === mail.emailId);
});

test('each tracked message is signed over its own body, with files and inline pictures', async () => {
  const pair = await createDkimKeyPair();
  const dkim = loadDkimKey('acme.test', 'ph1', pair.privateKey);
  const png = { contentType: 'image/png', body: Buffer.alloc(3_000, 7) };
  const attachments = [
    { ...png, filename: 'logo.png', cid: 'logo', disposition: 'inline' as const },
    { ...png, filename: 'photo.png', cid: null, disposition: 'attachment' as const },
  ];
  const mails = await deliveredOf({ trackOpens: true, trackClicks: true, attachments }, {}, async () => dkim);
  assert.equal(mails.length, 2);
  for (const mail of mails) {
    const { results } = await dkimVerify(mail.mime, {
      resolver: async () => [[`v=DKIM1; k=rsa; p=${pair.publicKey}`]],
    });
    assert.equal(results[0]?.status.result, 'pass');
    assert.equal(openedEmail(mail), mail.emailId);
    const { attachments: files } = await PostalMime.parse(mail.mime);
    assert.deepEqual(
      files.map(({ filename, content }) => [filename, content instanceof ArrayBuffer && content.byteLength]),
      [
        ['logo.png', 3_000],
        ['photo.png', 3_000],
      ],
    );
  }
});

test('html that is mostly not ASCII is tracked in base64 too', async () => {
  const [mail] = await deliveredOf({
    html: `<p>${'日本語'.repeat(500)}</p><a href=https://例え.example/日>x</a>`,
    trackClicks: true,
  });
  assert.equal(mail && clicked(mail)?.target, 'https://例え.example/日');
  assert.match(mail?.mime.toString('latin1') ?? '', /text\/html; charset=utf-8\r\nContent-Transfer-Encoding: base64/);
});
