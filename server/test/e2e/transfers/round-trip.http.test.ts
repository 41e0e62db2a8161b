import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTransferApp, type TransferApp } from './transfer-app.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const ROUNDS = propertyRuns({ test: 5, prove: 20 });
const PIECES = [
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '\n',
  "'",
  '"',
  ',',
  ';',
  ' ',
  '\\',
  '|',
  '<b>',
  '{{x}}',
  '＝',
  '😀',
  'é',
  'ﷺ',
  '\u2028',
  '\ufeff',
  'null',
  '0',
  'a',
  'Z',
];
const STATUSES = ['pending', 'active', 'unsubscribed'] as const;
const REASONS = [null, 'user', 'api', 'hard_bounce', 'complaint', 'manual'];

let app: TransferApp;
before(async () => {
  app = await createTransferApp();
});
after(() => app.close());

/** The same numbers from the same seed: a failure can be looked at again. */
function randomFrom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * max);
  };
}

type Random = ReturnType<typeof randomFrom>;
const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T; // within its length
const text = (random: Random, max = 6): string =>
  Array.from({ length: random(max) }, () => pick(random, PIECES)).join('');
const time = (random: Random): Date =>
  new Date(Date.UTC(2020 + random(6), random(12), 1 + random(28), 0, 0, 0, random(86_400_000)));
const perhaps = <T>(random: Random, make: () => T): T | null => (random(2) === 0 ? null : make());
const orNull = (given: string): string | null => (given === '' ? null : given);

function somebody(random: Random, n: number) {
  const status = pick(random, STATUSES);
  const reason = status === 'unsubscribed' ? pick(random, REASONS) : null;
  return {
    id: newId(),
    email: `${pick(random, ['', '+', '-', "'", '='])}u${n}${pick(random, ['', "'", '+tag', '{x}'])}@example.com`,
    name: orNull(text(random)),
    source: orNull(text(random)),
    status,
    metadata: {
      ...(random(2) === 0
        ? {}
        : { [`k${text(random)}`]: text(random), list: [1, 'a,b', { '=x': null }], deep: { n: 1.5 } }),
      ...(reason === null ? {} : { unsubscribe_reason: reason }),
    },
    confirmed_at: status === 'pending' ? null : perhaps(random, () => time(random)),
    unsubscribed_at: status === 'unsubscribed' ? time(random) : null,
    confirmation_sent_at: perhaps(random, () => time(random)),
    confirmation_count: random(3),
    last_opened_at: perhaps(random, () => time(random)),
    last_clicked_at: perhaps(random, () => time(random)),
    consent: {
      method: pick(random, ['double_opt_in', 'single_opt_in', 'attested', 'import']),
      signup_at: time(random).toISOString(),
      signup_ip: pick(random, ['203.0.113.7', null]),
      signup_user_agent: text(random),
      signup_via: 'public',
    },
    created_at: time(random),
  };
}

async function fill(newsletterId: string, random: Random, count: number): Promise<void> {
  const people = Array.from({ length: count }, (_, n) => somebody(random, n));
  await sql`
    insert into subscribers (workspace_id, id, newsletter_id, email, name, source, status, metadata, confirmed_at,
      unsubscribed_at, confirmation_sent_at, confirmation_count, last_opened_at, last_clicked_at, consent, created_at)
    select ${app.workspaceId}, r.id, ${newsletterId}, r.email, r.name, r.source, r.status, r.metadata, r.confirmed_at,
           r.unsubscribed_at, r.confirmation_sent_at, r.confirmation_count, r.last_opened_at, r.last_clicked_at, r.consent,
           r.created_at
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as r (id uuid, email text, name text, source text,
           status text, metadata jsonb, confirmed_at timestamptz, unsubscribed_at timestamptz,
           confirmation_sent_at timestamptz, confirmation_count integer, last_opened_at timestamptz,
           last_clicked_at timestamptz, consent jsonb, created_at timestamptz)`.execute(app.db);
}

const wipe = (newsletterId: string) =>
  sql`delete from subscribers where workspace_id = ${app.workspaceId} and newsletter_id = ${newsletterId}`.execute(
    app.db,
  );

const exported = async (newsletterId: string, format: string): Promise<string> =>
  (await app.request({ url: `/v1/newsletters/${newsletterId}/subscribers/export?format=${format}` })).text;

for (const [format, type] of [
  ['csv', 'text/csv'],
  ['jsonl', 'application/jsonl'],
] as const) {
  test(`whatever is exported and imported again is the same, byte for byte: ${format}`, async () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const id = await app.newsletter();
      await fill(id, randomFrom(seed), 30);
      const [people, file] = [await app.people(id), await exported(id, format)];
      await wipe(id);
      const done = await app.imported(id, file, 'consent=already_confirmed', type);
      assert.deepEqual(done.counts, { total: 30, created: 30, updated: 0, skipped: 0, failed: 0 }, `seed ${seed}`);
      assert.deepEqual(await app.people(id), people, `seed ${seed}`);
      assert.equal(await exported(id, format), file, `seed ${seed}`);
    }
  });
}

test('no cell of an export begins as a formula', async () => {
  const id = await app.newsletter();
  await app.imported(
    id,
    `{"email":"=a@example.com","name":"=1+1","source":"@x","metadata":{}}`,
    'consent=already_confirmed',
    'application/jsonl',
  );
  const [, line] = (await exported(id, 'csv')).split('\r\n');
  assert.match(line ?? '', /^'=a@example\.com,'=1\+1,active,'@x,/);
});

test('200 with only those of a status, all of them over many pages, each once and in the order of addresses', async () => {
  const id = await app.newsletter();
  const all = Array.from({ length: 1_203 }, (_, n) => `u${String(n).padStart(5, '0')}@example.com`);
  await app.imported(
    id,
    `email,status\n${all.map((one, n) => `${one},${n % 3 === 0 ? 'unsubscribed' : ''}`).join('\n')}`,
  );
  const lines = (await exported(id, 'jsonl')).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).email),
    all,
  );
  const { text: left, headers } = await app.request({
    url: `/v1/newsletters/${id}/subscribers/export?format=csv&status=unsubscribed`,
  });
  assert.equal(left.trim().split('\r\n').length - 1, 401);
  assert.match(String(headers['content-disposition']), /subscribers\.csv/);
});

test('400 for another format and status; 404 for another newsletter', async () => {
  const id = await app.newsletter();
  for (const query of ['format=xml', 'status=deleted']) {
    assert.equal((await app.request({ url: `/v1/newsletters/${id}/subscribers/export?${query}` })).status, 400);
  }
  assert.equal((await app.request({ url: `/v1/newsletters/${newId()}/subscribers/export` })).status, 404);
});

test('202 for an export in the background, whose file has a link that needs no key for a day', async () => {
  const id = await app.newsletter();
  await app.imported(id, `email,status\n${Array.from({ length: 2_000 }, (_, n) => `u${n}@example.com,`).join('\n')}`);
  const body = { resource: 'subscribers', filters: { newsletter_id: id, status: 'active' }, format: 'csv' };
  const made = await app.request({ url: '/v1/exports', body });
  assert.equal(made.status, 202);
  const { id: exportId, created_at: _, ...record } = made.body as { id: string; created_at: string };
  assert.deepEqual(record, {
    resource: 'subscribers',
    filters: { newsletter_id: id, status: 'active' },
    format: 'csv',
    status: 'queued',
    rows: 0,
    url: null,
    expires_at: null,
    error: null,
    completed_at: null,
  });
  await app.work();
  const read = async () =>
    (await app.request({ url: `/v1/exports/${exportId}` })).body as { status: string; rows: number; url: string };
  const done = await read();
  assert.deepEqual([done.status, done.rows], ['completed', 2_000]);
  const url = new URL(done.url);
  const link = url.pathname + url.search;
  const file = await app.request({ url: link, key: null });
  assert.equal(file.status, 200);
  const live = await app.request({ url: `/v1/newsletters/${id}/subscribers/export?status=active` });
  assert.equal(file.text, live.text);
  for (const wrong of [link.slice(0, -2), link.replace(exportId, newId()), `/v1/exports/${exportId}/file?token=x`]) {
    assert.equal((await app.request({ url: wrong, key: null })).status, 404);
  }
  assert.equal((await app.request({ url: `/v1/exports/${exportId}/file`, key: null })).status, 400);
  app.clock.advance(25 * 3_600_000);
  assert.equal((await app.request({ url: link, key: null })).status, 404);
  assert.equal((await read()).url, null);
});

test('404 and 400 for exports of what is not there', async () => {
  const body = { resource: 'subscribers', filters: { newsletter_id: newId() } };
  assert.equal((await app.request({ url: '/v1/exports', body })).status, 404);
  assert.equal((await app.request({ url: '/v1/exports', body: { ...body, resource: 'emails' } })).status, 400);
  assert.equal((await app.request({ url: `/v1/exports/${newId()}` })).status, 404);
});
