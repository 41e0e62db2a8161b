import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { onFaultPoint } from '#platform/fault-points.ts';
import { type Body, createScheduledApp, inSeconds, type Reply, type ScheduledApp } from '../test-kit.ts';
import { createDueService } from './due-service.ts';

let t: ScheduledApp;
before(async () => {
  t = await createScheduledApp();
});
after(() => t.close());

const ROUNDS = 24;

/** Many emails whose time comes while callers do something with each of them, and several processes look. */
async function race(
  act: (id: string) => Promise<Reply>,
): Promise<{ id: string; reply: Reply; row: Body; sends: number }[]> {
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) ids.push((await t.scheduled()).id);
  await sql`update scheduled_emails set scheduled_for = clock_timestamp()
    where workspace_id = ${t.app.workspaceId} and id = any(${ids}::uuid[])`.execute(t.app.db);
  const workers = Array.from({ length: 3 }, () => createDueService(t.wiring));
  const looking = Promise.all(workers.map((worker) => worker.runOnce()));
  // One after the other and from the other end: they meet the workers somewhere in between.
  const replies: Reply[] = [];
  for (const id of ids.toReversed()) replies.unshift(await act(id));
  await looking;
  await createDueService(t.wiring).runOnce();
  const found = [];
  for (const [index, id] of ids.entries()) {
    const reply = replies[index];
    assert.ok(reply !== undefined);
    const { row, sends } = await t.stored(id);
    found.push({ id, reply, row, sends });
  }
  return found;
}

test('a cancel that is answered with 200 means that nothing is sent, and with 409 that it is sent once', async (c) => {
  const found = await race((id) => t.call('DELETE', `/${id}`));
  for (const { reply, row, sends } of found) {
    if (reply.status === 200) assert.deepEqual([row.status, sends], ['cancelled', 0]);
    else assert.deepEqual([reply.status, row.status, sends], [409, 'processing', 1]);
  }
  c.diagnostic(`${found.filter(({ reply }) => reply.status === 200).length} of ${ROUNDS} were cancelled`);
});

test('an email that is moved while its time comes is sent at the new time, or was sent at the old one', async (c) => {
  const to = inSeconds(5_000);
  const found = await race((id) => t.call('PATCH', `/${id}/reschedule`, { body: { scheduled_for: to } }));
  for (const { reply, row, sends } of found) {
    if (reply.status === 200) {
      assert.deepEqual([row.status, sends], ['scheduled', 0]);
      assert.equal(new Date(row.scheduled_for).toISOString(), to);
    } else assert.deepEqual([reply.status, row.status, sends], [409, 'processing', 1]);
  }
  c.diagnostic(`${found.filter(({ reply }) => reply.status === 200).length} of ${ROUNDS} were moved`);
});

test('an email that is changed while its time comes is sent whole, in one of its two forms', async () => {
  const found = await race((id) => t.call('PATCH', `/${id}`, { body: { subject: 'Changed', text: 'Changed' } }));
  const { rows } = await sql<{ id: string; subject: string; text: string }>`
    select r.scheduled_id as id, c.subject, c.text from send_requests r
      join contents c on c.workspace_id = r.workspace_id and c.id = r.content_id
     where r.workspace_id = ${t.app.workspaceId} and r.scheduled_id = any(${found.map(({ id }) => id)}::uuid[])`.execute(
    t.app.db,
  );
  assert.equal(rows.length, ROUNDS, 'each once');
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, reply } of found) {
    const sent = byId.get(id);
    assert.equal(sent?.subject === 'Changed', sent?.text === 'Changed');
    assert.equal(sent?.subject === 'Changed', reply.status === 200, `${reply.status} ${sent?.subject}`);
  }
});

for (const [what, act] of [
  ['a cancel', (id: string) => t.call('DELETE', `/${id}`)],
  ['a move', (id: string) => t.call('PATCH', `/${id}/reschedule`, { body: { scheduled_for: 'in 1 day' } })],
  ['a change', (id: string) => t.call('PATCH', `/${id}`, { body: { subject: 'Changed' } })],
  ['send-now', (id: string) => t.call('POST', `/${id}/send-now`)],
] as const) {
  test(`409 for ${what} that comes while the start is being committed, and the email is sent once`, async () => {
    const { id } = await t.scheduled();
    await t.dueAgo(id, 0);
    let answer: Promise<Reply> | undefined;
    onFaultPoint((name) => {
      if (name === 'scheduled.start.before-commit') answer = act(id);
    });
    try {
      assert.equal(await createDueService(t.wiring).runOnce(), 1);
    } finally {
      onFaultPoint(undefined);
    }
    assert.equal((await answer)?.status, 409);
    assert.partialDeepStrictEqual(await t.stored(id), { sends: 1, row: { status: 'processing' } });
  });
}

test('of many workers that look at once, each email is sent by one', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 24; index += 1) ids.push((await t.scheduled()).id);
  await sql`update scheduled_emails set scheduled_for = clock_timestamp()
    where workspace_id = ${t.app.workspaceId} and id = any(${ids}::uuid[])`.execute(t.app.db);
  const workers = Array.from({ length: 6 }, () => createDueService(t.wiring));
  const started = await Promise.all(workers.map((worker) => worker.runOnce()));
  assert.equal(
    started.reduce((sum, one) => sum + one, 0),
    24,
  );
  for (const id of ids) assert.equal((await t.stored(id)).sends, 1);
});

test('two moves at once with one token move it once; two without move it one after the other', async () => {
  const { id } = await t.scheduled();
  const body = { scheduled_for: inSeconds(9_000), idempotency_token: 'twice' };
  const move = (given: object) => t.call('PATCH', `/${id}/reschedule`, { body: given });
  const replies = await Promise.all([move(body), move(body), move(body)]);
  // One that comes while the first runs is told to come again (Retry-After).
  assert.ok(replies.every(({ status }) => status === 200 || status === 409));
  assert.ok(replies.some(({ status }) => status === 200));
  assert.deepEqual((await move(body)).status, 200);
  assert.deepEqual(await t.actions(id), ['created', 'rescheduled']);
  const others = await Promise.all([1, 2, 3].map((hours) => move({ scheduled_for: `in ${hours} hours` })));
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal((await t.stored(id)).row.version, 5);
});

test('of a cancel, a move and send-now at once, the email has one end', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { id } = await t.scheduled();
    const [cancelled] = await Promise.all([
      t.call('DELETE', `/${id}`),
      t.call('PATCH', `/${id}/reschedule`, { body: { scheduled_for: 'in 2 hours' } }),
      t.call('POST', `/${id}/send-now`),
    ]);
    assert.equal(cancelled.status, 200);
    const { row, sends } = await t.stored(id);
    assert.deepEqual([row.status, sends], ['cancelled', 0]);
    assert.equal((await t.actions(id)).at(-1), 'cancelled');
  }
});
