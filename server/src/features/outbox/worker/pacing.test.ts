import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { startSmtpDelivery } from '../../../../test/harness/smtp-delivery.ts';
import type { SmtpSink } from '../../../../test/harness/smtp-sink.ts';
import { standStill } from '../../../../test/harness/stand-still.ts';
import { watchPace } from '../../../../test/harness/watched-pace.ts';
import { accept, aSend, aWorker, aWorkspace, people, queued } from '../test-kit.ts';

const RATE = 12;

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ poolMax: 12 });
});
after(() => t.close());
afterEach(async () => {
  await sql`truncate emails, contents, attachments, send_requests, email_events, email_attempts`.execute(t.db);
  await sql`update send_pace set next_slot = 'epoch', slot = 0, stretch = 1, stretched_at = null, paused_until = null`.execute(
    t.db,
  );
});

/** When each transaction began, as the server saw it: at MAIL FROM. */
const begunAt = (sink: SmtpSink): number[] => sink.messages.map(({ begunMs }) => begunMs).sort((a, b) => a - b);

for (const workers of [1, 3]) {
  test(`a mail server sees 12 transactions a second of ${workers === 1 ? 'one worker' : 'three workers together'}, and never more than 13 in any second`, async (c) => {
    const count = 30;
    await queued(t.db, await aWorkspace(t.db), 'transactional', people(count));
    const { provider, sink } = await startSmtpDelivery(c);
    const pace = watchPace(c, RATE);
    const all = Array.from({ length: workers }, () => aWorker(pace.db(t.db), provider, { ratePerSecond: RATE }));
    const began = performance.now();
    await Promise.all(all.map((worker) => worker.start()));
    await sink.waitFor(count);
    await Promise.all(all.map((worker) => worker.stop()));
    const times = begunAt(sink);
    assert.equal(new Set(sink.messages.flatMap(({ to }) => to)).size, count, 'each once');
    pace.assertKept(times);
    // No slot is early, and each is used once. On a busy machine slots are missed: the benchmark measures the rate.
    for (const [index, at] of times.entries())
      assert.ok(at - began > (index * 1_000) / RATE - 2, `${index} is too early`);
  });
}

test('a message to ten people costs ten slots', async (c) => {
  const ws = await aWorkspace(t.db);
  const [to, ...cc] = people(10).map(parseMailbox);
  assert.ok(to);
  await accept(t.db, ws, aSend([], { grouped: { to: [to], cc, bcc: [] } }));
  await queued(t.db, ws, 'transactional', ['next@example.com']);
  const { provider, sink } = await startSmtpDelivery(c);
  const worker = aWorker(t.db, provider, { ratePerSecond: RATE });
  const began = performance.now();
  await worker.start();
  await sink.waitFor(2);
  await worker.stop();
  const [, second = 0] = begunAt(sink);
  assert.ok(second - began > 10_000 / RATE - 2, `${second - began} ms`);
});

test('a process that stalls does not burst when it wakes', async (c) => {
  await queued(t.db, await aWorkspace(t.db), 'transactional', people(24));
  const { provider, sink } = await startSmtpDelivery(c);
  const pace = watchPace(c, RATE);
  const worker = aWorker(pace.db(t.db), provider, { ratePerSecond: RATE });
  await worker.start();
  await sink.waitFor(1); // the slots of half a second are in its hands by now
  standStill(1_500);
  await sink.waitFor(24);
  await worker.stop();
  pace.assertKept(begunAt(sink));
});
