import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { startBreakableProxy } from '../../../../test/harness/breakable-proxy.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { createEngagementRecorder, type Engagement } from './record-engagement.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36';
const NOW = new Date('2026-11-21T10:00:00.000Z');

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const clock = createTestClock({ held: true });
let logged: string[] = [];
function aRecorder(db = t.db) {
  logged = [];
  clock.set(NOW);
  return createEngagementRecorder({
    db,
    clock,
    log: createLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } }),
  });
}

const seen = (change: Partial<Engagement> = {}): Engagement => ({
  workspaceId,
  emailId: newId(),
  type: 'open',
  link: '',
  ipAddress: '192.0.2.1',
  userAgent: CHROME,
  purposes: [],
  ...change,
});

async function storedOf(emailId: string) {
  const { rows } = await sql<{ type: string; at: Date; payload: Record<string, unknown>; heldMs: number | null }>`
    select type, at, payload, (extract(epoch from not_before - at) * 1000)::integer as "heldMs" from provider_events
     where workspace_id = ${workspaceId} and email_id = ${emailId} order by id`.execute(t.db);
  return rows;
}

test('an open is stored soon, as it will be told', async () => {
  const recorder = aRecorder();
  await recorder.start();
  const open = seen({ userAgent: `${CHROME} ${'x'.repeat(600)}` });
  recorder.record(open);
  const stored = recorder.stored.next();
  clock.advance(99);
  assert.equal((await storedOf(open.emailId)).length, 0, 'it waits for others');
  clock.advance(1);
  await stored;
  const [event, ...more] = await storedOf(open.emailId);
  assert.equal(more.length, 0);
  const { at, payload } = event ?? {};
  assert.ok(at instanceof Date);
  assert.deepEqual(payload, {
    open: {
      timestamp: at.toISOString(),
      ipAddress: '192.0.2.1',
      userAgent: `${CHROME} ${'x'.repeat(600)}`.slice(0, 512),
      is_bot: false,
      bot_reason: null,
      first: false,
    },
  });
  assert.equal(event?.heldMs, null);
  await recorder.stop();
});

test('a click waits for the burst it may belong to', async () => {
  const recorder = aRecorder();
  await recorder.start();
  const click = seen({ type: 'click', link: 'https://a.test/ü', purposes: ['prefetch'] });
  recorder.record(click);
  const stored = recorder.stored.next();
  clock.advance(100);
  await stored;
  const [event] = await storedOf(click.emailId);
  assert.equal(event?.heldMs, 6_000);
  assert.partialDeepStrictEqual(event?.payload, {
    click: { link: 'https://a.test/ü', linkTags: {}, is_bot: true, bot_reason: 'prefetch' },
  });
  await recorder.stop();
});

test('recorded events are stored before stop ends, and stop may be called twice', async () => {
  const recorder = aRecorder();
  await recorder.start();
  const all = Array.from({ length: 1_200 }, () => seen());
  for (const one of all) recorder.record(one);
  await recorder.stop();
  await recorder.stop();
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from provider_events
    where workspace_id = ${workspaceId} and email_id = any (${all.map(({ emailId }) => emailId)}::uuid[])`.execute(
    t.db,
  );
  assert.equal(rows[0]?.count, 1_200);
  assert.deepEqual(logged, []);
});

test('one email asked for ten thousand times at once is a hundred rows, and the log says so', async () => {
  const recorder = aRecorder();
  const emailId = newId();
  for (let count = 0; count < 10_000; count += 1) recorder.record(seen({ emailId }));
  const other = seen();
  recorder.record(other);
  await recorder.start();
  await recorder.stop();
  assert.equal((await storedOf(emailId)).length, 100);
  assert.equal((await storedOf(other.emailId)).length, 1);
  assert.match(logged.join(), /"lost":9900/);
});

test('without a database it waits in memory, no more than ten thousand, and is stored when it is back', async () => {
  const proxy = await startBreakableProxy(t.url);
  const own = openDatabase({
    url: proxy.url,
    poolMax: 1,
    applicationName: 'cut off',
    log: createLog({ level: 'silent' }),
  });
  const recorder = aRecorder(own.db);
  await proxy.breakDown();
  const first = seen();
  recorder.record(first);
  for (let count = 0; count < 10_500; count += 1) recorder.record(seen());
  await recorder.stop();
  assert.match(logged.join(), /"lost":10000/);
  assert.equal((await storedOf(first.emailId)).length, 0);
  await proxy.mend();
  await recorder.start();
  recorder.record(first); // what comes next finds no room, and wakes it
  await recorder.stored.next();
  await recorder.stop();
  assert.equal((await storedOf(first.emailId)).length, 1);
  assert.match(logged.join(), /"lost":502/);
  await own.close();
  await proxy.close();
});

test('an email of a workspace that is gone is passed over and harms nobody', async () => {
  const recorder = aRecorder();
  const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent' });
  recorder.record(seen({ workspaceId: newId() }));
  recorder.record(seen({ emailId }));
  await recorder.start();
  await recorder.stop();
  assert.equal((await storedOf(emailId)).length, 1);
  assert.deepEqual(logged, []);
});
