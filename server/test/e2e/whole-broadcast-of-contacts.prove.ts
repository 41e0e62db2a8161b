/**
 * A broadcast to thousands of contacts from their file to the last event, by the API of a real process: paused once,
 * its content changed meanwhile. Everything that is told of it afterwards is compared with what arrived.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import type { PosthornProcess } from '../harness/posthorn-process.ts';
import { until } from '../harness/until.ts';

/** A test reads fields of many shapes. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

/** POSTHORN_PROVE_PEOPLE=20000 takes about a minute alone; a multiple of 2,000, so that each outcome comes. */
const PEOPLE = Number(process.env['POSTHORN_PROVE_PEOPLE'] ?? 4_000);
const PAGE = 500;
/** Every so many, an address of the simulator in the place of a usual one. */
const OUTCOMES: readonly [outcome: string, every: number][] = [
  ['bounce', 250],
  ['softbounce', 320],
  ['complaint', 2_000],
  ['reject', 640],
  ['delay', 500],
];
const SUPPRESSED = 40;
const LEFT = 25;
const VISITORS = 60;
const PATIENCE_MS = 240_000;

// Before the others in the order of addresses, in which they get it: many bounces at the beginning would pause it.
const addresses = Array.from({ length: PEOPLE }, (_, n) => {
  const [outcome] = OUTCOMES.find(([, every], place) => n % every === place) ?? [];
  return outcome === undefined ? `ann-${n}@example.com` : `${outcome}+${n}@simulator.amazonses.com`;
});
const usual = addresses.filter((address) => address.endsWith('@example.com'));
const suppressed = new Set(usual.slice(100, 100 + SUPPRESSED));
const left = new Set(usual.slice(PEOPLE * 0.45, PEOPLE * 0.45 + LEFT));
const ofOutcome = (outcome: string): number => addresses.filter((address) => address.startsWith(`${outcome}+`)).length;

let posthorn: PosthornProcess;
before(async () => {
  posthorn = await startOnTestDatabase({
    // Ten seconds of this rate are released ahead: half of the people.
    env: { POSTHORN_SEND_RATE: String(PEOPLE / 20), POSTHORN_PROVIDER_CEILING: '4000', POSTHORN_CAPTURED_MB: '0' },
  });
});
after(() => posthorn.stop());

async function call(path: string, body?: unknown, method?: string): Promise<Body> {
  const answer = await posthorn.fetch(path, {
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  });
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Every row of a list. */
async function rowsOf(path: string): Promise<Body[]> {
  const rows: Body[] = [];
  for (let cursor = ''; ; ) {
    const page = await call(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`);
    rows.push(...page.data);
    if (!page.has_more) return rows;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

/** So many of them at once. */
async function each<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const one = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all([one(), one(), one(), one()]);
}

async function untilBroadcast(id: string, what: string, condition: (broadcast: Body) => boolean): Promise<Body> {
  let found: Body;
  return until(
    () => `${what}, after ${JSON.stringify(found.stats)},`,
    async () => {
      found = await call(`/broadcasts/${id}`);
      return condition(found) ? found : undefined;
    },
    { patienceMs: PATIENCE_MS, everyMs: 100 },
  );
}

async function importList(): Promise<string> {
  const { id } = await call('/v1/lists', { name: 'Customers' });
  const csv = `email,first_name\n${addresses.map((address, n) => `${address},P${n}`).join('\n')}\n`;
  const answer = await fetch(`${posthorn.url}/v1/lists/${id}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${posthorn.key}`, 'content-type': 'text/csv' },
    body: csv,
  });
  assert.equal(answer.status, 202);
  const { id: importId } = (await answer.json()) as Body;
  const done = await until(
    'the end of the import',
    async () => {
      const found = await call(`/v1/imports/${importId}`);
      return found.status === 'completed' ? found : undefined;
    },
    { patienceMs: PATIENCE_MS, everyMs: 100 },
  );
  assert.deepEqual(done.counts, { total: PEOPLE, created: PEOPLE, updated: 0, skipped: 0, failed: 0 });
  return id;
}

/** Paused, corrected and let go on: the second version is for everybody who was not sent the first. */
async function pauseAndCorrect(id: string): Promise<void> {
  await untilBroadcast(id, 'some have it', ({ stats }) => stats.sent >= PEOPLE / 15);
  assert.equal((await call(`/broadcasts/${id}/pause`, {})).paused, true);
  const still = await untilBroadcast(id, 'nothing is under way', ({ stats }) => stats.queued + stats.sending === 0);
  assert.ok(still.stats.sent < PEOPLE / 2, `${still.stats.sent} had it when it stood still`);
  await call(`/broadcasts/${id}`, { subject: 'Corrected' }, 'PATCH');
  const later = await call(`/broadcasts/${id}`);
  assert.equal(later.stats.sent, still.stats.sent, 'a paused broadcast sends nothing');
  await call(`/broadcasts/${id}/resume`, {});
}

/** People open, click and leave by what they got. */
async function letPeopleAct(received: readonly Body[]): Promise<void> {
  const mails = received.filter(({ to }) => to[0].startsWith('ann-'));
  const step = Math.floor(mails.length / VISITORS);
  const visitors = mails.filter((_, n) => n % step === 0).slice(0, VISITORS);
  await each(visitors.entries(), async ([n, { id }]) => {
    await call(`/v1/captured-emails/${id}/simulate`, { outcome: 'open' });
    if (n % 2 === 0) await call(`/v1/captured-emails/${id}/simulate`, { outcome: 'click' });
    if (n % 4 !== 0) return;
    const { headers } = await call(`/v1/captured-emails/${id}`);
    const header = headers.find(({ name }: Body) => name.toLowerCase() === 'list-unsubscribe');
    const { pathname, search } = new URL(/<(http[^>]+)>/.exec(header.value)?.[1] ?? '');
    const left = await fetch(`${posthorn.url}${pathname}${search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    assert.equal(left.status, 200);
  });
}

test('a broadcast of thousands of contacts: a file, one mail each, and numbers that agree with what arrived', async (t) => {
  let phaseMs = performance.now();
  const phase = (name: string): void => {
    t.diagnostic(`${name}: ${Math.round(performance.now() - phaseMs)} ms`);
    phaseMs = performance.now();
  };
  const list = await importList();
  phase('imported');
  await each(suppressed, (email) => call('/v1/suppressions', { email }));
  await each(left, (email) => call(`/v1/contacts/${encodeURIComponent(email)}/unsubscribe`, {}));
  const made = await call('/broadcasts', {
    name: 'Sale',
    from: 'Acme <hello@posthorn.test>',
    subject: 'First',
    html: '<p>Hello {{ first_name }}</p><p><a href="https://acme.test/offer">Offer</a></p>',
    audience: { list_ids: [list] },
    track_opens: true,
    track_clicks: true,
  });
  const counted = await call(`/broadcasts/${made.id}/audience-count`);
  assert.partialDeepStrictEqual(counted, { will_send: PEOPLE - LEFT - SUPPRESSED, suppressed: SUPPRESSED });

  const total = PEOPLE - LEFT;
  phase('prepared');
  assert.equal((await call(`/broadcasts/${made.id}/send`, {})).total_recipients, total);
  await pauseAndCorrect(made.id);
  const expected = {
    total,
    pending: 0,
    bounced: ofOutcome('bounce') + ofOutcome('softbounce'),
    complained: ofOutcome('complaint'),
    suppressed: SUPPRESSED,
    cancelled: 0,
    unconfirmed: 0,
    skipped_unsubscribed: LEFT,
  };
  const delivered = total - SUPPRESSED - expected.bounced - ofOutcome('reject');
  await untilBroadcast(
    made.id,
    'every event',
    ({ finished_at: finishedAt, stats }) =>
      finishedAt !== null && stats.delivered === delivered && stats.complained === expected.complained,
  );
  phase('sent and told');

  const received = await rowsOf('/v1/captured-emails');
  await letPeopleAct(received);
  const acted = { opened: VISITORS, clicked: VISITORS / 2, unsubscribed: VISITORS / 4 };
  const done = await untilBroadcast(made.id, 'what people did', ({ stats }) =>
    Object.entries(acted).every(([name, count]) => stats[name] === count),
  );

  phase('read, and acted on');

  await t.test('nobody got it twice, and everybody of the audience who is not suppressed got it', () => {
    const got = received.map(({ to }) => to[0]);
    assert.equal(new Set(got).size, got.length);
    const wanted = addresses.filter((address) => !suppressed.has(address) && !left.has(address));
    assert.deepEqual(got.toSorted(), wanted.toSorted());
  });

  await t.test('the statistics are what the simulator did, and the versions what arrived', () => {
    assert.partialDeepStrictEqual(done.stats, { ...expected, delivered, ...acted });
    assert.equal(done.stats.sent + done.stats.failed, total);
    assert.equal(done.stats.failed, SUPPRESSED + ofOutcome('reject'));
    const versions = done.stats.by_version.map(({ content_version: version, ...of }: Body) => [version, of]);
    const arrived = ['First', 'Corrected'].map((subject) => received.filter((mail) => mail.subject === subject).length);
    assert.ok(arrived.every((count) => count > 0));
    for (const [index, [version, { sent, refused }]] of versions.entries())
      assert.deepEqual([version, sent + refused], [index + 1, arrived[index]]);
  });

  await t.test('each count is as long as its list of recipients', async () => {
    for (const type of ['bounced', 'complained', 'refused', 'suppressed', 'opened', 'clicked', 'unsubscribed']) {
      const rows = await rowsOf(`/broadcasts/${made.id}/recipients?type=${type}`);
      assert.equal(rows.length, done.stats[type], type);
    }
    const everybody = await rowsOf(`/broadcasts/${made.id}/recipients`);
    assert.equal(new Set(everybody.map(({ email }) => email)).size, total);
    const states = Map.groupBy(everybody, ({ status }) => status);
    // A complaint is of a delivered email.
    assert.equal((states.get('delivered')?.length ?? 0) + expected.complained, done.stats.delivered);
    assert.deepEqual([...states.keys()].toSorted(), ['bounced', 'complained', 'delivered', 'failed', 'suppressed']);
  });

  await t.test('the analytics count the same', async () => {
    const { totals } = await call('/v1/analytics?source=broadcast');
    for (const name of ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'suppressed'])
      assert.equal(totals[name], done.stats[name], name);
  });

  await t.test('its log has every step in order, once', async () => {
    const pages = Math.ceil(total / PAGE);
    const log: Body[] = (await call(`/broadcasts/${made.id}`)).audit_log;
    const actions = log.map(({ action }) => action);
    const without = actions.filter((action) => action !== 'page_sent');
    assert.deepEqual(without, ['created', 'send_started', 'paused', 'content_changed', 'resumed', 'completed']);
    const told = log.filter(({ action }) => action === 'page_sent').map(({ details }) => details);
    assert.deepEqual(
      told.map(({ page }) => page),
      Array.from({ length: pages }, (_, n) => n + 1),
    );
    assert.equal(
      told.reduce((sum, { sent, failed }) => sum + sent + failed, 0),
      total,
    );
    assert.equal(
      told.reduce((sum, { failed }) => sum + failed, 0),
      SUPPRESSED,
    );
    assert.equal(
      told.reduce((sum, { skipped_unsubscribed: skipped }) => sum + skipped, 0),
      LEFT,
    );
    assert.partialDeepStrictEqual(log.find(({ action }) => action === 'content_changed').details, { version: 2 });
    assert.equal(log.at(-1).details.total_recipients, total);
    assert.deepEqual(
      log.map(({ at }) => at),
      log.map(({ at }) => at).toSorted(),
    );
  });
});
