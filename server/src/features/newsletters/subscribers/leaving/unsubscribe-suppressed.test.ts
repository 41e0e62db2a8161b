import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { addSuppression, addSuppressions, suppressionsAdded } from '#features/suppressions';
import { inTransaction } from '#platform/db/database.ts';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { subscribersUnsubscribed } from '../../announcements.ts';
import { confirmSubscriber } from '../confirmation/confirm-subscriber.ts';
import { anotherNewsletter, aWorld, countsOf, join, proof, rowOf, toldIn } from '../test-kit.ts';
import { undoUnsubscribe } from './undo-unsubscribe.ts';
import { unsubscribeSubscriber } from './unsubscribe-subscriber.ts';
import { unsubscribeSuppressed } from './unsubscribe-suppressed.ts';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';

let t: TestDatabase;
let announced = 0;
let largest = 0;
before(async () => {
  t = await createTestDatabase({ poolMax: 20 });
  const { ctx } = await aWorld(t.db);
  addReactions(t.db, [reactionTo(suppressionsAdded, unsubscribeSuppressed(ctx.secrets))]);
  addReactions(t.db, [
    reactionTo(subscribersUnsubscribed, async (_, news) => {
      announced += news.length;
      largest = Math.max(largest, news.length);
    }),
  ]);
});
after(() => t.close());

const anAddress = (): string => `${newId()}@example.com`;

test('a suppressed address leaves every list of its workspace, pending or active, with the reason beside what was there', async () => {
  const world = await aWorld(t.db);
  const active = { ...world, newsletter: await anotherNewsletter(world.ctx, { doubleOptIn: false }) };
  const left = { ...world, newsletter: await anotherNewsletter(world.ctx, { doubleOptIn: false }) };
  const stranger = await aWorld(t.db);
  const email = anAddress();
  const rows = [
    await join(world, email, { metadata: { plan: 'pro' } }),
    await join(active, email),
    await join(left, email),
  ];
  const theirs = await join(stranger, email);
  const [one, two, gone] = rows.map(({ subscriber }) => subscriber);
  assert.ok(one && two && gone);
  const before = await unsubscribeSubscriber(world.ctx, {
    newsletterId: gone.newsletterId,
    subscriberId: gone.id,
    reason: 'user',
    issueId: null,
    evidence: proof,
  });
  const toldBefore = (await toldIn(world)).events.length;

  await addSuppression({ db: t.db, workspaceId: world.ctx.workspaceId }, { identity: email, reason: 'hard_bounce' });

  for (const [row, metadata] of [
    [one, { plan: 'pro', unsubscribe_reason: 'hard_bounce' }],
    [two, { unsubscribe_reason: 'hard_bounce' }],
  ] as const) {
    const now = await rowOf(world, row);
    assert.deepEqual([now.status, now.metadata, now.generation, now.statusBefore], ['unsubscribed', metadata, 1, null]);
    assert.ok(now.unsubscribedAt);
  }
  assert.deepEqual(await rowOf(world, gone), before.subscriber, 'who had left keeps reason and time');
  assert.deepEqual(await rowOf(stranger, theirs.subscriber), theirs.subscriber, 'another workspace is untouched');
  const { events, consents } = await toldIn(world);
  const news = events.slice(toldBefore).filter(({ type }) => type === 'newsletter.subscriber.unsubscribed');
  assert.deepEqual(
    news.map(({ payload }) => [payload['reason'], payload['previous_status'], payload['issue_id']]).toSorted(),
    [
      ['hard_bounce', 'active', null],
      ['hard_bounce', 'pending', null],
    ],
  );
  assert.equal(consents.filter(({ action }) => action === 'unsubscribed').length, 3);
  assert.deepEqual(await countsOf(world), { pending: 0, active: 0, unsubscribed: 1 });

  await assert.rejects(confirmSubscriber(world.ctx, { newsletterId: one.newsletterId, subscriberId: one.id }, proof));
  await assert.rejects(
    undoUnsubscribe(world.ctx, { newsletterId: two.newsletterId, subscriberId: two.id, evidence: proof }),
  );
});

test('a reason that becomes a stronger one changes nobody who has left, and tells nobody', async () => {
  const world = await aWorld(t.db);
  const email = anAddress();
  const { subscriber } = await join(world, email);
  const at = { db: t.db, workspaceId: world.ctx.workspaceId };
  await addSuppression(at, { identity: email, reason: 'soft_bounce' });
  const row = await rowOf(world, subscriber);
  const told = (await toldIn(world)).events.length;
  await addSuppression(at, { identity: email, reason: 'complaint' });
  assert.deepEqual(await rowOf(world, subscriber), row);
  assert.equal((await toldIn(world)).events.length, told);
});

test('the issue that bounced is named, for its own newsletter only', async () => {
  const world = await aWorld(t.db, { doubleOptIn: false });
  const second = { ...world, newsletter: await anotherNewsletter(world.ctx, { doubleOptIn: false }) };
  const email = anAddress();
  await join(world, email);
  await join(second, email);
  const [issueId, emailId] = [newId(), newId()];
  await sql`with r as (
      insert into send_requests (workspace_id, id, content_id, source, total, issue_id, newsletter_id)
      values (${world.ctx.workspaceId}, ${emailId}, ${emailId}, 'issue', 1, ${issueId}, ${world.newsletter.id})
    )
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status)
    values (${world.ctx.workspaceId}, ${emailId}, ${emailId}, ${emailId}, ${email}, 2, 0, 'bounced')`.execute(t.db);
  await addSuppression(
    { db: t.db, workspaceId: world.ctx.workspaceId },
    { identity: email, reason: 'complaint', sourceEmailId: emailId },
  );
  const news = (await toldIn(world)).events.filter(({ type }) => type === 'newsletter.subscriber.unsubscribed');
  const byNewsletter = new Map(
    news.map(({ payload }) => [(payload['newsletter'] as { id: string }).id, payload['issue_id']]), // as the view makes it
  );
  assert.deepEqual([byNewsletter.get(world.newsletter.id), byNewsletter.get(second.newsletter.id)], [issueId, null]);
});

test('signing up and being suppressed at once leave nobody on a list whose address is suppressed', async () => {
  const runs = propertyRuns({ test: 3, prove: 20 });
  const world = await aWorld(t.db, { doubleOptIn: false });
  for (let run = 0; run < runs; run += 1) {
    const email = anAddress();
    await Promise.allSettled([
      join(world, email),
      addSuppression({ db: t.db, workspaceId: world.ctx.workspaceId }, { identity: email, reason: 'manual' }),
    ]);
  }
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from subscribers s join suppressions p on p.workspace_id = s.workspace_id and p.email = s.email
     where s.workspace_id = ${world.ctx.workspaceId} and s.status <> 'unsubscribed'`.execute(t.db);
  assert.equal(rows[0]?.n, 0);
});

test('a sign-up that is under way when its address is suppressed is seen by the cascade', async () => {
  const world = await aWorld(t.db, { doubleOptIn: false });
  const email = anAddress();
  let suppressed: Promise<unknown> | undefined;
  let isDone = false;
  await inTransaction(t.db, async (tx) => {
    await join({ ...world, ctx: { ...world.ctx, db: tx } }, email);
    suppressed = addSuppression(
      { db: t.db, workspaceId: world.ctx.workspaceId },
      { identity: email, reason: 'manual' },
    ).finally(() => (isDone = true));
    while (!isDone && !(await isSomebodyWaiting()));
  });
  await suppressed;
  const { rows } = await sql<{ status: string }>`
    select status from subscribers where workspace_id = ${world.ctx.workspaceId} and email = ${email}`.execute(t.db);
  assert.deepEqual(rows, [{ status: 'unsubscribed' }]);
});

test('five hundred addresses on five lists leave in one transaction, told a thousand at a time', async () => {
  const world = await aWorld(t.db);
  const addresses = Array.from({ length: 500 }, (_, index) => `many${index}-${newId()}@example.com`);
  for (let list = 0; list < 5; list += 1) {
    const { id } = await anotherNewsletter(world.ctx);
    await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
      select ${world.ctx.workspaceId}, ph_uuidv7(), ${id}, email, 'active' from unnest(${addresses}::text[]) as email`.execute(
      t.db,
    );
  }
  const [announcedBefore, started] = [announced, performance.now()];
  await addSuppressions(
    t.db,
    addresses.map((identity) => ({ workspaceId: world.ctx.workspaceId, identity, reason: 'complaint' as const })),
  );
  const ms = Math.round(performance.now() - started);
  console.log(`2,500 rows left in ${ms} ms`);
  assert.ok(ms < 60_000, `it took ${ms} ms`);
  assert.equal(announced - announcedBefore, 2_500);
  assert.ok(largest <= 1_000);
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*) as n from subscribers where workspace_id = ${world.ctx.workspaceId} group by 1`.execute(
    t.db,
  );
  assert.deepEqual(rows, [{ status: 'unsubscribed', n: 2_500 }]);
});

/** Whether the cascade waits for a lock that an open transaction holds. */
async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where not l.granted and a.datname = current_database()`.execute(t.db);
  return (rows[0]?.n ?? 0) > 0;
}
