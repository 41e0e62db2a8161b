import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { type AccountsApp, createAccountsApp, OWNER } from '../../../../test/harness/accounts-app.ts';
import { pressForm, submitForm } from '../../../../test/harness/press-form.ts';

let t: AccountsApp;
let ownerToken: string;
before(async () => {
  t = await createAccountsApp({ env: { POSTHORN_SIGNUP: 'open' } });
  ownerToken = (await t.signIn()).token;
});
after(() => t.close());

const PATHS = ['/reset-password', '/verify-email', '/accept-invite'] as const;
const PASSWORD = 'a password chosen here';
const SOME_TOKEN = 'A'.repeat(43);
const HOSTILE = `"><script>alert(1)</script>`;

type Page = LightMyRequestResponse;
let network = 0;
/** Each from an address of its own, so that one test does not use up the attempts of the next. */
const ip = (): string => `198.51.100.${(network += 1)}`;

const open = (url: string, method: 'GET' | 'HEAD' = 'GET'): Promise<Page> => t.app.inject({ method, url });

const press = (page: Page, filled: Record<string, string> = {}, from = ip()): Promise<Page> =>
  pressForm(t.app, page, filled, from);

const submit = (url: string, payload: string, from = ip()): Promise<Page> => submitForm(t.app, url, payload, from);

/** Where the link of the newest mail leads. */
function mailedLink(): string {
  const link = /https:\/\/mail\.example\.com(\/\S+)/.exec(t.mails.at(-1)?.text ?? '')?.[1];
  assert.ok(link !== undefined, 'there is a link in the mail');
  return link;
}

async function resetLink(email: string): Promise<string> {
  const before = t.mails.length;
  assert.equal((await t.call('POST', '/auth/forgot-password', { body: { email }, ip: ip() })).status, 200);
  await t.workspaces.background.settled();
  assert.equal(t.mails.length, before + 1);
  return mailedLink();
}

let people = 0;
async function someone(): Promise<{ email: string; password: string; verifyLink: string; id: string }> {
  const person = { email: `reader${(people += 1)}@example.com`, password: 'correct horse' };
  const { status, body } = await t.call('POST', '/auth/register', { body: person, ip: ip() });
  assert.equal(status, 201);
  return { ...person, verifyLink: mailedLink(), id: body.user.id };
}

async function inviteLink(email: string, role = 'editor', workspaceId = t.home.workspaceId): Promise<string> {
  const invited = await t.call('POST', `/workspaces/${workspaceId}/invites`, {
    token: ownerToken,
    body: { email, role },
  });
  assert.equal(invited.status, 201);
  return mailedLink();
}

const login = (email: string, password: string) =>
  t.call('POST', '/auth/login', { body: { email, password }, ip: ip() });

/** Everything that accounts and invitations are kept in. */
async function everything(): Promise<unknown> {
  const { rows } = await sql`
    select (select jsonb_agg(to_jsonb(u) order by u.id) from users u) as users,
           (select jsonb_agg(to_jsonb(k) order by k.hash) from user_tokens k) as tokens,
           (select jsonb_agg(to_jsonb(i) order by i.id) from invites i) as invites,
           (select jsonb_agg(to_jsonb(m) order by m.workspace_id, m.user_id) from members m) as members,
           (select count(*) from sessions) as sessions,
           (select count(*) from security_log) as log`.execute(t.database.db);
  return rows;
}

const roleOf = async (email: string): Promise<string | undefined> => {
  const { rows } = await sql<{ role: string }>`
    select m.role from members m join users u on u.id = m.user_id
     where m.workspace_id = ${t.home.workspaceId} and u.email = ${email}`.execute(t.database.db);
  return rows[0]?.role;
};

test('200 for the whole walk: forgotten password, mail, page, new password, and only that one signs in', async () => {
  const ada = await someone();
  const link = await resetLink(ada.email);
  const form = await open(link);
  assert.equal(form.statusCode, 200);
  const done = await press(form, { password: PASSWORD });
  assert.equal(done.statusCode, 200);
  assert.match(done.body, /Your new password is set/);
  assert.equal((await login(ada.email, PASSWORD)).status, 200);
  assert.equal((await login(ada.email, ada.password)).status, 401);
  const again = await press(form, { password: 'another password' });
  assert.equal(again.statusCode, 400);
  assert.match(again.body, /This link is not valid/);
  assert.equal((await login(ada.email, PASSWORD)).status, 200, 'a used link changes nothing');
});

test('200 for a press of the button that confirms an address, once', async () => {
  const ada = await someone();
  const form = await open(ada.verifyLink);
  assert.equal((await press(form)).statusCode, 200);
  assert.equal((await login(ada.email, ada.password)).body.user.email_verified, true);
  assert.equal((await press(form)).statusCode, 400);
});

test('200 for an invited person without an account, who gives a name and a password and can sign in', async () => {
  const form = await open(await inviteLink('new@example.com'));
  assert.match(form.body, /new@example\.com/);
  assert.match(form.body, /autocomplete="new-password"/);
  const { rows: before } = await sql`select id from sessions`.execute(t.database.db);
  const done = await press(form, { name: 'Grace', password: PASSWORD });
  assert.equal(done.statusCode, 200);
  const { rows: after } = await sql`select id from sessions`.execute(t.database.db);
  assert.equal(after.length, before.length, 'no session that nobody has the token of');
  assert.equal(await roleOf('new@example.com'), 'editor');
  const signedIn = await login('new@example.com', PASSWORD);
  assert.equal(signedIn.body.user.name, 'Grace');
  assert.equal(signedIn.body.user.email_verified, true);
});

test('200 for an invited person without a name: the field may stay empty', async () => {
  const form = await open(await inviteLink('nameless@example.com'));
  assert.equal((await press(form, { name: '', password: PASSWORD })).statusCode, 200);
  assert.equal((await login('nameless@example.com', PASSWORD)).body.user.name, null);
});

test('200 for an invited person who has an account and gives its password, which stays', async () => {
  const ada = await someone();
  const form = await open(await inviteLink(ada.email, 'viewer'));
  assert.match(form.body, /autocomplete="current-password"/);
  assert.doesNotMatch(form.body, /id="name"/);
  assert.equal((await press(form, { password: ada.password })).statusCode, 200);
  assert.equal(await roleOf(ada.email), 'viewer');
  assert.equal((await login(ada.email, ada.password)).status, 200);
});

test('400 for the wrong password of an account that is invited: no member, and the invitation stays open', async () => {
  const ada = await someone();
  const link = await inviteLink(ada.email);
  const before = await everything();
  const refused = await press(await open(link), { password: 'not the password' });
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /its password is another/);
  assert.match(refused.body, /<form method="get" action="accept-invite">/, 'a way back to the form');
  assert.deepEqual(await everything(), before);
  assert.equal((await press(await open(link), { password: ada.password })).statusCode, 200);
});

test('429 for guessing at an invitation, counted together with sign-in, and the right password waits too', async () => {
  const ada = await someone();
  const form = await open(await inviteLink(ada.email));
  for (let guess = 0; guess < 5; guess += 1) {
    assert.equal((await press(form, { password: `guess ${guess}` })).statusCode, 400);
    assert.equal((await login(ada.email, `guess ${guess}`)).status, 401);
  }
  const refused = await press(form, { password: ada.password });
  assert.equal(refused.statusCode, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.match(refused.body, /Too many attempts\. Try again in 15 minutes\./);
  assert.equal((await login(ada.email, ada.password)).status, 429);
  assert.equal(await roleOf(ada.email), undefined);
});

test('400 in the same words for a link that is unknown, used, expired, damaged or missing', async () => {
  const ada = await someone();
  const used = await resetLink(ada.email);
  await press(await open(used), { password: PASSWORD });
  const expired = await open(await resetLink(ada.email));
  t.clock.advance(3_600);
  const tokens = [SOME_TOKEN, used.split('=')[1] ?? '', 'damaged', HOSTILE, ''];
  const answers = [
    await press(expired, { password: 'too late by now' }),
    ...(await Promise.all(
      tokens.map((token) =>
        submit('/reset-password', new URLSearchParams({ token, password: 'any password' }).toString()),
      ),
    )),
    await open('/reset-password'),
    await open('/reset-password?token=damaged'),
    await open(`/reset-password?token=${SOME_TOKEN}&token=${SOME_TOKEN}`),
  ];
  for (const answer of answers) {
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.body, answers[0]?.body);
  }
  assert.equal((await login(ada.email, PASSWORD)).status, 200);
  ownerToken = (await t.signIn()).token; // the clock moved on
});

test('400 for an invitation that was accepted, withdrawn, has expired or never was, at its page and at its button', async () => {
  const accepted = await inviteLink('early@example.com');
  const form = await open(accepted);
  assert.equal((await press(form, { password: PASSWORD })).statusCode, 200);
  const never = `/accept-invite?token=${SOME_TOKEN}`;
  const expired = await inviteLink('late@example.com');
  t.clock.advance(7 * 86_400);
  ownerToken = (await t.signIn()).token; // the clock moved on
  const withdrawn = await inviteLink('withdrawn@example.com');
  const invites = `/workspaces/${t.home.workspaceId}/invites`;
  const [newest] = (await t.call('GET', invites, { token: ownerToken })).body.data;
  const lateForm = await open(withdrawn);
  assert.equal((await t.call('DELETE', `${invites}/${newest.id}`, { token: ownerToken })).status, 200);
  const answers = [
    await open(accepted),
    await press(form, { password: PASSWORD }),
    await open(expired),
    await open(withdrawn),
    await press(lateForm, { password: PASSWORD }),
    await open(never),
  ];
  for (const answer of answers) {
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.body, answers[0]?.body);
  }
});

test('400 with the rule for a password that is too short, and the link still works', async () => {
  const ada = await someone();
  const forms = [await open(await resetLink(ada.email)), await open(await inviteLink('short@example.com'))];
  const before = await everything();
  for (const form of forms) {
    for (const password of ['1234567', '']) {
      const refused = await press(form, { password });
      assert.equal(refused.statusCode, 400);
      assert.match(refused.body, /A password has 8 to 256 characters\./);
    }
  }
  assert.deepEqual(await everything(), before);
  for (const form of forms) assert.equal((await press(form, { password: PASSWORD })).statusCode, 200);
});

test('200 on GET and HEAD of every page changes nothing, however often a mail scanner opens the link', async () => {
  const ada = await someone();
  const links = [
    ada.verifyLink,
    await resetLink(ada.email),
    await inviteLink(ada.email),
    await inviteLink('a@b.example'),
  ];
  const before = await everything();
  for (const link of [...links, ...links]) {
    const page = await open(link);
    assert.equal(page.statusCode, 200, link);
    const head = await open(link, 'HEAD');
    assert.equal(head.statusCode, 200, link);
    assert.equal(head.body, '');
  }
  assert.deepEqual(await everything(), before);
  assert.equal((await press(await open(ada.verifyLink))).statusCode, 200, 'and the links still work');
});

test('a hostile token, name or workspace is never markup', async () => {
  const { body: workspace } = await t.call('POST', '/workspaces', { token: ownerToken, body: { name: HOSTILE } });
  const shown = await open(await inviteLink('guest@example.com', 'viewer', workspace.id));
  assert.match(shown.body, /&quot;&gt;&lt;script&gt;/);
  const done = await press(shown, { name: HOSTILE, password: PASSWORD });
  assert.equal(done.statusCode, 200);
  const answers = [shown, done];
  for (const path of PATHS) {
    answers.push(await open(`${path}?token=${encodeURIComponent(HOSTILE)}`));
    answers.push(await submit(path, new URLSearchParams({ token: HOSTILE, password: HOSTILE }).toString()));
    answers.push(await submit(path, new URLSearchParams({ token: SOME_TOKEN, [HOSTILE]: HOSTILE }).toString()));
  }
  for (const answer of answers) assert.doesNotMatch(answer.body, /<script|"><s/);
});

test('a token stands in a hidden field and nowhere else', async () => {
  const ada = await someone();
  const pages = [
    await open(ada.verifyLink),
    await open(await resetLink(ada.email)),
    await open(await inviteLink(ada.email)),
  ];
  pages.push(await submit('/reset-password', `token=${SOME_TOKEN}&password=short`));
  for (const page of pages) {
    const hidden = /<input type="hidden" name="token" value="[\w-]{43}"\s*\/?>/;
    assert.match(page.body, hidden);
    assert.doesNotMatch(page.body.replace(hidden, ''), /[\w-]{43}/);
    assert.doesNotMatch(JSON.stringify(page.headers), /[\w-]{43}/);
  }
});

test('every answer is a page with a language, a title, an icon and its headers, and no script, also when it is refused', async () => {
  const url = PATHS[0];
  const answers = [
    await open(`${url}?token=${SOME_TOKEN}`),
    await open(url),
    await submit(url, `token=${SOME_TOKEN}&password=${PASSWORD}`),
    await submit(url, 'token=a&token=b'),
    await submit(url, `token=${'x'.repeat(9_000)}`),
    await t.app.inject({ method: 'POST', url, payload: { token: SOME_TOKEN, password: PASSWORD } }),
  ];
  assert.deepEqual(
    answers.map((answer) => answer.statusCode),
    [200, 400, 400, 400, 413, 415],
  );
  for (const { body, headers } of answers) {
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action/,
    );
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-robots-tag'], 'noindex');
    assert.match(body, /^<!doctype html>\s*<html lang="en">/);
    assert.match(body, /<meta name="viewport"/);
    assert.match(body, /<link rel="icon" type="image\/svg\+xml" href="data:image\/svg\+xml,[^"]+">/);
    assert.match(body, /<title>[^<]+ · Posthorn<\/title>/);
    assert.doesNotMatch(body, /<script|https?:\/\//);
  }
});

test('every input of a form that a person fills in has its label', async () => {
  const pages = [await open(`/reset-password?token=${SOME_TOKEN}`), await open(await inviteLink('label@example.com'))];
  for (const { body } of pages) {
    const ids = [...body.matchAll(/<input(?![^>]*type="hidden")[^>]*>/g)].map(([tag]) => /id="(\w+)"/.exec(tag)?.[1]);
    assert.ok(ids.length > 0);
    for (const id of ids) assert.match(body, new RegExp(`<label for="${id}">`));
  }
});

test('200 for the owner of the installation too: the link of the first account works', async () => {
  const done = await press(await open(await resetLink(OWNER.email)), { password: OWNER.password });
  assert.equal(done.statusCode, 200);
  ownerToken = (await t.signIn()).token;
});
