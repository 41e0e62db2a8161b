import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { aWorld, join, toldIn, type World } from '../test-kit.ts';
import { remindPending, sendReminders } from './remind-pending.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
afterEach(() => sql`delete from newsletter_reminders`.execute(t.db));

/** Pending for ten days; asked once, ten days ago. */
async function waiting(world: World, addresses: string[]): Promise<void> {
  for (const address of addresses) await join(world, address);
  await sql`update subscribers set created_at = created_at - interval '10 days',
      confirmation_sent_at = confirmation_sent_at - interval '10 days'
    where workspace_id = ${world.ctx.workspaceId} and newsletter_id = ${world.newsletter.id}`.execute(t.db);
  await sql`delete from attempt_counts`.execute(t.db); // the limits of these addresses are of ten days ago
}
const remind = (world: World) =>
  remindPending({ ...world.ctx, ip: '127.0.0.1' }, world.newsletter, { olderThanDays: 3 });
/** A second passes for the database. */
const nextSecond = () =>
  sql`update newsletter_reminders set due_at = due_at - interval '2 seconds' where due_at < now() + interval '2 seconds'`.execute(
    t.db,
  );
const emailsTo = async (world: World, since: number): Promise<string[]> =>
  (await toldIn(world)).emails.slice(since).map(({ recipient }) => recipient);

test('reminders leave at a sixth of the send rate, oldest first, each person once', async () => {
  const world = await aWorld(t.db);
  await waiting(world, ['a@example.com', 'b@example.com', 'c@example.com']);
  assert.deepEqual(await remind(world), { count: 3, isEstimate: false });
  assert.deepEqual(await emailsTo(world, 3), [], 'the call itself sends nothing');
  assert.equal(await sendReminders(world.ctx), true);
  assert.deepEqual(await emailsTo(world, 3), ['a@example.com', 'b@example.com'], 'the rate is 12 a second');
  assert.equal(await sendReminders(world.ctx), false, 'this second is used up');
  assert.equal((await emailsTo(world, 3)).length, 2);
  for (let second = 0; second < 3; second += 1) {
    await nextSecond();
    await sendReminders(world.ctx);
  }
  assert.deepEqual(await emailsTo(world, 3), ['a@example.com', 'b@example.com', 'c@example.com']);
  await nextSecond();
  assert.equal(await sendReminders(world.ctx), false, 'the reminder has ended');
  assert.deepEqual(await remind(world), { count: 0, isEstimate: false }, 'nobody is reminded twice');
  const { rows } = await sql`
    select target_id as target, details from security_log
     where workspace_id = ${world.ctx.workspaceId} and action = 'newsletter.pending_reminded'`.execute(t.db);
  assert.deepEqual(rows, [{ target: world.newsletter.id, details: { count: 3, older_than_days: 3 } }]);
});

test('two newsletters that remind at once have turns, a second each', async () => {
  const [one, two] = [await aWorld(t.db), await aWorld(t.db)];
  for (const world of [one, two]) {
    await waiting(
      world,
      ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'].map(
        (address) => `${world.newsletter.id}-${address}`,
      ),
    );
    await remind(world);
  }
  for (let second = 0; second < 2; second += 1) {
    await sendReminders(one.ctx);
    await nextSecond();
  }
  assert.deepEqual([(await emailsTo(one, 4)).length, (await emailsTo(two, 4)).length], [2, 2]);
});

test('somebody who leaves between the call and their turn is not reminded', async () => {
  const world = await aWorld(t.db);
  await waiting(world, ['a@gone.example', 'b@gone.example']);
  await remind(world);
  await sql`update subscribers set status = 'unsubscribed', unsubscribed_at = now()
    where workspace_id = ${world.ctx.workspaceId} and email = 'a@gone.example'`.execute(t.db);
  await sendReminders(world.ctx);
  assert.deepEqual(await emailsTo(world, 2), ['b@gone.example']);
});

test('a reminder rests while confirmation emails rest, and goes on afterwards', async () => {
  const world = await aWorld(t.db);
  await waiting(world, ['a@rest.example']);
  await remind(world);
  const rests = (at: Date | null) =>
    sql`update newsletters set confirmations_paused_at = ${at} where workspace_id = ${world.ctx.workspaceId}`.execute(
      t.db,
    );
  await nextSecond();
  await rests(new Date());
  await sendReminders(world.ctx);
  assert.deepEqual(await emailsTo(world, 1), []);
  await rests(null);
  await sql`update newsletter_reminders set due_at = now()`.execute(t.db);
  await sendReminders(world.ctx);
  assert.deepEqual(await emailsTo(world, 1), ['a@rest.example']);
});

test('a call with a test key reminds in the sandbox', async () => {
  const world = await aWorld(t.db);
  await waiting(world, ['a@sandbox.example']);
  const ctx = { ...world.ctx, actor: { ...world.ctx.actor, mode: 'test' as const } };
  await remindPending({ ...ctx, ip: '127.0.0.1' }, world.newsletter, { olderThanDays: 3 });
  await sendReminders(world.ctx);
  const { rows } = await sql<{ sandbox: boolean }>`select sandbox from emails
    where workspace_id = ${world.ctx.workspaceId} order by id desc limit 1`.execute(t.db);
  assert.deepEqual([(await emailsTo(world, 1)).length, rows], [1, [{ sandbox: true }]]);
});
