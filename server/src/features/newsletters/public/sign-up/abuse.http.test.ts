import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { TestAnswer, TestApp } from '../../../../../test/harness/app.ts';
import type { Newsletter } from '../../newsletter.ts';
import {
  aMember,
  aPublicApp,
  FORM,
  mailsTo,
  newsletterOf,
  rowOf,
  sendForm,
  statusOf,
  subscribe,
  tokenFor,
  visit,
} from '../test-kit.ts';

let limited: TestApp;
let free: TestApp;
let weekly: Newsletter;
before(async () => {
  // A proxy that is trusted names the caller, so that one test can be many callers.
  [limited, free] = await Promise.all([
    aPublicApp({
      POSTHORN_TRUST_PROXY: '127.0.0.1/32',
      POSTHORN_PUBLIC_LIMIT_PER_MINUTE: '4',
      POSTHORN_PUBLIC_LIMIT_PER_HOUR: '10',
    }),
    aPublicApp(),
  ]);
  await newsletterOf(limited, { slug: 'weekly' });
  weekly = await newsletterOf(free, { slug: 'weekly' });
});
beforeEach(async () => {
  for (const app of [limited, free]) await sql`truncate attempt_counts`.execute(app.db);
});
after(async () => {
  await limited.close();
  await free.close();
});

let made = 0;
/** Bad addresses take no time, and count like all others. */
const ask = (from: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  subscribe(limited, 'weekly', { email: 'none' }, { 'x-forwarded-for': from, ...headers });

test('429 with Retry-After for the fifth in a minute and the eleventh in an hour, before anything is looked at', async () => {
  const statuses = [];
  for (let time = 0; time < 5; time += 1) statuses.push((await ask('192.0.2.1')).status);
  assert.deepEqual(statuses, [400, 400, 400, 400, 429]);
  const refused = await ask('192.0.2.1');
  assert.match(String(refused.headers['retry-after']), /^\d+$/);
  assert.match(
    (refused.body as { message: string }).message,
    /or raise POSTHORN_PUBLIC_LIMIT_PER_MINUTE on the server/,
  );
  assert.partialDeepStrictEqual(refused.body, { name: 'rate_limit_error', statusCode: 429 });
  assert.equal(refused.headers['access-control-allow-origin'], '*');
  for (let minute = 0; minute < 2; minute += 1) {
    limited.clock.advance(61_000);
    for (let time = 0; time < 3; time += 1) assert.equal((await ask('192.0.2.1')).status, 400);
  }
  limited.clock.advance(61_000);
  assert.equal((await ask('192.0.2.1')).status, 429);
  assert.equal((await ask('192.0.2.2')).status, 400, 'others are served');
});

test('429 for the 41st page, feed or public record in a minute: ten times what may be written, and counted apart', async () => {
  const from = { 'x-forwarded-for': '192.0.2.77' };
  const read = ['/n/weekly', '/n/weekly/archive', '/n/weekly/feed.xml', '/api/n/weekly', '/n/weekly/embed'];
  for (let time = 0; time < 8; time += 1)
    for (const url of read) assert.equal((await visit(limited, url, from)).status, 200, url);
  for (const url of read) {
    const refused = await visit(limited, url, from);
    assert.equal(refused.status, 429, url);
    assert.match(String(refused.headers['retry-after']), /^\d+$/);
  }
  assert.equal((await ask('192.0.2.77')).status, 400, 'what writes has its own');
  assert.equal((await visit(limited, '/n/weekly', { 'x-forwarded-for': '192.0.2.78' })).status, 200);
});

test('429 counts JSON, somebody’s form, our own form and sending again together', async () => {
  const from = { 'x-forwarded-for': '192.0.2.9' };
  await subscribe(limited, 'weekly', { email: 'none' }, from);
  await sendForm(limited, '/api/n/weekly/subscribe', 'email=none', from);
  await limited.request({
    method: 'POST',
    url: '/api/n/weekly/subscribe',
    body: 'email=none',
    key: null,
    headers: { 'content-type': FORM, ...from },
  });
  await limited.request({
    method: 'POST',
    url: '/api/n/weekly/resend',
    body: { email: 'none' },
    key: null,
    headers: from,
  });
  assert.equal((await subscribe(limited, 'weekly', { email: 'none' }, from)).status, 429);
  const page = await sendForm(limited, '/api/n/weekly/subscribe', 'email=none', from);
  assert.equal(page.status, 429);
  assert.match(page.text, /Please wait a moment/);
  assert.match(String(page.headers['retry-after']), /^\d+$/);
  // Slugs cannot be tried out faster.
  assert.equal((await subscribe(limited, 'no-such', { email: 'none' }, from)).status, 429);
});

test('429 for a /64 as for one address, for IPv4 however it is written, and whatever a caller says of proxies', async () => {
  for (let host = 1; host <= 4; host += 1) await ask(`2001:db8:0:1:${host}::1`);
  assert.equal((await ask('2001:db8:0:1:ffff::9')).status, 429);
  assert.equal((await ask('2001:db8:0:2::1')).status, 400);
  for (const way of ['192.0.2.50', '::ffff:192.0.2.50', '192.0.2.50', '::ffff:192.0.2.50']) await ask(way);
  assert.equal((await ask('192.0.2.50')).status, 429);
  // The left part of the last is the caller's own writing.
  for (let time = 0; time < 4; time += 1) await ask(`10.9.8.${time}, 192.0.2.60`);
  assert.equal((await ask('198.51.100.99, 192.0.2.60')).status, 429);
});

test('429 for a hundred at once lets exactly the limit pass', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask('192.0.2.70')));
  assert.equal(answers.filter(({ status }) => status === 400).length, 4);
  assert.equal(answers.filter(({ status }) => status === 429).length, 96);
});

test('429 for who tries links that are none of ours; good links never count', async () => {
  const from = { 'x-forwarded-for': '192.0.2.80' };
  const statuses = [];
  for (let time = 0; time < 6; time += 1)
    statuses.push((await visit(limited, '/api/n/unsubscribe?token=a.b.c', from)).status);
  assert.deepEqual(statuses, [400, 400, 400, 400, 429, 429]);
  const list = await newsletterOf(limited);
  const row = await aMember(limited, list, 'good@links.example');
  const url = `/api/n/unsubscribe?token=${await tokenFor(limited, 'nl_unsub', row)}`;
  for (let time = 0; time < 12; time += 1) assert.equal((await visit(limited, url, from)).status, 200);
});

test('one victim on many newsletters is sent three emails an hour and ten a day, however many sign-ups', async () => {
  const victim = 'victim@example.org';
  const lists: Newsletter[] = [];
  for (let count = 0; count < 30; count += 1) lists.push(await newsletterOf(free));
  const signUpAll = async (): Promise<void> => {
    const answers = await Promise.all(lists.map(({ slug }) => subscribe(free, slug, { email: victim })));
    for (const answer of answers) assert.partialDeepStrictEqual(answer.body, { success: true, status: 'pending' });
  };
  await signUpAll();
  await signUpAll();
  assert.equal(await mailsTo(free, victim), 3);
  // People who get no email now are asked again one by one: every hour three more, and ten in all.
  for (let hour = 1; hour <= 6; hour += 1) {
    free.clock.advance(3_600_000 + 1_000);
    await Promise.all(
      lists
        .slice(0, 10)
        .map(({ slug }) =>
          free.request({ method: 'POST', url: `/api/n/${slug}/resend`, key: null, body: { email: victim } }),
        ),
    );
    assert.equal(await mailsTo(free, victim), Math.min(3 + 3 * hour, 10), `hour ${hour}`);
  }
});

test('one mailbox behind many labels and dots is sent ten emails an hour and thirty a day; the simulator has none', async () => {
  const mailed = async (domain: string, from: number, to: number): Promise<number> => {
    const emails = [];
    for (let count = from; count < to; count += 1) {
      const local = count % 2 === 0 ? 'somebody' : 'so.me.body';
      emails.push(`${local}+${count}@${count % 3 === 0 ? domain.replace('gmail', 'googlemail') : domain}`);
    }
    for (const email of emails)
      assert.partialDeepStrictEqual((await subscribe(free, 'weekly', { email })).body, { status: 'pending' });
    const counts = await Promise.all(emails.map((email) => mailsTo(free, email)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  assert.equal(await mailed('gmail.com', 0, 13), 10);
  assert.equal(await mailed('simulator.amazonses.com', 0, 13), 13);
  for (const expected of [10, 10, 0]) {
    free.clock.advance(3_600_000 + 1_000);
    const from = (made += 100);
    assert.equal(await mailed('gmail.com', from, from + 13), expected);
  }
  // Another person's address, and a plus that is no label.
  for (const email of ['some-body@gmail.com', '+somebody@example.org', '+someone@example.org']) {
    await subscribe(free, 'weekly', { email });
    assert.equal(await mailsTo(free, email), 1, email);
  }
});

test('200 for sending again with one answer for known and unknown addresses, an email only for who waits; 429 for all alike', async () => {
  const resend = (email: string) =>
    free.request({ method: 'POST', url: '/api/n/weekly/resend', key: null, body: { email } });
  const waiting = await aMember(free, weekly, `waiting${(made += 1)}@resend.example`, 'pending');
  const active = await aMember(free, weekly, `active${(made += 1)}@resend.example`);
  const left = await aMember(free, weekly, `left${(made += 1)}@resend.example`, 'unsubscribed');
  const emails = [waiting.email, active.email, left.email, 'unknown@resend.example'];
  const answers = [];
  for (const email of emails) {
    const before = await mailsTo(free, email);
    const answer = await resend(email);
    answers.push([answer.status, answer.body]);
    assert.equal((await mailsTo(free, email)) - before, email === waiting.email ? 1 : 0, email);
    const statuses = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await resend(email)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 429], email);
  }
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.equal(await mailsTo(free, waiting.email), 3, 'the cap of the address holds');
  assert.equal(await rowOf(free, weekly, 'unknown@resend.example'), undefined);
});

test('200 twice with one Idempotency-Key from two callers: each is served for what it sent', async () => {
  const headers = { 'idempotency-key': 'the-same-key' };
  for (const email of ['one@keys.example', 'two@keys.example']) {
    const answer = await subscribe(free, 'weekly', { email }, headers);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['idempotent-replayed'], undefined);
    assert.equal(await statusOf(free, weekly, email), 'pending');
  }
});
