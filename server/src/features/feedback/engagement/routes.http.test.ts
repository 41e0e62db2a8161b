import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { clickToken, openToken } from '#mail/tracking/token.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp } from '../../../../test/harness/platform-app.ts';
import { Moment } from '#platform/moments.ts';
import type { Engagement, EngagementRecorder } from './record-engagement.ts';
import { engagementRoutes } from './routes.ts';

const key = Buffer.alloc(32, 5);
const email = { workspaceId: newId(), emailId: newId() };
const linked = { ...email, contentId: newId() };
const TARGET = 'https://example.com/a?x=1&y=%zz#f';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36';

let recorded: Engagement[] = [];
const recorder: EngagementRecorder = {
  name: 'recorder of a test',
  start: async () => undefined,
  stop: async () => undefined,
  stored: new Moment(),
  record: (engagement) => void recorded.push(engagement),
};

const redirects = { leadsTo: async ({ target }: { target: string }) => target };

let t: TestDatabase;
let app: FastifyInstance;
let errors: string[];
before(async () => {
  t = await createTestDatabase();
  ({ app, errors } = await createPlatformApp(t.db, engagementRoutes({ key, recorder, redirects })));
});
after(async () => {
  await app.close();
  await t.close();
});

async function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  recorded = [];
  const answer = await app.inject({ method, url, headers: { 'user-agent': CHROME, ...headers } });
  return { answer, recorded };
}

const pixel = `/t/o/${openToken(email, key)}.gif`;
const link = `/t/c/${clickToken(linked, TARGET, key)}`;

const isDot = (answer: { rawPayload: Buffer }): void => {
  assert.equal(answer.rawPayload.length, 43);
  assert.equal(answer.rawPayload.toString('latin1', 0, 6), 'GIF89a');
};

test('200 with a dot that is not kept, and an open is recorded', async () => {
  const { answer, recorded: seen } = await get(pixel, { accept: 'image/svg+xml', range: 'bytes=0-1' });
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-type'], 'image/gif');
  assert.equal(answer.headers['cache-control'], 'no-store');
  isDot(answer);
  assert.deepEqual(seen, [
    { ...email, type: 'open', link: '', ipAddress: '127.0.0.1', userAgent: CHROME, purposes: [] },
  ]);
});

test('200 with the same dot for a token that is none of ours; nothing is recorded', async () => {
  const other = openToken(email, Buffer.alloc(32, 6));
  for (const token of [
    '',
    'x',
    other,
    `${other}.gif`,
    openToken(email, key).slice(1),
    clickToken(linked, TARGET, key),
    'a'.repeat(5_000),
    '..%2f',
    '%41',
    'a/b/c',
    '%00',
    'x?y=%ff&z=%00',
    `${openToken(email, key)}.png`,
  ]) {
    const { answer, recorded: seen } = await get(`/t/o/${token}`);
    assert.equal(answer.statusCode, 200, token);
    isDot(answer);
    assert.deepEqual(seen, []);
  }
});

test('200 to HEAD, and nothing is recorded', async () => {
  const { answer, recorded: seen } = await get(pixel, {}, 'HEAD');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-length'], '43');
  assert.deepEqual(seen, []);
});

test('302 to exactly the target, and a click is recorded', async () => {
  const { answer, recorded: seen } = await get(link, { 'sec-purpose': 'prefetch', 'x-moz': 'prefetch' });
  assert.equal(answer.statusCode, 302);
  assert.equal(answer.headers['location'], TARGET);
  assert.equal(answer.body, '');
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
  assert.equal(answer.headers['x-robots-tag'], 'noindex');
  assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'/);
  assert.partialDeepStrictEqual(seen, [{ ...email, type: 'click', link: TARGET, purposes: ['prefetch', 'prefetch'] }]);
});

test('302 in ASCII for a target that is not, and no control character in the header', async () => {
  const { answer, recorded: seen } = await get(`/t/c/${clickToken(linked, 'https://bücher.example/ü\u0001', key)}`);
  assert.equal(answer.headers['location'], 'https://xn--bcher-kva.example/%C3%BC%01');
  assert.equal(seen[0]?.link, 'https://bücher.example/ü\u0001');
});

test('302 to HEAD, and nothing is recorded', async () => {
  const { answer, recorded: seen } = await get(link, {}, 'HEAD');
  assert.equal(answer.statusCode, 302);
  assert.equal(answer.headers['location'], TARGET);
  assert.deepEqual(seen, []);
});

test('302 to the signed target whatever else the address says', async () => {
  for (const query of [
    'url=https://evil.test',
    'target=//evil.test',
    'u=\\\\evil.test',
    'redirect=https:evil.test',
    'x=%0d%0aLocation:%20https://evil.test',
    'x=%ff&y=%00&z',
  ]) {
    const { answer } = await get(`${link}?${query}`);
    assert.equal(answer.statusCode, 302);
    assert.equal(answer.headers['location'], TARGET);
    assert.equal(answer.headers['x-unknown-fields'], undefined);
  }
});

test('400 with a page that shows nothing of it for a token that is none of ours; nothing is recorded', async () => {
  const forged = [
    'https://evil.test',
    '//evil.test',
    'https:evil.test',
    '\\\\evil.test',
    'javascript:alert(1)',
    '%0d%0aLocation:%20x',
    '%3Cscript%3E',
    '%00',
    '',
    'x',
    openToken(email, key),
    clickToken(linked, 'https://evil.test', Buffer.alloc(32, 6)),
    `${clickToken(linked, TARGET, key)}=`,
    'evil'.repeat(1_000),
  ];
  for (const token of forged) {
    const { answer, recorded: seen } = await get(`/t/c/${token}?url=https://evil.test`);
    assert.equal(answer.statusCode, 400, token);
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(answer.headers['location'], undefined);
    assert.match(answer.body, /This link does not work/);
    assert.match(answer.body, /<link rel="icon" type="image\/svg\+xml" href="data:image\/svg\+xml,[^"]+">/);
    assert.match(String(answer.headers['content-security-policy']), /; img-src data:; /);
    assert.doesNotMatch(answer.body, /evil|script>|javascript/);
    assert.doesNotMatch(JSON.stringify(answer.headers), /evil/);
    assert.deepEqual(seen, []);
  }
});

test('405 to anything but GET and HEAD', async () => {
  for (const url of [pixel, link]) {
    const { answer, recorded: seen } = await get(url, {}, 'POST');
    assert.equal(answer.statusCode, 405);
    assert.deepEqual(seen, []);
  }
});

test('a user agent of any length and kind fails nothing', async () => {
  const { answer, recorded: seen } = await get(pixel, { 'user-agent': 'ü'.repeat(8_000) });
  assert.equal(answer.statusCode, 200);
  assert.equal(seen.length, 1);
  assert.deepEqual(errors, []);
});
