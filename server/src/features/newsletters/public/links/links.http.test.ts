import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { TestApp } from '../../../../../test/harness/app.ts';
import { until } from '../../../../../test/harness/until.ts';
import type { Newsletter } from '../../newsletter.ts';
import { pagesOf } from '../pages/http/test-kit.ts';
import {
  aMember,
  aPublicApp,
  assertPage,
  eventsOf,
  mailsTo,
  FORM,
  ONE_CLICK,
  newsletterOf,
  rowOf,
  sendForm,
  statusOf,
  subscribe,
  tokenFor,
  visit,
} from '../test-kit.ts';

const MACHINES: { who: string; headers: Record<string, string>; method?: 'GET' | 'HEAD' }[] = [
  { who: 'HEAD', headers: {}, method: 'HEAD' },
  { who: 'Chrome, ahead of time', headers: { 'sec-purpose': 'prefetch;prerender' } },
  { who: 'Safari, for a preview', headers: { purpose: 'prefetch' } },
  { who: 'Firefox, ahead of time', headers: { 'x-moz': 'prefetch' } },
  { who: 'a part of the page', headers: { range: 'bytes=0-100' } },
  { who: 'a scanner by name', headers: { 'user-agent': 'Mozilla/5.0 (compatible; Mimecast URL Protect)' } },
  {
    who: 'a preview of a chat',
    headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  },
  { who: 'a scanner by its known network', headers: { 'x-forwarded-for': '150.70.1.2' } },
  { who: 'a scanner by a network that was named', headers: { 'x-forwarded-for': '::ffff:198.51.100.7' } },
];

let app: TestApp;
let newsletter: Newsletter;
before(async () => {
  app = await aPublicApp({ POSTHORN_SCANNER_NETWORKS: '198.51.100.0/24', POSTHORN_TRUST_PROXY: '127.0.0.1/32' });
  newsletter = await newsletterOf(app, { slug: 'weekly', name: 'Acme Weekly' });
});
after(() => app.close());

let made = 0;
const someone = (status: 'pending' | 'active' | 'unsubscribed' = 'active', of = newsletter) =>
  aMember(app, of, `person${(made += 1)}@links.example`, status);

const confirmUrl = async (row: Awaited<ReturnType<typeof someone>>) =>
  `/api/n/confirm?token=${await tokenFor(app, 'nl_confirm', row)}`;
const leaveUrl = async (row: Awaited<ReturnType<typeof someone>>, issueId?: string) =>
  `/api/n/unsubscribe?token=${await tokenFor(app, 'nl_unsub', row, issueId)}`;

test('200 for the link of the confirmation email, which makes active, once, with the evidence of it', async () => {
  const row = await someone('pending');
  const url = await confirmUrl(row);
  for (let time = 0; time < 2; time += 1) {
    const answer = await visit(app, url);
    assert.equal(answer.status, 200);
    assertPage(answer);
    assert.match(answer.text, /Your subscription is confirmed/);
  }
  const now = await rowOf(app, newsletter, row.email);
  assert.partialDeepStrictEqual(now, { status: 'active', consent: { confirmed_ip: '127.0.0.1' } });
  assert.deepEqual(await eventsOf(app, row), ['newsletter.subscriber.created', 'newsletter.subscriber.confirmed']);
  const { rows } = await sql<{ token_id: string | null }>`
    select token_id from consents where workspace_id = ${app.workspaceId} and subscriber_id = ${row.id}
       and action = 'confirmed'`.execute(app.db);
  assert.match(rows[0]?.token_id ?? '', /^[A-Za-z0-9_-]{12}$/);
});

test('200 for a confirmation with the newest issues to begin with, where there are some', async () => {
  const of = await newsletterOf(app, { slug: 'begun', name: 'Begun' });
  const url = await confirmUrl(await someone('pending', of));
  const read = async () =>
    [...(await visit(app, url)).text.matchAll(/\/begun\/(archive|i\/[^"]*)"/g)].map(([, to]) => to);
  assert.deepEqual(await read(), []);
  await pagesOf(() => app).issue(of.id, { slug: 'first' });
  assert.deepEqual(await read(), ['i/first', 'archive']);
});

test('200 for the link to leave: at once, once, with Undo and preferences, and no second event', async () => {
  const row = await someone();
  const url = await leaveUrl(row);
  for (let time = 0; time < 3; time += 1) {
    const answer = await visit(app, url);
    assert.equal(answer.status, 200);
    assertPage(answer);
    assert.match(answer.text, /value="undo"|unsubscribe\/undo/);
    assert.match(answer.text, /\/api\/n\/preferences\?token=/);
    assert.doesNotMatch(answer.text, new RegExp(row.email), 'the address is shown masked');
  }
  assert.equal(await statusOf(app, newsletter, row.email), 'unsubscribed');
  assert.equal((await eventsOf(app, row)).filter((type) => type === 'newsletter.subscriber.unsubscribed').length, 1);
});

for (const userAgent of ['node', 'curl/8.14.1', '', 'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0.0.0']) {
  test(`200 for the links as "${userAgent}", which somebody has started: they act at once`, async () => {
    const [asked, leaving] = [await someone('pending'), await someone()];
    const headers = { 'user-agent': userAgent };
    assert.equal((await visit(app, await confirmUrl(asked), headers)).status, 200);
    assert.equal((await visit(app, await leaveUrl(leaving), headers)).status, 200);
    assert.equal(await statusOf(app, newsletter, asked.email), 'active');
    assert.equal(await statusOf(app, newsletter, leaving.email), 'unsubscribed');
  });
}

for (const [type, body] of [
  [FORM, ONE_CLICK],
  [`${FORM}; charset=UTF-8`, `${ONE_CLICK}&ignored=1`],
  [
    'multipart/form-data; boundary=abc',
    '--abc\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--abc--\r\n',
  ],
] as const) {
  test(`200 for one click as ${type}: in place, whoever sends it, and in effect before the answer`, async () => {
    const row = await someone();
    const answer = await sendForm(app, await leaveUrl(row), body, {
      'content-type': type,
      accept: '*/*',
      'user-agent': 'Google-Mail-Bot',
    });
    assert.equal(answer.status, 200);
    assertPage(answer);
    assert.equal(await statusOf(app, newsletter, row.email), 'unsubscribed');
  });
}

test('400 for any other body, and nobody leaves', async () => {
  const row = await someone();
  const url = await leaveUrl(row);
  for (const body of [
    '',
    'x=y',
    'List-Unsubscribe=one-click',
    'List-Unsubscribe=',
    `${ONE_CLICK}&${ONE_CLICK}`,
    'action=delete',
    '%ff',
  ]) {
    const answer = await sendForm(app, url, body);
    assert.equal(answer.status, 400, body);
    assertPage(answer);
  }
  assert.equal(
    (await sendForm(app, url, '{"List-Unsubscribe":"One-Click"}', { 'content-type': 'application/json' })).status,
    415,
  );
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
});

test('200 with a button for every kind of machine, which changes nothing; the button works', async () => {
  for (const { who, headers, method = 'GET' } of MACHINES) {
    const [pending, active] = [await someone('pending'), await someone()];
    const asked = await visit(app, await leaveUrl(active), headers, method);
    assert.equal(asked.status, 200, who);
    assert.equal(await statusOf(app, newsletter, active.email), 'active', who);
    const confirm = await visit(app, await confirmUrl(pending), headers, method);
    assert.equal(confirm.status, 200, who);
    assert.equal(await statusOf(app, newsletter, pending.email), 'pending', who);
    if (method === 'HEAD') continue;
    assert.match(asked.text, /method="post"/);
    assert.match(confirm.text, /method="post"/);
    assert.equal((await sendForm(app, await leaveUrl(active), ONE_CLICK)).status, 200);
    assert.equal((await sendForm(app, await confirmUrl(pending), 'action=confirm')).status, 200);
    assert.equal(await statusOf(app, newsletter, active.email), 'unsubscribed', who);
    assert.equal(await statusOf(app, newsletter, pending.email), 'active', who);
  }
});

test('200 with a button for everybody where the newsletter asks first; one click acts all the same', async () => {
  const careful = await newsletterOf(app, { slug: 'careful', unsubscribeConfirmPage: true });
  const row = await someone('active', careful);
  assert.match((await visit(app, await leaveUrl(row))).text, /method="post"/);
  assert.equal(await statusOf(app, careful, row.email), 'active');
  await sendForm(app, await leaveUrl(row), ONE_CLICK);
  assert.equal(await statusOf(app, careful, row.email), 'unsubscribed');
  const pending = await someone('pending', careful);
  await visit(app, await confirmUrl(pending));
  assert.equal(await statusOf(app, careful, pending.email), 'active', 'it asks about leaving only');
});

test('200 for Undo within a day, by its own address and by the button’s; 409 after it', async () => {
  for (const [before, press] of [
    ['active', async (url: string) => sendForm(app, url, 'action=undo')],
    ['pending', async (url: string) => sendForm(app, url.replace('?', '/undo?'), '')],
  ] as const) {
    const row = await someone(before);
    const url = await leaveUrl(row);
    await visit(app, url);
    const answer = await press(url);
    assert.equal(answer.status, 200, answer.text);
    assertPage(answer);
    assert.equal(await statusOf(app, newsletter, row.email), before);
  }
  const late = await someone();
  const url = await leaveUrl(late);
  await visit(app, url);
  app.clock.advance(24 * 3_600_000 + 1_000);
  const answer = await sendForm(app, url, 'action=undo');
  assert.equal(answer.status, 409);
  assertPage(answer);
  assert.equal(await statusOf(app, newsletter, late.email), 'unsubscribed');
});

test('303 from every button to a page that shows the same when it is loaded again, and changes nothing', async () => {
  const second = await newsletterOf(app);
  const accept = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  const press = async (url: string, payload: string): Promise<string> => {
    const sent = await app.app.inject({ method: 'POST', url, payload, headers: accept });
    assert.deepEqual([sent.statusCode, sent.body], [303, ''], payload);
    return String(sent.headers.location);
  };
  const pending = await someone('pending');
  const row = await someone();
  await aMember(app, second, row.email);
  const leave = await leaveUrl(row);
  for (const [who, url, fields, status, title] of [
    [pending, await confirmUrl(pending), 'action=confirm', 'active', 'Your subscription is confirmed'],
    [row, leave, 'action=leave', 'unsubscribed', 'You are unsubscribed'],
    [row, leave, 'action=undo', 'active', 'Welcome back'],
    [row, leave, 'action=everywhere', 'unsubscribed', 'You are unsubscribed from everything'],
  ] as const) {
    const location = await press(url, fields);
    assert.equal(await statusOf(app, newsletter, who.email), status);
    for (let times = 0; times < 2; times += 1) {
      const page = await visit(app, location);
      assert.equal(page.status, 200, location);
      assert.ok(page.text.includes(`<h1>${title}</h1>`), `${fields}: ${page.text}`);
      assertPage(page);
      assert.equal(await statusOf(app, newsletter, who.email), status, 'nothing has changed');
    }
  }
  const click = await app.app.inject({
    method: 'POST',
    url: leave,
    payload: 'List-Unsubscribe=One-Click',
    headers: accept,
  });
  assert.equal(click.statusCode, 200, 'one click is answered in place, whoever sends it');
});

test('a link to confirm whose end was cut off offers a new one, of the newsletter that it names', async () => {
  const row = await someone('pending');
  const url = await confirmUrl(row);
  const cut = await visit(app, url.slice(0, -10));
  assert.equal(cut.status, 400);
  assertPage(cut);
  assert.match(cut.text, /<form method="post" action="\/api\/n\/weekly\/resend"[^]*name="email"/);
  assert.equal(await statusOf(app, newsletter, row.email), 'pending');
  const forged = await visit(
    app,
    url.replace(/\.[^.]*\./, `.${Buffer.from('{"w":1,"n":"x"}').toString('base64url')}.`),
  );
  assert.equal(forged.status, 400);
  assert.match(forged.text, /<form method="post" action="\/api\/n\/confirm\/resend"[^]*name="email"/);
});

test('a link that names no newsletter offers a new one for each pending sign-up of an address, and tells nothing', async () => {
  const other = await newsletterOf(app);
  const email = `cut-${newId()}@example.com`;
  await aMember(app, newsletter, email, 'pending');
  await aMember(app, other, email, 'pending');
  await aMember(app, await newsletterOf(app), email, 'active');
  // Sign-ups of hours ago, which leave room for more emails.
  await sql`truncate attempt_counts`.execute(app.db);
  const before = await mailsTo(app, email);
  const cut = await visit(app, '/api/n/confirm?token=eyJhbGciOi');
  assert.equal(cut.status, 400);
  assertPage(cut);
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(cut.text) ?? [];
  const ask = (address: string) => sendForm(app, action, `email=${encodeURIComponent(address)}`);
  const answer = await ask(email);
  assert.equal(answer.status, 200);
  assertPage(answer);
  await until('the links are sent', async () => (await mailsTo(app, email)) === before + 2 || undefined);
  const unknown = await ask(`nobody-${newId()}@example.com`);
  assert.deepEqual([unknown.status, unknown.text], [answer.status, answer.text]);
  const statuses = [];
  for (let time = 0; time < 5; time += 1) statuses.push((await ask(email)).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
  await allLinksSent(ask);
  assert.equal(await mailsTo(app, email), before + 3, 'an address is sent three emails an hour');
  assert.equal((await ask('nobody')).status, 400);
});

/** One address is served after the other. */
async function allLinksSent(ask: (address: string) => Promise<unknown>): Promise<void> {
  const last = `last-${newId()}@example.com`;
  await aMember(app, newsletter, last, 'pending');
  const before = await mailsTo(app, last);
  await ask(last);
  await until('the last link is sent', async () => (await mailsTo(app, last)) > before || undefined);
}

test('the answer to who asks for new links does not wait for a sign-up: its time tells nothing', async () => {
  const email = `slow-${newId()}@example.com`;
  await aMember(app, newsletter, email, 'pending');
  await sql`truncate attempt_counts`.execute(app.db);
  const before = await mailsTo(app, email);
  const ask = (address: string) => sendForm(app, '/api/n/confirm/resend', `email=${encodeURIComponent(address)}`);
  await inTransaction(app.db, async (tx) => {
    await sql`select from subscribers where email = ${email} for update`.execute(tx);
    assert.equal((await ask(email)).status, 200);
    assert.equal(await mailsTo(app, email), before);
  });
  await allLinksSent(ask);
  assert.equal(await mailsTo(app, email), before + 1);
});

test('everything can be left only by a person who is on more than one list', async () => {
  const second = await newsletterOf(app);
  const row = await someone();
  assert.doesNotMatch((await visit(app, await leaveUrl(row))).text, /value="everywhere"/);
  const other = await someone();
  await aMember(app, second, other.email);
  assert.match((await visit(app, await leaveUrl(other))).text, /value="everywhere"/);
});

test('200 for everything: every list of this workspace, and of no other', async () => {
  const second = await newsletterOf(app);
  const row = await someone();
  await aMember(app, second, row.email, 'pending');
  const answer = await sendForm(app, await leaveUrl(row), 'action=everywhere');
  assert.equal(answer.status, 200);
  assertPage(answer);
  for (const list of [newsletter, second]) assert.equal(await statusOf(app, list, row.email), 'unsubscribed');
  const again = await someone();
  const alone = await sendForm(app, (await leaveUrl(again)).replace('?', '/everywhere?'), '');
  assert.equal(alone.status, 200);
  assert.equal(await statusOf(app, newsletter, again.email), 'unsubscribed');
});

test('400 for a link to confirm from before an unsubscribe, by any way, and nobody comes back', async () => {
  const row = await someone('pending');
  const url = await confirmUrl(row);
  await visit(app, await leaveUrl(row));
  for (const answer of [
    await visit(app, url),
    await sendForm(app, url, ''),
    await visit(app, url, { purpose: 'prefetch' }),
  ]) {
    assert.equal(answer.status, 400);
    assertPage(answer);
  }
  assert.equal(await statusOf(app, newsletter, row.email), 'unsubscribed');
  await subscribe(app, 'weekly', { email: row.email });
  assert.equal((await visit(app, url)).status, 400, 'nor after signing up again');
  assert.equal(await statusOf(app, newsletter, row.email), 'pending');
});

test('400 with a way to ask for a new one when a link to confirm is more than seven days old', async () => {
  const row = await someone('pending');
  const url = await confirmUrl(row);
  app.clock.advance(7 * 86_400_000);
  const answer = await visit(app, url);
  assert.equal(answer.status, 400);
  assertPage(answer);
  assert.match(answer.text, /action="\/api\/n\/weekly\/resend"/);
  assert.equal(await statusOf(app, newsletter, row.email), 'pending');
});

test('400 as a page for links that are none, of another purpose, or given twice; none of it is shown', async () => {
  const row = await someone();
  const [confirm, leave] = [await tokenFor(app, 'nl_confirm', row), await tokenFor(app, 'nl_unsub', row)];
  const marker = 'marker<script>alert(1)</script>';
  const bad = [
    '',
    '?token=',
    '?other=1',
    `?token=${encodeURIComponent(marker)}`,
    `?token=${leave}x`,
    `?token=${leave}=`,
    `?token=${leave}%20`,
    `?token=${leave}&token=${leave}`,
    `?token[]=${leave}`,
    `?token=${confirm}`,
    `?token=${'x'.repeat(8_192)}`,
    '?token=%ff',
    '?token=%00',
  ];
  for (const query of bad) {
    const answers = [
      await visit(app, `/api/n/unsubscribe${query}`),
      await sendForm(app, `/api/n/unsubscribe${query}`, ONE_CLICK),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 400, query.slice(0, 60));
      assertPage(answer);
      assert.doesNotMatch(answer.text, /marker|eyJ/);
    }
  }
  assert.equal((await visit(app, `/api/n/confirm?token=${leave}`)).status, 400);
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
});

test('404 as a page when the subscriber, the newsletter or the workspace is gone; who signed up again leaves by the link of before', async () => {
  const short = await newsletterOf(app);
  const row = await someone('active', short);
  const [leave, confirm] = [await leaveUrl(row), await confirmUrl(row)];
  await sql`delete from subscribers where workspace_id = ${app.workspaceId} and id = ${row.id}`.execute(app.db);
  await aMember(app, short, row.email);
  const gone = async (what: string, urls: string[]): Promise<void> => {
    for (const url of urls) {
      const answer = await visit(app, url);
      assert.equal(answer.status, 404, what);
      assertPage(answer);
    }
  };
  await gone('subscriber', [confirm]);
  assert.equal(await statusOf(app, short, row.email), 'active');
  assert.equal((await sendForm(app, leave, ONE_CLICK)).status, 200);
  assert.equal(await statusOf(app, short, row.email), 'unsubscribed');
  const preferences = /\/api\/n\/preferences\?token=[\w.-]+/.exec((await visit(app, leave)).text)?.[0] ?? assert.fail();
  assert.equal((await visit(app, preferences)).status, 200, 'the choices of who signed up again');
  await sql`delete from newsletters where workspace_id = ${app.workspaceId} and id = ${short.id}`.execute(app.db);
  await gone('newsletter', [leave, confirm]);
  assert.equal((await sendForm(app, leave, ONE_CLICK)).status, 404);
  const elsewhere = await tokenFor(app, 'nl_unsub', { ...row, workspaceId: newId() });
  assert.equal((await visit(app, `/api/n/unsubscribe?token=${elsewhere}`)).status, 404);
});

test('405 with the methods there are, and HEAD and OPTIONS change nothing', async () => {
  const row = await someone();
  const url = await leaveUrl(row);
  const table: [string, string, number, string][] = [
    ['PUT', url, 405, 'GET, HEAD, POST'],
    ['DELETE', url, 405, 'GET, HEAD, POST'],
    ['OPTIONS', url, 405, 'GET, HEAD, POST'],
    ['DELETE', '/api/n/unsubscribe/undo', 405, 'GET, HEAD, POST'],
    ['GET', '/api/n/weekly/subscribe', 405, 'POST, OPTIONS'],
    ['DELETE', '/api/n/weekly/subscribe', 405, 'POST, OPTIONS'],
    ['GET', '/api/n/weekly/resend', 405, 'POST, OPTIONS'],
    ['POST', '/api/n/weekly', 405, 'GET, HEAD, OPTIONS'],
  ];
  for (const [method, path, status, allow] of table) {
    const answer = await app.request({ method, url: path, key: null, headers: { 'x-http-method-override': 'DELETE' } });
    assert.deepEqual([answer.status, answer.headers.allow], [status, allow], `${method} ${path}`);
  }
  assert.equal(await statusOf(app, newsletter, row.email), 'active');
});

test('only the form, its second email and what it shows may be read by everybody’s pages', async () => {
  const row = await someone();
  const origin = { origin: 'https://acme.example', 'access-control-request-method': 'POST' };
  for (const path of ['/api/n/weekly/subscribe', '/api/n/weekly/resend', '/api/n/weekly']) {
    const answer = await app.request({ method: 'OPTIONS', url: path, key: null, headers: origin });
    assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [204, '*'], path);
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  }
  for (const url of [await leaveUrl(row), await confirmUrl(row)]) {
    const answer = await visit(app, url, origin);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  }
});

test('200 for what a custom form shows, and 404 for none', async () => {
  await newsletterOf(app, { slug: 'shown', name: 'Shown <b>', description: 'Weekly.', language: 'fr' });
  const answer = await app.request({ url: '/api/n/shown', key: null });
  assert.deepEqual(
    [answer.status, answer.body],
    [
      200,
      {
        slug: 'shown',
        name: 'Shown <b>',
        description: 'Weekly.',
        language: 'fr',
        accent_color: null,
        logo_url: null,
        double_opt_in: true,
        signup_enabled: true,
        archive_enabled: true,
        ask_name: true,
        human_proof: null,
        subscribe_url: 'https://app.example.com/n/shown',
        archive_url: 'https://app.example.com/n/shown/archive',
      },
    ],
  );
  assert.match(String(answer.headers['cache-control']), /max-age=60/);
  for (const slug of ['nothing', 'SHOWN%00', '..%2fshown'])
    assert.equal((await app.request({ url: `/api/n/${slug}`, key: null })).status, 404, slug);
});
