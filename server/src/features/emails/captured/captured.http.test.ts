import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
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
  const { email_id, captured_at, headers, ...rest } = body;
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
      html: '<p>Hi</p>',
      text: 'Hi',
      attachments: [
        { filename: 'r.pdf', content_type: 'application/pdf', content_id: 'logo', disposition: 'attachment', size: 3 },
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
  const two = await aCapture({ workspaceId, to: ['Bob@Example.com'] });
  assert.deepEqual(idsOf(await get('/v1/captured-emails', token)), [two, one]);
  assert.deepEqual(idsOf(await get('/v1/captured-emails?to=bob@example.com', token)), [two]);
  assert.deepEqual(idsOf(await get('/v1/captured-emails?search=100%25%20Y', token)), [one]);
  assert.deepEqual(idsOf(await get('/v1/captured-emails?search=BOB', token)), [two]);
  assert.deepEqual(idsOf(await get('/v1/captured-emails?search=_', token)), []);
  const page = await get('/v1/captured-emails?limit=1', token);
  assert.deepEqual(
    { ids: idsOf(page), total: page.body.total, more: page.body.has_more },
    { ids: [two], total: 2, more: true },
  );
  assert.deepEqual(idsOf(await get(`/v1/captured-emails?limit=1&cursor=${page.body.next_cursor}`, token)), [one]);
});

test('400 for a bad page or search', async () => {
  for (const [query, param] of [
    ['page=0', 'page'],
    ['search=%00', 'search'],
    ['to=', 'to'],
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
