import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AccountsApp, type Body, createAccountsApp, OWNER } from '../../../../test/harness/accounts-app.ts';

let t: AccountsApp;
before(async () => {
  t = await createAccountsApp({ env: { POSTHORN_SIGNUP: 'open' } });
});
after(() => t.close());

let people = 0;
/** Somebody new with a workspace of their own, and their sign-in. */
async function someone(): Promise<Body> {
  people += 1;
  const email = `person${people}@example.com`;
  const reply = await t.call('POST', '/auth/register', { body: { email, password: 'correct horse', name: 'Ada' } });
  assert.equal(reply.status, 201);
  return { ...reply.body, email, password: 'correct horse' };
}

const securityActions = async (workspaceId: string): Promise<string[]> => {
  const { rows } = await sql<{ action: string }>`
    select action from security_log where workspace_id = ${workspaceId} order by id`.execute(t.database.db);
  return rows.map((row) => row.action);
};

test('201 when sign-up is open: an account, a workspace of its own, and a mail to confirm the address', async () => {
  const mailsBefore = t.mails.length;
  const reply = await t.call('POST', '/auth/register', {
    body: { email: ' Grace@Example.COM ', password: 'correct horse', name: 'Grace', workspace_name: 'Söhne & Co' },
  });
  assert.equal(reply.status, 201);
  assert.equal(reply.body.user.email, 'grace@example.com');
  assert.equal(reply.body.user.email_verified, false);
  assert.equal(reply.body.workspaces[0].slug, 'sohne-co');
  assert.equal(reply.body.workspaces[0].role, 'owner');
  assert.equal(reply.body.workspace_id, reply.body.workspaces[0].id);
  assert.equal(t.mails.length, mailsBefore + 1);
  const verified = await t.call('POST', '/auth/verify-email', { body: { token: t.mailedToken() } });
  assert.deepEqual(verified.body, { success: true });
  const again = await t.call('POST', '/auth/verify-email', { body: { token: t.mailedToken() } });
  assert.equal(again.status, 422);
  assert.equal(again.body.param, 'token');
  const me = await t.call('GET', '/auth/me', { token: reply.body.token });
  assert.equal(me.body.email_verified, true);
});

test('403 when sign-up is closed, and nothing is made', async () => {
  const closed = await createAccountsApp();
  try {
    const reply = await closed.call('POST', '/auth/register', {
      body: { email: 'x@example.com', password: 'correct horse' },
    });
    assert.equal(reply.status, 403);
    assert.equal(reply.body.name, 'permission_error');
    const { rows } = await sql<{ email: string }>`select email from users`.execute(closed.database.db);
    assert.deepEqual(rows, [{ email: OWNER.email }]);
  } finally {
    await closed.close();
  }
});

test('409 when the address has an account already', async () => {
  const ada = await someone();
  const reply = await t.call('POST', '/auth/register', {
    body: { email: ada.email.toUpperCase(), password: 'correct horse' },
  });
  assert.equal(reply.status, 409);
  assert.equal(reply.body.param, 'email');
});

test('400 when the email is no address or the password is too short', async () => {
  const reply = await t.call('POST', '/auth/register', {
    body: { email: 'a b@example.com', password: 'correct horse' },
  });
  assert.equal(reply.status, 400);
  assert.equal(reply.body.param, 'email');
  const short = await t.call('POST', '/auth/register', { body: { email: 'short@example.com', password: '1234567' } });
  assert.equal(short.status, 400);
  assert.equal(short.body.param, 'password');
});

test('200 on sign-in: tokens, user and workspaces, recorded in the security log', async () => {
  const ada = await someone();
  const reply = await t.call('POST', '/auth/login', {
    body: { email: ada.email.toUpperCase(), password: ada.password },
  });
  assert.equal(reply.status, 200);
  assert.equal(reply.body.user.email, ada.email);
  assert.equal(reply.body.workspaces.length, 1);
  assert.match(reply.body.token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.deepEqual(await securityActions(ada.workspace_id), ['user.registered', 'user.signed_in']);
});

test('401 with the same words for an unknown email, a wrong password and text that is no email', async () => {
  const ada = await someone();
  const replies = await Promise.all(
    [
      { email: ada.email, password: 'wrong horse' },
      { email: 'nobody@example.com', password: 'correct horse' },
      { email: 'not an address', password: 'correct horse' },
    ].map((body) => t.call('POST', '/auth/login', { body, ip: '198.51.100.1' })),
  );
  for (const reply of replies) {
    assert.equal(reply.status, 401);
    assert.equal(reply.body.message, 'The email or the password is wrong.');
    assert.deepEqual(Object.keys(reply.body), Object.keys(replies[0]?.body));
  }
});

test('429 after ten wrong passwords for one account from anywhere, and the right one does not help until the window is over', async () => {
  const ada = await someone();
  const attempt = (password: string, ip: string) =>
    t.call('POST', '/auth/login', { body: { email: ada.email, password }, ip });
  const replies = await Promise.all(Array.from({ length: 16 }, (_, i) => attempt('wrong horse', `203.0.113.${i}`)));
  const statuses = replies.map((reply) => reply.status);
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 6);
  const refused = await attempt(ada.password, '203.0.113.77');
  assert.equal(refused.status, 429);
  assert.equal(refused.body.name, 'rate_limit_error');
  assert.equal(refused.headers['retry-after'], String(refused.body.retryAfter));
  t.clock.advance(901);
  assert.equal((await attempt(ada.password, '203.0.113.77')).status, 200);
});

test('429 after a hundred wrong passwords from one network address, for accounts that do not exist too', async () => {
  const ip = '203.0.113.200';
  await sql`update attempt_counts set attempts = 0`.execute(t.database.db);
  await t.call('POST', '/auth/login', { body: { email: 'n0@example.com', password: 'wrong horse' }, ip });
  await sql`update attempt_counts set attempts = 100 where attempts = 1`.execute(t.database.db);
  const reply = await t.call('POST', '/auth/login', { body: { email: 'n1@example.com', password: 'wrong horse' }, ip });
  assert.equal(reply.status, 429);
});

test('200 on refresh: new tokens each time, for the workspace asked for', async () => {
  const ada = await someone();
  const second = await t.call('POST', '/workspaces', { token: ada.token, body: { name: 'Second' } });
  const reply = await t.call('POST', '/auth/refresh', {
    body: { refresh_token: ada.refresh_token, workspace_id: second.body.id },
  });
  assert.equal(reply.status, 200);
  assert.equal(reply.body.workspace_id, second.body.id);
  assert.notEqual(reply.body.refresh_token, ada.refresh_token);
  assert.equal((await t.call('GET', '/auth/me', { token: reply.body.token })).body.workspace_id, second.body.id);
});

test('401 when a replaced refresh token is used again, however old it is: the session ends for both holders', async () => {
  const ada = await someone();
  const refresh = (refresh_token: string) => t.call('POST', '/auth/refresh', { body: { refresh_token } });
  const first = await refresh(ada.refresh_token);
  const second = await refresh(first.body.refresh_token);
  assert.equal(second.status, 200);
  assert.equal((await refresh(ada.refresh_token)).status, 401);
  assert.equal((await refresh(second.body.refresh_token)).status, 401);
  assert.equal((await t.call('GET', '/auth/me', { token: second.body.token })).status, 401);
  const log = await t.call('GET', '/security-log?action=session.refresh_token_reused', {
    token: (await t.call('POST', '/auth/login', { body: ada })).body.token,
  });
  assert.equal(log.body.total, 1);
  assert.equal(log.body.data[0].actor.email, ada.email);
});

test('401 when two calls present one refresh token at once: one wins, and the session ends', async () => {
  const ada = await someone();
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => t.call('POST', '/auth/refresh', { body: { refresh_token: ada.refresh_token } })),
  );
  assert.equal(replies.filter((reply) => reply.status === 200).length, 1);
  assert.equal((await t.call('GET', '/auth/me', { token: ada.token })).status, 401);
});

test('401 for a refresh token that was made up, changed or cut, and the session lives on', async () => {
  const ada = await someone();
  const flipped = `${ada.refresh_token.slice(0, -2)}${ada.refresh_token.at(-2) === 'A' ? 'B' : 'A'}${ada.refresh_token.at(-1)}`;
  for (const refresh_token of [flipped, ada.refresh_token.slice(0, -1), 'x', `phr_${'A'.repeat(64)}`]) {
    assert.equal((await t.call('POST', '/auth/refresh', { body: { refresh_token } })).status, 401);
  }
  assert.equal((await t.call('GET', '/auth/me', { token: ada.token })).status, 200);
});

test('401 after the access token has expired, and after thirty days without a refresh', async () => {
  const ada = await someone();
  t.clock.advance(906);
  assert.equal((await t.call('GET', '/auth/me', { token: ada.token })).status, 401);
  const refreshed = await t.call('POST', '/auth/refresh', { body: { refresh_token: ada.refresh_token } });
  assert.equal(refreshed.status, 200);
  t.clock.advance(30 * 86_400 + 1);
  assert.equal(
    (await t.call('POST', '/auth/refresh', { body: { refresh_token: refreshed.body.refresh_token } })).status,
    401,
  );
});

test('200 on logout: access and refresh token stop at once', async () => {
  const ada = await someone();
  assert.deepEqual((await t.call('POST', '/auth/logout', { token: ada.token })).body, { success: true });
  assert.equal((await t.call('GET', '/auth/me', { token: ada.token })).status, 401);
  assert.equal((await t.call('POST', '/auth/refresh', { body: { refresh_token: ada.refresh_token } })).status, 401);
});

test('200 on PATCH /auth/me with a name; 200 with a new password, which ends the other sessions and keeps this one', async () => {
  const ada = await someone();
  const other = await t.signIn(ada.email, ada.password);
  assert.equal(
    (await t.call('PATCH', '/auth/me', { token: ada.token, body: { name: 'Countess' } })).body.name,
    'Countess',
  );
  const body = { password: 'a newer password', current_password: ada.password };
  assert.equal((await t.call('PATCH', '/auth/me', { token: ada.token, body })).status, 200);
  assert.equal((await t.call('GET', '/auth/me', { token: ada.token })).status, 200);
  assert.equal((await t.call('GET', '/auth/me', { token: other.token })).status, 401);
  assert.equal((await t.call('POST', '/auth/refresh', { body: { refresh_token: other.refresh_token } })).status, 401);
  assert.equal((await t.call('POST', '/auth/login', { body: ada })).status, 401);
  await t.signIn(ada.email, 'a newer password');
});

test('400 without current_password and 422 with a wrong one, and the password stays', async () => {
  const ada = await someone();
  const change = (body: object) => t.call('PATCH', '/auth/me', { token: ada.token, body });
  const missing = await change({ password: 'a newer password' });
  assert.deepEqual([missing.status, missing.body.param], [400, 'current_password']);
  const wrong = await change({ password: 'a newer password', current_password: 'wrong horse' });
  assert.deepEqual([wrong.status, wrong.body.param], [422, 'current_password']);
  await t.signIn(ada.email, ada.password);
});

test('200 on sessions: the caller sees and ends their own', async () => {
  const ada = await someone();
  const other = await t.signIn(ada.email, ada.password);
  const list = await t.call('GET', '/auth/sessions', { token: ada.token });
  assert.equal(list.body.total, 2);
  const [foreign] = list.body.data.filter((session: { current: boolean }) => !session.current);
  assert.equal((await t.call('DELETE', `/auth/sessions/${foreign.id}`, { token: ada.token })).status, 200);
  assert.equal((await t.call('GET', '/auth/me', { token: other.token })).status, 401);
  await t.signIn(ada.email, ada.password);
  assert.deepEqual((await t.call('DELETE', '/auth/sessions', { token: ada.token })).body, { success: true, ended: 1 });
  assert.equal((await t.call('GET', '/auth/sessions', { token: ada.token })).body.total, 1);
});

test("404 for another person's session, one that never was, and no id at all; theirs lives on", async () => {
  const [ada, eve] = [await someone(), await someone()];
  const list = await t.call('GET', '/auth/sessions', { token: ada.token });
  for (const id of [list.body.data[0].id, '01999999-0000-7000-8000-000000000009', 'nonsense']) {
    assert.equal((await t.call('DELETE', `/auth/sessions/${id}`, { token: eve.token })).status, 404);
  }
  assert.equal((await t.call('GET', '/auth/me', { token: ada.token })).status, 200);
});

test('200 on forgot-password with one answer for everybody; only a real account gets a mail, with our own address in it', async () => {
  const ada = await someone();
  t.mails.length = 0;
  const ask = (email: string) =>
    t.call('POST', '/auth/forgot-password', {
      body: { email },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
  const [real, unknown] = [await ask(ada.email), await ask('nobody@example.com')];
  await t.workspaces.background.settled();
  assert.deepEqual(real.body, unknown.body);
  assert.equal(t.mails.length, 1);
  assert.equal(t.mails[0]?.to, ada.email);
  assert.match(t.mails[0]?.text ?? '', /https:\/\/mail\.example\.com\/reset-password\?token=[\w-]{43}\n/);
  assert.doesNotMatch(JSON.stringify(t.mails), /evil/);
});

test('200 on forgot-password four times: an address gets three mails an hour', async () => {
  const ada = await someone();
  t.mails.length = 0;
  for (let i = 0; i < 4; i += 1) await t.call('POST', '/auth/forgot-password', { body: { email: ada.email } });
  await t.workspaces.background.settled();
  assert.equal(t.mails.length, 3);
});

test('200 on reset-password: the link works once, ends every session and confirms the address', async () => {
  const ada = await someone();
  await t.call('POST', '/auth/forgot-password', { body: { email: ada.email } });
  await t.workspaces.background.settled();
  const body = { token: t.mailedToken(), password: 'a newer password' };
  const replies = await Promise.all(Array.from({ length: 4 }, () => t.call('POST', '/auth/reset-password', { body })));
  assert.deepEqual(
    replies.map((reply) => reply.status).toSorted((a, b) => a - b),
    [200, 422, 422, 422],
  );
  assert.equal((await t.call('GET', '/auth/me', { token: ada.token })).status, 401);
  assert.equal((await t.signIn(ada.email, 'a newer password')).user.email_verified, true);
  assert.ok((await securityActions(ada.workspace_id)).includes('user.password_reset'));
});

test('422 for a reset link that is over an hour old, made for another purpose, or made up', async () => {
  const ada = await someone();
  const verifyToken = t.mailedToken();
  await t.call('POST', '/auth/forgot-password', { body: { email: ada.email } });
  await t.workspaces.background.settled();
  const resetToken = t.mailedToken();
  t.clock.advance(3_601);
  for (const token of [resetToken, verifyToken, 'A'.repeat(43), 'short', "' or 1=1 --"]) {
    const reply = await t.call('POST', '/auth/reset-password', { body: { token, password: 'a newer password' } });
    assert.deepEqual([reply.status, reply.body.param], [422, 'token'], token);
  }
  await t.signIn(ada.email, ada.password);
});

test('400 for an unknown field type, and unknown fields are named in a header', async () => {
  const reply = await t.call('POST', '/auth/login', { body: { email: 5, password: null } });
  assert.equal(reply.status, 400);
  const typo = await t.call('POST', '/auth/forgot-password', { body: { email: 'a@example.com', zebra: 'b' } });
  assert.equal(typo.headers['x-unknown-fields'], 'zebra');
});

test('401 on every signed-in route without a token, with an API key, and with nonsense', async () => {
  for (const [method, url] of [
    ['GET', '/auth/me'],
    ['PATCH', '/auth/me'],
    ['POST', '/auth/logout'],
    ['GET', '/auth/sessions'],
    ['DELETE', '/auth/sessions'],
    ['DELETE', '/auth/sessions/01999999-0000-7000-8000-000000000009'],
    ['GET', '/workspaces'],
    ['GET', '/security-log'],
  ] as const) {
    assert.equal((await t.call(method, url)).status, 401, url);
    assert.equal((await t.call(method, url, { key: t.home.apiKey })).status, 401, url);
    assert.equal((await t.call(method, url, { token: 'a.b.c' })).status, 401, url);
  }
});

const HOST = 'mail.example.com';
const WRITE = { 'x-posthorn-csrf': '1', origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' };

/** Signs in as a browser does; returns the cookie as it sends it back. */
async function browserOf(person: Body): Promise<{ cookie: string }> {
  const body = { email: person.email, password: person.password };
  const reply = await t.call('POST', '/auth/login', { body, headers: { 'x-posthorn-session': 'cookie' } });
  assert.equal(reply.status, 200);
  return { cookie: String(reply.headers['set-cookie']).split(';', 1)[0] ?? '' };
}
const nameOf = async (person: Body): Promise<unknown> =>
  (await sql<{ name: string }>`select name from users where id = ${person.user.id}`.execute(t.database.db)).rows[0]
    ?.name;
const openSessions = async (person: Body): Promise<number> =>
  (
    await sql<{ open: number }>`
      select count(*) as open from sessions where user_id = ${person.user.id} and ended_at is null`.execute(
      t.database.db,
    )
  ).rows[0]?.open ?? 0;

test('200 on sign-in with a cookie: no token in the answer, and a cookie that no script and no other site can use', async () => {
  const ada = await someone();
  const body = { email: ada.email, password: ada.password };
  const reply = await t.call('POST', '/auth/login', { body, headers: { 'x-posthorn-session': 'cookie' } });
  assert.equal(reply.status, 200);
  assert.deepEqual(Object.keys(reply.body).toSorted(), ['user', 'workspace_id', 'workspaces']);
  assert.match(
    String(reply.headers['set-cookie']),
    /^__Host-posthorn-session=phs_[\w-]{60,}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
  );
});

test('200 with the cookie where a dashboard token is taken, in the workspace of X-Workspace-ID', async () => {
  const ada = await someone();
  const cookie = await browserOf(ada);
  const me = await t.call('GET', '/auth/me', { headers: cookie });
  assert.equal(me.status, 200);
  assert.equal(me.body.email, ada.email);
  const inWorkspace = { ...cookie, 'x-workspace-id': ada.workspace_id };
  const probe = await t.call('GET', '/probe', { headers: inWorkspace });
  assert.deepEqual([probe.status, probe.body.workspace_id], [200, ada.workspace_id]);
  assert.equal((await t.call('GET', '/probe', { headers: cookie })).body.param, 'X-Workspace-ID');
  const foreign = { ...cookie, 'x-workspace-id': t.home.workspaceId };
  assert.equal((await t.call('GET', '/probe', { headers: foreign })).status, 403);
  const renamed = await t.call('PATCH', '/auth/me', { headers: { ...cookie, ...WRITE }, body: { name: 'Countess' } });
  assert.deepEqual([renamed.status, await nameOf(ada)], [200, 'Countess']);
});

test('403 for a change with the cookie that another site may have sent, and nothing changes', async () => {
  const ada = await someone();
  const cookie = await browserOf(ada);
  const { 'x-posthorn-csrf': _csrf, ...withoutHeader } = WRITE;
  const foreign: Record<string, Record<string, string>> = {
    'no X-Posthorn-Csrf': withoutHeader,
    'another X-Posthorn-Csrf': { ...WRITE, 'x-posthorn-csrf': '0' },
    'another site': { ...WRITE, origin: 'https://evil.example' },
    'another port': { ...WRITE, origin: `https://${HOST}:8443` },
    'a sister host': { ...WRITE, origin: 'https://shop.example.com' },
    'a name that begins so': { ...WRITE, origin: `https://${HOST}.evil.example` },
    'plain http': { ...WRITE, origin: `http://${HOST}` },
    'no origin at all': { ...WRITE, origin: 'null' },
    'another site, by the browser': { ...WRITE, 'sec-fetch-site': 'cross-site' },
    'a sister host, by the browser': { ...WRITE, 'sec-fetch-site': 'same-site' },
    'nobody, by the browser': { ...WRITE, 'sec-fetch-site': 'none' },
  };
  for (const [what, headers] of Object.entries(foreign)) {
    for (const [method, url] of [
      ['PATCH', '/auth/me'],
      ['POST', '/workspaces'],
    ] as const) {
      const reply = await t.call(method, url, { headers: { ...cookie, ...headers }, body: { name: 'Mallory' } });
      assert.equal(reply.status, 403, `${what}: ${method} ${url}`);
      assert.equal(reply.body.name, 'permission_error');
      assert.match(reply.body.param, /^(X-Posthorn-Csrf|Origin|Sec-Fetch-Site)$/, what);
    }
    assert.equal((await t.call('DELETE', '/auth/sessions', { headers: { ...cookie, ...headers } })).status, 403, what);
    assert.equal((await t.call('POST', '/auth/logout', { headers: { ...cookie, ...headers } })).status, 403, what);
  }
  assert.equal(await nameOf(ada), 'Ada');
  assert.equal((await t.call('GET', '/workspaces', { headers: cookie })).body.total, 1);
  assert.equal(await openSessions(ada), 2);
});

test('200 for a change by the page of the very host that is asked, over https, and by a program that names no page', async () => {
  const ada = await someone();
  const cookie = await browserOf(ada);
  const other = { ...WRITE, origin: 'https://mail.internal:8443', host: 'mail.internal:8443' };
  for (const headers of [other, { 'x-posthorn-csrf': '1' }]) {
    const reply = await t.call('PATCH', '/auth/me', { headers: { ...cookie, ...headers }, body: { name: 'Ada' } });
    assert.equal(reply.status, 200);
  }
});

test('403 when the page of another site asks for a cookie, and nobody is signed in', async () => {
  const ada = await someone();
  const body = { email: ada.email, password: ada.password };
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const asked = { 'x-posthorn-session': 'cookie', ...headers };
    const reply = await t.call('POST', '/auth/login', { body, headers: asked as Record<string, string> });
    assert.deepEqual([reply.status, reply.headers['set-cookie']], [403, undefined]);
  }
  const strange = await t.call('POST', '/auth/login', { body, headers: { 'x-posthorn-session': 'forever' } });
  assert.deepEqual([strange.status, strange.body.param], [400, 'X-Posthorn-Session']);
  assert.equal(await openSessions(ada), 1);
});

test('the key or token of a request counts, and not the cookie that a browser adds', async () => {
  const [ada, grace] = [await someone(), await someone()];
  const cookie = await browserOf(ada);
  assert.equal((await t.call('GET', '/auth/me', { headers: cookie, token: grace.token })).body.email, grace.email);
  assert.equal((await t.call('GET', '/probe', { headers: cookie, key: t.home.apiKey })).status, 200);
  assert.equal((await t.call('GET', '/auth/me', { headers: cookie, token: 'a.b.c' })).status, 401);
  const renamed = await t.call('PATCH', '/auth/me', { headers: cookie, token: grace.token, body: { name: 'Admiral' } });
  assert.equal(renamed.status, 200, 'a token needs no header against forgery');
  assert.deepEqual([await nameOf(ada), await nameOf(grace)], ['Ada', 'Admiral']);
  const out = await t.call('POST', '/auth/logout', { headers: cookie, token: grace.token });
  assert.deepEqual([out.status, out.headers['set-cookie']], [200, undefined]);
  assert.equal((await t.call('GET', '/auth/me', { headers: cookie })).status, 200);
});

test('200 on logout with the cookie: the browser forgets it, and it opens nothing more', async () => {
  const ada = await someone();
  const cookie = await browserOf(ada);
  const out = await t.call('POST', '/auth/logout', { headers: { ...cookie, ...WRITE } });
  assert.equal(out.status, 200);
  assert.match(String(out.headers['set-cookie']), /^__Host-posthorn-session=; Path=\/; Max-Age=0; HttpOnly/);
  assert.equal((await t.call('GET', '/auth/me', { headers: cookie })).status, 401);
});

test('401 for a cookie whose session was ended from elsewhere, by a new password or by a reset', async () => {
  const ada = await someone();
  const [one, two, three] = [await browserOf(ada), await browserOf(ada), await browserOf(ada)];
  const me = async (cookie: { cookie: string }) => (await t.call('GET', '/auth/me', { headers: cookie })).status;
  const { body } = await t.call('GET', '/auth/sessions', { headers: one });
  assert.equal(body.data.length, 4);
  const current = body.data.find((session: Body) => session.current);
  await t.call('DELETE', `/auth/sessions/${current.id}`, { token: ada.token });
  assert.deepEqual([await me(one), await me(two), await me(three)], [401, 200, 200]);
  const changed = { password: 'a better horse', current_password: ada.password };
  await t.call('PATCH', '/auth/me', { headers: { ...two, ...WRITE }, body: changed });
  assert.deepEqual([await me(two), await me(three)], [200, 401]);
  await t.call('POST', '/auth/forgot-password', { body: { email: ada.email } });
  await t.workspaces.background.settled();
  await t.call('POST', '/auth/reset-password', { body: { token: t.mailedToken(), password: 'the best horse' } });
  assert.equal(await me(two), 401);
});

test('401 for a cookie that was made up, changed or cut, and for tokens in the place of each other', async () => {
  const ada = await someone();
  const { cookie } = await browserOf(ada);
  const [name = '', value = ''] = cookie.split('=');
  const refresh = ada.refresh_token.replace('phr_', 'phs_');
  for (const bad of ['', 'phs_', value.slice(0, -1), `${value}A`, refresh, ada.refresh_token, ada.token])
    assert.equal((await t.call('GET', '/auth/me', { headers: { cookie: `${name}=${bad}` } })).status, 401, bad);
  // Without the prefix of https, a neighbour under the same domain could have planted it.
  const planted = { cookie: `posthorn-session=${value}` };
  assert.equal((await t.call('GET', '/auth/me', { headers: planted })).status, 401);
  for (const token of [value, value.replace('phs_', 'phr_')])
    assert.equal((await t.call('POST', '/auth/refresh', { body: { refresh_token: token } })).status, 401);
  assert.equal((await t.call('GET', '/auth/me', { headers: { cookie: `theme=dark; ${cookie}` } })).status, 200);
});

test('a session in a cookie lasts thirty days from its last use, which is written at most once in five minutes', async () => {
  const ada = await someone();
  const cookie = await browserOf(ada);
  const use = async (): Promise<Body> => {
    const { body } = await t.call('GET', '/auth/sessions', { headers: cookie });
    return body.data?.find((session: Body) => session.current);
  };
  const first = await use();
  t.clock.advance(299);
  assert.equal((await use()).last_used_at, first.last_used_at);
  t.clock.advance(1);
  assert.equal((await use()).last_used_at, t.clock.now().toISOString());
  t.clock.advance(29 * 86_400);
  const later = await use();
  assert.equal(new Date(later.expires_at).getTime(), t.clock.now().getTime() + 30 * 86_400_000);
  t.clock.advance(30 * 86_400);
  assert.equal(await use(), undefined);
  assert.equal((await t.call('GET', '/auth/me', { headers: cookie })).status, 401);
});

test('200 on accepting an invitation with the cookie, 403 when another site sends it, and then nobody joins', async () => {
  const ada = await someone();
  const cookie = await browserOf(ada);
  const invite = { email: ada.email, role: 'viewer' };
  const owner = await t.signIn();
  const url = `/workspaces/${t.home.workspaceId}/invites`;
  assert.equal((await t.call('POST', url, { token: owner.token, body: invite })).status, 201);
  const accept = (headers: Record<string, string>) =>
    t.call('POST', `/invites/${t.mailedToken()}/accept`, { headers, body: {} });
  assert.equal((await accept({ ...cookie, ...WRITE, origin: 'https://evil.example' })).status, 403);
  assert.equal((await accept(cookie)).status, 403);
  assert.equal((await t.call('GET', '/workspaces', { headers: cookie })).body.total, 1);
  assert.equal((await accept({ ...cookie, ...WRITE })).status, 200);
  assert.equal((await t.call('GET', '/workspaces', { headers: cookie })).body.total, 2);
});

test('nothing unexpected was logged', () => {
  assert.deepEqual(t.errors, []);
});
