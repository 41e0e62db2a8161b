import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { fetchOnce } from './repeat-safely.ts';

const HERE = 'http://dashboard.example.com';
let nowMs = 0;
let path = 0;
let mocks: { mock: { restore(): void } }[] = [];
let answers: (() => Response)[] = [];
const keys: (string | null)[] = [];

beforeEach(() => {
  nowMs = Date.parse('2026-11-26T12:00:00Z');
  path += 1; // what was lost in one test is unknown to the next
  keys.length = 0;
  mocks = [
    mock.method(Date, 'now', () => nowMs),
    mock.method(globalThis, 'fetch', async (request: Request) => {
      keys.push(request.headers.get('Idempotency-Key'));
      return (answers.shift() ?? stored)();
    }),
  ];
});
// Of these alone: other files of tests are in the same process.
afterEach(() => {
  for (const one of mocks) one.mock.restore();
});

const stored = (): Response => Response.json({ success: true }, { status: 202 });
const gone = (): Response => {
  throw new TypeError('Failed to fetch');
};
const brokenOff = (): Response =>
  new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) }));

interface Said {
  body?: string;
  to?: string;
  workspace?: string;
}

const post = ({ body = '{"to":"ada@example.com"}', to = `/v1/send/${path}`, workspace = 'w1' }: Said = {}) =>
  fetchOnce(`${HERE}${to}`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', 'X-Workspace-ID': workspace },
  });

for (const [name, answer] of [
  ['a lost answer', gone],
  ['an answer that breaks off', brokenOff],
  ['a failure of the server or of a proxy', () => new Response('', { status: 502 })],
  ['a request that still runs', () => new Response('{}', { status: 409, headers: { 'Retry-After': '1' } })],
] as const) {
  test(`the same request has the same key behind ${name}, and another one once it was answered`, async () => {
    answers = [answer];
    await post().catch(() => undefined);
    const again = await post();
    assert.equal(again.status, 202);
    assert.deepEqual(await again.json(), { success: true });
    await post();
    assert.match(keys[0] ?? '', /^[0-9a-f]{32}$/);
    assert.equal(keys[1], keys[0]);
    assert.notEqual(keys[2], keys[0]);
  });
}

test('a request that says anything else has a key of its own', async () => {
  answers = [gone, gone, gone, gone];
  const others = [{}, { body: '{"to":"bob@example.com"}' }, { to: `/v1/send/${path}/x` }, { workspace: 'w2' }];
  for (const other of others) await post(other).catch(() => undefined);
  assert.equal(new Set(keys).size, 4);
});

test('a refusal ends its key: the corrected request is another one', async () => {
  answers = [() => new Response('{}', { status: 422 })];
  assert.equal((await post()).status, 422);
  await post();
  assert.notEqual(keys[1], keys[0]);
});

test('a later write to the same record that was answered ends the keys of what was lost before it', async () => {
  const of = (id: number): string => `/v1/broadcasts/${path}${id}`;
  const later: [lost: string, answered: string, method: string][] = [
    [`${of(1)}/pause`, `${of(1)}/resume`, 'POST'],
    [`${of(2)}/test`, of(2), 'PATCH'],
    [`/v1/suppressions${path}`, `/v1/suppressions${path}/1`, 'DELETE'],
  ];
  for (const [asked, answered, method] of later) {
    keys.length = 0;
    answers = [gone];
    await post({ to: asked }).catch(() => undefined);
    await fetchOnce(`${HERE}${answered}`, { method });
    await post({ to: asked });
    assert.notEqual(keys[2], keys[0], answered);
  }
});

test('a write to another record, one that was refused, and a read leave the key as it is', async () => {
  const of = (id: number): string => `/v1/emails/${path}${id}`;
  const others: [answered: string, method: string, status: number][] = [
    [`${of(2)}/resend`, 'POST', 202],
    [`/v1/send${path}`, 'POST', 202],
    [`${of(1)}/cancel`, 'POST', 409],
    [of(1), 'GET', 200],
  ];
  for (const [answered, method, status] of others) {
    keys.length = 0;
    answers = [gone, () => Response.json({}, { status })];
    await post({ to: `${of(1)}/resend` }).catch(() => undefined);
    await fetchOnce(`${HERE}${answered}`, { method });
    await post({ to: `${of(1)}/resend` });
    assert.equal(keys[2], keys[0], answered);
  }
});

test('a write to the same record that was answered first leaves the key of a request whose answer is still awaited', async () => {
  const record = `/v1/broadcasts/${path}`;
  const late = Promise.withResolvers<Response>();
  answers = [() => late.promise as never];
  const first = post({ to: `${record}/test` }).catch(() => undefined);
  while (keys.length === 0) await Promise.resolve();
  await fetchOnce(`${HERE}${record}`, { method: 'PATCH' });
  late.reject(new TypeError('Failed to fetch'));
  await first;
  await post({ to: `${record}/test` });
  assert.equal(keys[2], keys[0]);
});

test('after ten minutes the same request is meant to happen again', async () => {
  answers = [gone];
  await post().catch(() => undefined);
  nowMs += 10 * 60_000 + 1;
  await post();
  assert.notEqual(keys[1], keys[0]);
});

test('no key goes with what reads, signs in or uploads a file', async () => {
  const json = { 'Content-Type': 'application/json' };
  await fetchOnce(`${HERE}/v1/suppressions`);
  await fetchOnce(`${HERE}/v1/newsletters/1/issues/2/check`, { method: 'POST' });
  await fetchOnce(`${HERE}/v1/segments/preview`, { method: 'POST', body: '{}', headers: json });
  await fetchOnce(`${HERE}/v1/automations/1/simulate`, { method: 'POST', body: '{}', headers: json });
  await fetchOnce(`${HERE}/v1/send?dryRun=true`, { method: 'POST', body: '{}', headers: json });
  await fetchOnce(`${HERE}/auth/login`, { method: 'POST', body: '{}', headers: json });
  await fetchOnce(`${HERE}/v1/images`, { method: 'POST', body: new FormData() });
  await fetchOnce(`${HERE}/v1/contacts/1`, { method: 'PATCH', body: '{}', headers: json });
  assert.deepEqual(
    keys,
    Array.from({ length: 8 }, () => null),
  );
});

test('at most twenty lost answers are remembered', async () => {
  answers = Array.from({ length: 30 }, () => gone);
  for (let n = 0; n < 30; n += 1) await post({ body: String(n) }).catch(() => undefined);
  await post({ body: '0' });
  await post({ body: '29' });
  assert.notEqual(keys[30], keys[0]);
  assert.equal(keys[31], keys[29]);
});
