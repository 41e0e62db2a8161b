import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { TestApp } from '../../../../../test/harness/app.ts';
import type { Newsletter } from '../../newsletter.ts';
import {
  aMember,
  aPublicApp,
  CHROME,
  FORM,
  mailsTo,
  newsletterOf,
  rowOf,
  postForm,
  sendForm,
  statusOf,
  subscribe,
  visit,
} from '../test-kit.ts';

let app: TestApp;
let newsletter: Newsletter;
let open: Newsletter;
before(async () => {
  app = await aPublicApp({ POSTHORN_BLOCKED_EMAIL_DOMAINS: 'blocked.example' });
  newsletter = await newsletterOf(app, { slug: 'weekly' });
  open = await newsletterOf(app, { slug: 'open-door', doubleOptIn: false });
});
after(() => app.close());

const errorOf = (answer: { status: number; body: unknown }) => {
  const { statusCode, name, param } = answer.body as { statusCode: number; name: string; param?: string }; // the envelope
  assert.equal(statusCode, answer.status);
  return [answer.status, name, param];
};

test('200 pending for JSON, with a confirmation email and the evidence of who asked', async () => {
  const answer = await subscribe(
    app,
    'weekly',
    { email: 'Ada@Example.com', name: ' Ada ', source: 'footer', url: 'https://acme.example/blog?secret=1#x' },
    { 'user-agent': CHROME, referer: 'https://elsewhere.example/' },
  );
  assert.deepEqual(
    [answer.status, answer.body],
    [
      200,
      {
        success: true,
        status: 'pending',
        message:
          'Check your inbox. Nothing there after a few minutes? Look in your spam folder, or have the email sent again.',
      },
    ],
  );
  const row = await rowOf(app, newsletter, 'ada@example.com');
  assert.partialDeepStrictEqual(row, { status: 'pending', name: 'Ada', source: 'footer' });
  assert.partialDeepStrictEqual(row?.consent, {
    method: 'double_opt_in',
    signup_ip: '127.0.0.1',
    signup_user_agent: CHROME,
    signup_url: 'https://acme.example/blog',
    signup_via: 'public',
  });
  assert.equal(await mailsTo(app, 'ada@example.com'), 1);
});

test('200 for a script that sends null for what its form has not', async () => {
  const email = 'no.name@example.com';
  const answer = await subscribe(app, 'weekly', { email, name: null, source: null, url: null, website: null });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const row = await rowOf(app, newsletter, email);
  assert.deepEqual([row?.name, row?.consent.signup_url], [null, null]);
});

test('200 for a form of somebody’s script, and Referer is the page it stood on, without what follows the path', async () => {
  const answer = await app.request({
    method: 'POST',
    url: '/api/n/weekly/subscribe',
    key: null,
    body: 'email=form%40example.com&name=S%C3%B8ren',
    headers: { 'content-type': FORM, accept: '*/*', referer: 'https://acme.example/a?token=x' },
  });
  assert.partialDeepStrictEqual(answer.body, { success: true, status: 'pending' });
  const row = await rowOf(app, newsletter, 'form@example.com');
  assert.equal(row?.name, 'Søren');
  assert.equal(row.consent.signup_url, 'https://acme.example/a');
});

test('303 for a browser’s form, to a page that says that a mail was sent, and that a reload shows again without a sign-up', async () => {
  const redirected = await newsletterOf(app, { slug: 'redirected' });
  const sent = await postForm(app, '/api/n/redirected/subscribe', 'email=once@example.com');
  assert.equal(sent.status, 303, sent.text);
  const location = String(sent.headers.location);
  assert.match(location, /^\/(?:api\/)?n\/redirected\b/);
  assert.equal(sent.text, '');
  const signedUp = await rowOf(app, redirected, 'once@example.com');
  assert.equal(signedUp?.status, 'pending');
  const [page, again] = [await visit(app, location), await visit(app, location)];
  assert.deepEqual([page.status, again.status], [200, 200]);
  assert.match(page.text, /<h1[^>]*>[^<]*(?:mail|inbox)/i);
  assert.equal(again.text, page.text);
  assert.deepEqual(await rowOf(app, redirected, 'once@example.com'), signedUp, 'a read changes nothing');
});

test('200 with a page for a browser’s form, in the language of the newsletter', async () => {
  const german = await newsletterOf(app, { slug: 'deutsch', language: 'de' });
  const answer = await sendForm(app, '/api/n/deutsch/subscribe', 'email=browser@example.com');
  assert.equal(answer.status, 200);
  assert.match(answer.text, /<html lang="de">/);
  assert.match(answer.text, /action="\/api\/n\/deutsch\/resend"/);
  assert.equal(await statusOf(app, german, 'browser@example.com'), 'pending');
});

test('200 active where no confirmation is asked for, also for those who are on the list', async () => {
  for (let time = 0; time < 2; time += 1) {
    const answer = await subscribe(app, 'open-door', { email: 'at.once@example.com' });
    assert.partialDeepStrictEqual(answer.body, { success: true, status: 'active' });
  }
  assert.equal(await statusOf(app, open, 'at.once@example.com'), 'active');
  assert.equal(await mailsTo(app, 'at.once@example.com'), 0);
});

test('200 active for one who still waits, since confirmation is asked for no longer; a caller with a key changes nothing', async () => {
  const email = 'waited@example.com';
  const opened = await newsletterOf(app, { slug: 'opened' });
  const { id } = await aMember(app, opened, email, 'pending');
  const list = `/v1/newsletters/${opened.id}`;
  assert.equal((await app.request({ method: 'PATCH', url: list, body: { double_opt_in: false } })).status, 200);
  const known = await app.request({ url: `${list}/subscribers`, body: { email } });
  assert.partialDeepStrictEqual([known.status, known.body], [200, { id, status: 'pending' }]);
  const answer = await subscribe(app, 'opened', { email });
  assert.partialDeepStrictEqual([answer.status, answer.body], [200, { status: 'active' }]);
  const row = await rowOf(app, opened, email);
  assert.deepEqual([row?.status, row?.consent.method], ['active', 'single_opt_in']);
  const { rows } = await sql<{ type: string }>`select type from workspace_events
    where workspace_id = ${app.workspaceId} and payload -> 'subscriber' ->> 'id' = ${id} order by id`.execute(app.db);
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['newsletter.subscriber.created', 'newsletter.subscriber.confirmed'],
  );
});

test('200 with one text whatever the address was before, and only who left is mailed again', async () => {
  const answers = [];
  for (const status of ['new', 'pending', 'active', 'unsubscribed'] as const) {
    const email = `${status}@same.example`;
    if (status !== 'new') await aMember(app, newsletter, email, status);
    const before = await mailsTo(app, email);
    const { status: code, body, headers } = await subscribe(app, 'weekly', { email });
    const { 'x-request-id': _id, date: _date, ...rest } = headers;
    answers.push({ code, body, rest });
    const mails = (await mailsTo(app, email)) - before;
    assert.equal(mails, status === 'new' || status === 'unsubscribed' ? 1 : 0, status);
    assert.equal(await statusOf(app, newsletter, email), status === 'active' ? 'active' : 'pending', status);
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('200 and nothing stored when the hidden field is filled', async () => {
  const ordinary = await subscribe(app, 'weekly', { email: 'person@example.com' });
  const answer = await subscribe(app, 'weekly', { email: 'robot@example.com', website: 'https://spam.example' });
  assert.deepEqual([answer.status, answer.body], [ordinary.status, ordinary.body]);
  assert.equal(await rowOf(app, newsletter, 'robot@example.com'), undefined);
  assert.equal(await mailsTo(app, 'robot@example.com'), 0);
  const page = await sendForm(app, '/api/n/weekly/subscribe', 'email=robot%40example.com&website=x');
  assert.equal(page.status, 200);
  assert.equal(await rowOf(app, newsletter, 'robot@example.com'), undefined);
});

test('303 only to an origin that the newsletter names, whole; anything else is our own page', async () => {
  const given = await newsletterOf(app, { slug: 'redirecting', redirectOrigins: ['https://acme.example'] });
  const go = async (to: string) => {
    const answer = await sendForm(
      app,
      '/api/n/redirecting/subscribe',
      `email=r${Math.random()}%40example.com&redirect_url=${encodeURIComponent(to)}`,
    );
    return [answer.status, answer.headers.location];
  };
  assert.deepEqual(await go('https://acme.example/thanks?a=b'), [303, 'https://acme.example/thanks?a=b']);
  for (const bad of [
    'https://evil.example/',
    'http://acme.example/',
    'https://acme.example.evil.example/',
    'https://acme.example:8443/',
    'https://acme.example@evil.example/',
    'https://user:pw@acme.example/',
    '//evil.example',
    '/elsewhere',
    'https:evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://acme.example%0d%0aset-cookie:x',
    '',
  ])
    assert.deepEqual(await go(bad), [200, undefined], bad);
  // A script is told as JSON, wherever it asks to be sent.
  const script = await subscribe(app, 'redirecting', { email: 's@example.com', redirect_url: 'https://acme.example/' });
  assert.equal(script.status, 200);
  assert.ok(given);
});

test('400 naming the field for an email that is missing, an array, an object, too long or none', async () => {
  const bad: unknown[] = [
    {},
    { email: null },
    { email: ['a@example.com'] },
    { email: { address: 'a@example.com' } },
    { email: 7 },
    { email: '' },
    { email: `${'x'.repeat(10_000)}@example.com` },
    { email: 'no address' },
    { email: 'a@b.example, c@d.example' },
    { email: 'Ada <ada@example.com>' },
    { email: 'a@b.example\r\nBcc: c@d.example' },
    { email: 'a@b.example%0d%0aBcc:x' },
    { email: 'ü@example.com' },
    { email: 'a..b@example.com' },
    { email: '=?x?q?collab=40evil.test=3e=00?=foo@valid.test' },
  ];
  for (const body of bad) {
    const answer = await subscribe(app, 'weekly', body);
    assert.deepEqual(errorOf(answer), [400, 'validation_error', 'email'], JSON.stringify(body).slice(0, 80));
  }
  for (const [field, value] of [
    ['source', 'x'.repeat(10_240)],
    ['name', 'x'.repeat(65)],
    ['name', 'see https://spam.example'],
    ['name', 'www.spam.example'],
    ['name', 'a\r\nBcc: x'],
    ['name', { first: 'x' }],
  ] as const) {
    const answer = await subscribe(app, 'weekly', { email: 'bad.field@example.com', [field]: value });
    assert.deepEqual(errorOf(answer), [400, 'validation_error', field]);
  }
  for (const body of ['null', '[]', '"x"', '1', 'true', '{', '']) {
    assert.equal((await subscribe(app, 'weekly', body)).status, 400, body);
  }
  assert.equal(await rowOf(app, newsletter, 'bad.field@example.com'), undefined);
});

test('400 with the form again for a browser, with what was typed as text and nothing of it as markup', async () => {
  const answer = await sendForm(
    app,
    '/api/n/weekly/subscribe',
    `email=${encodeURIComponent('"><script>alert(1)</script>')}&name=${encodeURIComponent("'-alert(1)-'{{7*7}}</title>")}`,
  );
  assert.equal(answer.status, 400);
  assert.match(String(answer.headers['content-type']), /^text\/html/);
  assert.match(answer.text, /id="email-problem"/);
  assert.doesNotMatch(answer.text, /<script|<\/title>\s*[^<\s]|value="">/i);
  const missing = await sendForm(app, '/api/n/weekly/subscribe', 'name=Ada');
  assert.match(missing.text, /Enter your email address/);
});

test('200 a second later for our own form at once, 400 for a forged one, and a form without the field always works', async () => {
  const page = await app.request({ url: '/n/weekly', key: null, headers: { accept: 'text/html' } });
  const shownAt = /name="shown_at" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const version = /name="form_version" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  assert.notEqual(shownAt, '');
  const send = (email: string, token: string) =>
    sendForm(
      app,
      '/api/n/weekly/subscribe',
      `email=${email}%40quick.example&shown_at=${encodeURIComponent(token)}&form_version=${version}`,
    );
  const sentAt = performance.now();
  app.clock.advance(-60_000); // at once, however long the machine took for the page
  assert.equal((await send('quick', shownAt)).status, 200);
  app.clock.advance(60_000);
  assert.ok(performance.now() - sentAt >= 990, 'it took the time that a person takes');
  const forged = await send('forged', 'lx1abcde.AAAAAAAAAAAAAAAAAAAAAA');
  assert.equal(forged.status, 400);
  assert.match(forged.text, /press the button once more/);
  assert.equal(await rowOf(app, newsletter, 'forged@quick.example'), undefined);
  app.clock.advance(1_500);
  assert.equal((await send('slow', shownAt)).status, 200);
  assert.equal((await sendForm(app, '/api/n/weekly/subscribe', 'email=custom%40quick.example')).status, 200);
  const { rows } = await sql<{ form_version: string | null }>`
    select form_version from consents where workspace_id = ${app.workspaceId} and email like '%@quick.example' order by id`.execute(
    app.db,
  );
  assert.deepEqual(rows, [{ form_version: version }, { form_version: version }, { form_version: null }]);
});

test('404 for a slug that there is not, as JSON and as a page, and nothing of it is shown', async () => {
  const json = await subscribe(app, 'nobody-has-this', { email: 'a@example.com' });
  assert.deepEqual(errorOf(json), [404, 'not_found_error', undefined]);
  const page = await sendForm(app, '/api/n/nobody-has-this/subscribe', 'email=a%40example.com');
  assert.equal(page.status, 404);
  assert.match(page.text, /Page not found/);
  assert.doesNotMatch(page.text, /nobody-has-this/);
});

test('415 for other types; 413 for a body above 16 kB; nothing is stored', async () => {
  for (const [type, payload] of [
    ['text/plain', '{"email":"a@example.com"}'],
    ['application/xml', '<x/>'],
    ['multipart/form-data; boundary=x', '--x--'],
  ] as const) {
    const answer = await app.request({
      method: 'POST',
      url: '/api/n/weekly/subscribe',
      key: null,
      body: payload,
      headers: { 'content-type': type },
    });
    assert.equal(answer.status, 415, type);
  }
  const large = await subscribe(app, 'weekly', { email: 'large@example.com', source: 'x'.repeat(20_000) });
  assert.equal(large.status, 413);
  const page = await sendForm(app, '/api/n/weekly/subscribe', 'x', { 'content-type': 'text/plain' });
  assert.equal(page.status, 415);
  assert.match(String(page.headers['content-type']), /^text\/html/);
});

test('422 with one and the same text for suppressed, disposable and blocked addresses, at any depth', async () => {
  await app.request({ method: 'POST', url: '/v1/suppressions', body: { email: 'gone@example.com' } });
  const texts = new Set<string>();
  for (const email of [
    'gone@example.com',
    'GONE@Example.com',
    'x@mailinator.com',
    'x@deep.below.MAILINATOR.com',
    'x@blocked.example',
    'x@sub.blocked.example',
  ]) {
    const answer = await subscribe(app, 'weekly', { email });
    assert.deepEqual(errorOf(answer), [422, 'validation_error', 'email'], email);
    const { message } = answer.body as { message: string }; // the envelope
    texts.add(message);
    assert.equal(await rowOf(app, newsletter, email.toLowerCase()), undefined);
    assert.equal(await mailsTo(app, email.toLowerCase()), 0);
  }
  assert.equal(texts.size, 1);
  assert.equal((await subscribe(app, 'weekly', { email: 'x@mailinator.com.example' })).status, 200);
  const page = await sendForm(app, '/api/n/weekly/subscribe', 'email=x%40mailinator.com');
  assert.equal(page.status, 422);
  assert.match(page.text, /cannot be subscribed/);
});

test('422 on every entry alike while sign-up is closed', async () => {
  const closed = await newsletterOf(app, { slug: 'closed', signupEnabled: false });
  for (const path of ['subscribe', 'resend']) {
    const json = await app.request({
      method: 'POST',
      url: `/api/n/closed/${path}`,
      key: null,
      body: { email: 'a@example.com' },
    });
    assert.deepEqual(errorOf(json), [422, 'validation_error', 'slug']);
    const page = await sendForm(app, `/api/n/closed/${path}`, 'email=a%40example.com');
    assert.equal(page.status, 422);
    assert.match(page.text, /Sign-up is closed/);
  }
  assert.equal(await rowOf(app, closed, 'a@example.com'), undefined);
});

test('503 with one answer for known and unknown addresses while no confirmation email can be sent', async () => {
  const mute = await newsletterOf(app, { slug: 'mute' });
  for (const status of ['pending', 'active', 'unsubscribed'] as const)
    await aMember(app, mute, `${status}@mute.example`, status);
  await sql`update newsletters set from_email = 'news@not-verified.example'
             where workspace_id = ${app.workspaceId} and id = ${mute.id}`.execute(app.db);
  const answers = await Promise.all(
    ['pending', 'active', 'unsubscribed', 'unknown'].map(async (who) => {
      const { status, body } = await subscribe(app, 'mute', { email: `${who}@mute.example` });
      const page = await sendForm(app, '/api/n/mute/subscribe', `email=${who}%40mute.example`);
      const { message } = body as { message: string }; // the envelope
      return [status, message, page.status, page.text.replaceAll(/req_\w+|[0-9a-f-]{36}/g, '')];
    }),
  );
  assert.deepEqual([answers[0]?.[0], answers[0]?.[2]], [503, 503]);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(await rowOf(app, mute, 'unknown@mute.example'), undefined);
  assert.equal(await statusOf(app, mute, 'unsubscribed@mute.example'), 'unsubscribed');
});
