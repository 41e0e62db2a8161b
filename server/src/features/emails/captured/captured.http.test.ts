import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import type { Ctx } from '#platform/http/context.ts';
import { framePathOf } from './frame-link.ts';
import { createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

const MIME = [
  'From: Acme <hello@posthorn.test>',
  'To: ada@example.com',
  'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Message-ID: <1@posthorn.test>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary="c"',
  '',
  '--c',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Hi',
  '--c',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Hi</p>',
  '--c--',
  '--b',
  'Content-Type: application/pdf; name="r.pdf"',
  'Content-Disposition: attachment; filename="r.pdf"',
  'Content-ID: <logo>',
  'Content-Transfer-Encoding: base64',
  '',
  'AAEC',
  '--b--',
  '',
].join('\r\n');

async function aCapture(
  given: { workspaceId?: string; to?: string[]; subject?: string; system?: boolean } = {},
): Promise<string> {
  const id = newId();
  await sql`insert into captured_emails (workspace_id, id, email_id, message_id, envelope_from, envelope_to, subject, mime,
      size, is_system)
    values (${given.workspaceId ?? api.workspaceId}, ${id}, ${newId()}, '<1@posthorn.test>', 'hello@posthorn.test',
      ${given.to ?? ['ada@example.com']}::text[], ${given.subject ?? 'Grüße'}, ${Buffer.from(MIME)}, ${MIME.length},
      ${given.system ?? false})`.execute(api.t.db);
  return id;
}

const get = (url: string, token?: string) =>
  api.call({ method: 'GET', url, ...(token === undefined ? {} : { token }) });
const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map((one) => one.id);

test('200 with the message taken apart as a mail client would', async () => {
  const id = await aCapture({ to: ['ada@example.com', 'blind@example.com'] });
  const { status, body } = await get(`/v1/captured-emails/${id}`);
  assert.equal(status, 200);
  const { email_id, captured_at, headers, html_path, ...rest } = body;
  assert.match(html_path, new RegExp(`^/v1/captured-emails/${id}/html\\?token=`));
  assert.ok(email_id && captured_at);
  assert.deepEqual(headers.slice(0, 3), [
    { name: 'From', value: 'Acme <hello@posthorn.test>' },
    { name: 'To', value: 'ada@example.com' },
    { name: 'Subject', value: headers[2].value },
  ]);
  assert.deepEqual(
    { ...rest, text: rest.text.trim(), html: rest.html.trim() },
    {
      id,
      message_id: '<1@posthorn.test>',
      from: 'hello@posthorn.test',
      to: ['ada@example.com', 'blind@example.com'],
      subject: 'Grüße',
      size: MIME.length,
      attachment_count: 1,
      links: [],
      html: '<p>Hi</p>',
      text: 'Hi',
      attachments: [
        {
          id: '1',
          filename: 'r.pdf',
          content_type: 'application/pdf',
          content_id: 'logo',
          disposition: 'attachment',
          size: 3,
        },
      ],
    },
  );
});

test('200, whole and raw, for a message whose file is kept once for many', async () => {
  const id = await aCapture();
  const at = MIME.indexOf('AAEC');
  await sql`insert into captured_chunks (workspace_id, hash, bytes)
    values (${api.workspaceId}, ${Buffer.from('hash')}, ${Buffer.from('AAEC')})`.execute(api.t.db);
  await sql`insert into captured_parts (workspace_id, captured_id, position, own_bytes, hash)
    values (${api.workspaceId}, ${id}, 0, ${at}, ${Buffer.from('hash')})`.execute(api.t.db);
  await sql`update captured_emails set mime = ${Buffer.from(MIME.replace('AAEC', ''))}
    where workspace_id = ${api.workspaceId} and id = ${id}`.execute(api.t.db);
  assert.equal((await get(`/v1/captured-emails/${id}`)).body.attachments[0].size, 3);
  assert.ok((await get(`/v1/captured-emails/${id}/raw`)).raw.equals(Buffer.from(MIME)));
});

test('200 raw: the bytes as they were handed over, as message/rfc822', async () => {
  const id = await aCapture();
  const { status, headers, raw } = await get(`/v1/captured-emails/${id}/raw`);
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^message\/rfc822/);
  assert.ok(raw.equals(Buffer.from(MIME)));
});

test('200 lists newest first, with filters and pages', async () => {
  const workspaceId = await aWorkspace(api.t.db);
  const token = await api.caller({ workspaceId });
  const one = await aCapture({ workspaceId, subject: '100% yours' });
  const two = await aCapture({ workspaceId, to: ['Bob@Example.com', 'ada@xn--bcher-kva.example'] });
  assert.deepEqual(idsOf(await get('/v1/captured-emails', token)), [two, one]);
  for (const address of ['bob@example.com', 'BOB@Example.com'])
    assert.deepEqual(idsOf(await get(`/v1/captured-emails?to=${address}`, token)), [two]);
  for (const bad of ['bob', '@example.com', 'bob@', 'Bob <bob@example.com>', '%20']) {
    const { status, body } = await get(`/v1/captured-emails?to=${bad}`, token);
    assert.deepEqual([status, body.param], [400, 'to'], bad);
  }
  assert.deepEqual(idsOf(await get('/v1/captured-emails?search=100%25%20Y', token)), [one]);
  assert.deepEqual(idsOf(await get('/v1/captured-emails?search=BOB', token)), [two]);
  assert.deepEqual(idsOf(await get('/v1/captured-emails?search=HELLO@', token)), [two, one], 'the sender');
  const inOtherLetters = encodeURIComponent('ada@bücher.example');
  assert.deepEqual(idsOf(await get(`/v1/captured-emails?search=${inOtherLetters}`, token)), [two]);
  assert.deepEqual(idsOf(await get('/v1/captured-emails?search=_', token)), []);
  const { email_id } = (await get(`/v1/captured-emails/${one}`, token)).body;
  assert.deepEqual(idsOf(await get(`/v1/captured-emails?email_id=${email_id}`, token)), [one]);
  assert.deepEqual(idsOf(await get(`/v1/captured-emails?email_id=${email_id}&to=bob@example.com`, token)), []);
  const page = await get('/v1/captured-emails?limit=1', token);
  assert.deepEqual(
    { ids: idsOf(page), total: page.body.total, more: page.body.has_more },
    { ids: [two], total: 2, more: true },
  );
  assert.deepEqual(idsOf(await get(`/v1/captured-emails?limit=1&cursor=${page.body.next_cursor}`, token)), [one]);
});

test('200 with a file as a download that no browser shows', async () => {
  const id = await aCapture();
  const { status, headers, raw } = await get(`/v1/captured-emails/${id}/attachments/1`);
  assert.equal(status, 200);
  assert.deepEqual(raw, Buffer.from([0, 1, 2]));
  assert.equal(headers['content-type'], 'application/octet-stream');
  assert.equal(headers['content-disposition'], "attachment; filename*=UTF-8''r.pdf");
  assert.equal(headers['x-content-type-options'], 'nosniff');
  for (const bad of ['0', '2', '-1', '01', 'x', '1e0', '99999']) {
    assert.equal((await get(`/v1/captured-emails/${id}/attachments/${bad}`)).status, 404, bad);
  }
});

const HTML = [
  'From: hello@posthorn.test',
  'Content-Type: multipart/related; boundary="b"',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<!DOCTYPE html><html><head><title>x</title></head><body><script>alert(1)</script>',
  '<img src="cid:logo"><img src="https://tracker.example/1.gif"><img src="cid:page">',
  '<a href="https://example.com/a?b=1&amp;c=2">A</a> <a data-posthorn-no-track href="mailto:x@y.example">B</a></body></html>',
  '--b',
  'Content-Type: image/png',
  'Content-ID: <logo>',
  'Content-Disposition: inline',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--b',
  'Content-Type: text/html',
  'Content-ID: <page>',
  'Content-Disposition: inline',
  '',
  '<script>alert(2)</script>',
  '--b--',
  '',
].join('\r\n');

test('200 with the html for a frame: by the link alone, without scripts, network and origin, for an hour', async () => {
  const id = await aCapture();
  await sql`update captured_emails set mime = ${Buffer.from(HTML)}
    where workspace_id = ${api.workspaceId} and id = ${id}`.execute(api.t.db);
  const { body } = await get(`/v1/captured-emails/${id}`);
  assert.deepEqual(
    [body.links, body.attachment_count],
    [
      [
        { url: 'https://example.com/a?b=1&c=2', tracked: false },
        { url: 'mailto:x@y.example', tracked: false },
      ],
      0,
    ],
  );
  const shown = await api.app.inject({ url: body.html_path });
  assert.equal(shown.statusCode, 200);
  assert.equal(shown.headers['content-type'], 'text/html; charset=utf-8');
  const policy = String(shown.headers['content-security-policy']);
  assert.match(policy, /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; /);
  assert.match(policy, /img-src data:; frame-ancestors 'self' /);
  assert.match(shown.body, /<head><base target="_blank">/);
  assert.match(shown.body, /<img src="data:image\/png;base64,iVBORw0KGgo=">/);
  assert.match(shown.body, /<img src="cid:page">/, 'a file that is no picture stays out');
  assert.equal(shown.headers['set-cookie'], undefined);
  const loose = await api.app.inject({ url: `${body.html_path}&images=true` });
  assert.match(String(loose.headers['content-security-policy']), /img-src data: https: http:; /);
  const other = await aCapture();
  const token = /token=(.*)$/.exec(body.html_path)?.[1] ?? '';
  for (const url of [
    `/v1/captured-emails/${other}/html?token=${token}`,
    `/v1/captured-emails/${id}/html?token=${token.slice(0, -2)}AA`,
    `/v1/captured-emails/${id}/html?token=x`,
  ]) {
    assert.equal((await api.app.inject({ url })).statusCode, 404, url);
  }
  const past = { ...api, secrets: createSecrets('a master secret for tests, 32 bytes or more') };
  const clock = { now: () => new Date(Date.now() - 3_700_000) };
  const late = framePathOf({ secrets: past.secrets, clock: clock as Ctx['clock'], workspaceId: api.workspaceId }, id);
  assert.equal((await api.app.inject({ url: late })).statusCode, 404);
});

test('409 to simulate for an email that is no longer kept, 404 and 403 as for reading it', async () => {
  const id = await aCapture();
  const simulate = (of: string, body: object, token?: string) =>
    api.call({
      method: 'POST',
      url: `/v1/captured-emails/${of}/simulate`,
      body,
      ...(token === undefined ? {} : { token }),
    });
  assert.equal((await simulate(id, { outcome: 'bounce' })).status, 409);
  for (const [body, param] of [
    [{}, 'outcome'],
    [{ outcome: 'explode' }, 'outcome'],
    [{ outcome: 'bounce', recipient: 5 }, 'recipient'],
  ] as const) {
    const refused = await simulate(id, body);
    assert.deepEqual([refused.status, refused.body.param], [400, param]);
  }
  const foreign = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  assert.equal((await simulate(id, { outcome: 'bounce' }, foreign)).status, 404);
  assert.equal((await simulate(id, { outcome: 'bounce' }, await api.caller({ scopes: ['emails:read'] }))).status, 403);
});

test('the first 100 characters of a search are looked for in the first 300 of a text, and in each recipient', async () => {
  const workspaceId = await aWorkspace(api.t.db);
  const token = await api.caller({ workspaceId });
  const id = await aCapture({
    workspaceId,
    subject: `Long ${'%'.repeat(300)} end`,
    to: ['last@example.com', 'cy@example.com'],
  });
  const found = async (search: string): Promise<unknown> =>
    idsOf(await get(`/v1/captured-emails?search=${encodeURIComponent(search)}`, token));
  assert.deepEqual(await found(`g ${'%'.repeat(150)} of another end`), [id]);
  assert.deepEqual(await found(`g ${'%'.repeat(50)} of another end`), []);
  assert.deepEqual(await found('% end'), [], 'behind the first 300');
  assert.deepEqual(await found('CY@'), [id]);
});

test('400 for a bad page or search', async () => {
  for (const [query, param] of [
    ['page=0', 'page'],
    ['search=%00', 'search'],
    ['to=', 'to'],
    ['email_id=x', 'email_id'],
    ['search=a&search=b', 'search'],
  ]) {
    const { status, body } = await get(`/v1/captured-emails?${query}`);
    assert.deepEqual({ status, param: body.param }, { status: 400, param }, query);
  }
});

test("404 for nonsense, another workspace's, and mail of the system; 403 without the scope", async () => {
  const id = await aCapture();
  const system = await aCapture({ system: true });
  const foreign = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  const reader = await api.caller({ scopes: ['emails:read'] });
  const nobody = await api.caller({ scopes: ['emails:send'] });
  for (const path of ['', '/raw']) {
    for (const bad of ['x', newId(), '%00']) assert.equal((await get(`/v1/captured-emails/${bad}${path}`)).status, 404);
    assert.equal((await get(`/v1/captured-emails/${id}${path}`, foreign)).status, 404);
    assert.equal((await get(`/v1/captured-emails/${system}${path}`, reader)).status, 404);
    assert.equal((await get(`/v1/captured-emails/${system}${path}`)).status, 200);
    assert.equal((await get(`/v1/captured-emails/${id}${path}`, nobody)).status, 403);
  }
  assert.equal((await get('/v1/captured-emails', nobody)).status, 403);
  assert.ok(!idsOf(await get('/v1/captured-emails', reader)).includes(system));
  assert.ok(idsOf(await get('/v1/captured-emails')).includes(system));
});
