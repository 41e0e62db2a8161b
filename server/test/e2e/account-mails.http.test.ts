import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, TEST_ADMIN, type TestApp } from '../harness/app.ts';
import { until } from '../harness/until.ts';

let t: TestApp;
before(async () => {
  t = await createTestApp({
    env: { POSTHORN_PUBLIC_URL: 'https://mail.example.com', POSTHORN_DASHBOARD_URL: 'https://desk.example.com' },
  });
});
after(() => t.close());

interface SystemMail {
  recipient: string;
  lane: number;
  subject: string;
  text: string;
  html: string;
}

/** The queued mail to an address, from the home workspace. */
async function mailsTo(recipient: string): Promise<SystemMail[]> {
  const { rows } = await sql<SystemMail>`
    select e.recipient, e.lane, c.subject, c.text, c.html
      from emails e join contents c on c.workspace_id = e.workspace_id and c.id = e.content_id
     where e.workspace_id = ${t.workspaceId} and e.recipient = ${recipient}`.execute(t.db);
  return rows;
}

async function signIn(): Promise<string> {
  const answer = await t.request({ method: 'POST', url: '/auth/login', key: null, body: TEST_ADMIN });
  assert.equal(answer.status, 200);
  const { body } = answer;
  assert.ok(typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string');
  return body.token;
}

test('200 on forgot-password queues a link in the system lane, ahead of what customers send', async () => {
  const url = '/auth/forgot-password';
  const answer = await t.request({ method: 'POST', url, key: null, body: { email: TEST_ADMIN.email } });
  assert.equal(answer.status, 200);
  // The mail is written after the answer, so that its time tells nothing about the address.
  const [mail, ...others] = await until('the mail', async () => {
    const mails = await mailsTo(TEST_ADMIN.email);
    return mails.length > 0 ? mails : undefined;
  });
  assert.equal(others.length, 0);
  assert.equal(mail?.lane, 0);
  assert.match(mail?.text ?? '', /https:\/\/desk\.example\.com\/reset-password\?token=[\w-]{43}/);
  assert.match(mail?.html ?? '', /<a href="https:\/\/desk\.example\.com\/reset-password\?token=[\w-]{43}" style=/);
  assert.match(mail?.html ?? '', /^<!doctype html>\n<html lang="en">[^]*name="viewport"[^]*prefers-color-scheme:dark/);
});

test('201 on an invitation queues one mail, however often it is asked with the same Idempotency-Key', async () => {
  const token = await signIn();
  const invite = () =>
    t.request({
      method: 'POST',
      url: `/workspaces/${t.workspaceId}/invites`,
      key: token,
      headers: { 'idempotency-key': 'invite-ada' },
      body: { email: 'ada@example.com', role: 'developer' },
    });
  const answers = [await invite(), await invite(), await invite()];
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [201, 201, 201],
  );
  const [mail, ...others] = await mailsTo('ada@example.com');
  assert.equal(others.length, 0);
  const link = /accept-invite\?token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
  const accept = () =>
    t.request({ method: 'POST', url: `/invites/${link}/accept`, key: null, body: { password: 'a password of ada' } });
  assert.deepEqual([(await accept()).status, (await accept()).status], [200, 404]);
});

test('409 on an invitation queues no mail', async () => {
  const token = await signIn();
  const url = `/workspaces/${t.workspaceId}/invites`;
  const before = await mailsTo('ada@example.com');
  const answer = await t.request({
    method: 'POST',
    url,
    key: token,
    body: { email: 'ada@example.com', role: 'viewer' },
  });
  assert.equal(answer.status, 409);
  assert.deepEqual(await mailsTo('ada@example.com'), before);
});

test('404 for mail of the system, and no trace in lists, for a key that may only read: its links sign people in', async () => {
  const made = await t.request({ url: '/v1/api-keys', body: { name: 'reader', scopes: ['read_only'] } });
  const { body } = made;
  assert.ok(typeof body === 'object' && body !== null && 'key' in body && typeof body.key === 'string');
  const { rows } = await sql<{ id: string }>`
    select e.id from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.workspaceId} and s.source = 'system'`.execute(t.db);
  assert.equal(rows.length, 2);
  for (const { id } of rows) {
    for (const url of [`/v1/emails/${id}`, `/v1/emails/${id}/content`]) {
      assert.equal((await t.request({ url, key: body.key })).status, 404, url);
    }
  }
  for (const url of ['/v1/emails', '/v1/captured-emails']) {
    const list = await t.request({ url, key: body.key });
    assert.equal(list.status, 200);
    assert.doesNotMatch(list.text, /ada@example\.com|reset-password|accept-invite/);
  }
});
