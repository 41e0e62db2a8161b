import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { addSuppression } from '#features/suppressions';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { subscribersUnsubscribed, type UnsubscribedNews } from '../announcements.ts';
import { confirmSubscriber } from './confirmation/confirm-subscriber.ts';
import { SUBSCRIBER_MOVES, SUBSCRIBER_STATUSES, type Subscriber } from './subscriber.ts';
import { anotherNewsletter, aWorld, countsOf, join, proof, rowOf, toldIn, type World } from './test-kit.ts';
import { undoUnsubscribe } from './leaving/undo-unsubscribe.ts';
import { unsubscribeEverywhere } from './leaving/unsubscribe-everywhere.ts';
import { unsubscribeSubscriber } from './leaving/unsubscribe-subscriber.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ poolMax: 20 });
});
after(() => t.close());

const refusal = (name: string) => (error: unknown) => error instanceof AppError && error.name === name;
const idsOf = (row: Subscriber) => ({ newsletterId: row.newsletterId, subscriberId: row.id });
const leave = ({ ctx }: World, row: Subscriber, issueId: string | null = null, reason: 'user' | 'api' = 'user') =>
  unsubscribeSubscriber(ctx, { ...idsOf(row), reason, issueId, evidence: proof });
const confirm = ({ ctx }: World, row: Subscriber, generation = row.generation) =>
  confirmSubscriber(ctx, { ...idsOf(row), generation }, { ...proof, tokenId: 'the-link' });
const undo = ({ ctx }: World, row: Subscriber) => undoUnsubscribe(ctx, { ...idsOf(row), evidence: proof });
const typesOf = async (world: World): Promise<string[]> =>
  (await toldIn(world)).events.map(({ type }) => type.replace('newsletter.subscriber.', ''));

/** Its address is nobody else's in this database. */
async function someone(given: { doubleOptIn?: boolean } = {}): Promise<{ world: World; row: Subscriber }> {
  const world = await aWorld(t.db, given);
  const { subscriber } = await join(world, `${newId()}@example.com`, { metadata: { plan: 'pro' } });
  return { world, row: subscriber };
}

test('the table of moves has exactly the states that the database takes', async () => {
  const { rows } = await sql<{ check: string }>`
    select pg_get_constraintdef(k.oid) as check from pg_type t join pg_constraint k on k.contypid = t.oid
     where t.typname = 'subscriber_status'`.execute(t.db);
  const allowed = [...(rows[0]?.check.matchAll(/'(\w+)'/g) ?? [])].map(([, name]) => name);
  assert.deepEqual(allowed.toSorted(), SUBSCRIBER_STATUSES.toSorted());
  const targets = Object.values(SUBSCRIBER_MOVES).flatMap((exits) => Object.values(exits));
  assert.ok(targets.every((to) => allowed.includes(to)));
});

test('the link makes a pending subscriber active, once; following it again is answered the same', async () => {
  const { world, row } = await someone();
  const first = await confirm(world, row);
  assert.deepEqual([first.changed, first.subscriber.status], [true, 'active']);
  assert.deepEqual(
    [first.subscriber.consent.confirmed_ip, first.subscriber.consent.method],
    ['203.0.113.7', 'double_opt_in'],
  );
  const again = await confirm(world, row);
  assert.deepEqual(again, { subscriber: first.subscriber, changed: false });
  assert.deepEqual(await typesOf(world), ['created', 'confirmed']);
  const { consents } = await toldIn(world);
  assert.deepEqual(
    consents.map(({ action }) => action),
    ['signed_up', 'confirmed'],
  );
  assert.deepEqual(await countsOf(world), { pending: 0, active: 1, unsubscribed: 0 });
});

test('two people who follow the link at once confirm once', async () => {
  const { world, row } = await someone();
  const all = await Promise.all(Array.from({ length: 8 }, () => confirm(world, row)));
  assert.equal(all.filter(({ changed }) => changed).length, 1);
  assert.deepEqual(await typesOf(world), ['created', 'confirmed']);
});

test('a link to confirm from before an unsubscribe brings nobody back, not even when they have signed up again', async () => {
  const { world, row } = await someone();
  await leave(world, row);
  await assert.rejects(confirm(world, row), refusal('validation_error'));
  assert.equal((await rowOf(world, row)).status, 'unsubscribed');
  const { subscriber } = await join(world, row.email);
  await assert.rejects(confirm(world, row), refusal('validation_error'));
  assert.equal((await rowOf(world, row)).status, 'pending');
  assert.equal((await confirm(world, subscriber)).subscriber.status, 'active');
});

test('leaving keeps reason, time, state before and issue; repeated it changes nothing and tells nobody', async () => {
  const { world, row } = await someone();
  await confirm(world, row);
  const news: UnsubscribedNews[] = [];
  addReactions(t.db, [
    reactionTo(
      subscribersUnsubscribed,
      async (_, told) => void news.push(...told.filter((one) => one.subscriberId === row.id)),
    ),
  ]);
  const issueId = await anIssue(world, newId());
  const { subscriber, changed } = await leave(world, row, issueId);
  assert.equal(changed, true);
  assert.deepEqual(
    [
      subscriber.status,
      subscriber.statusBefore,
      subscriber.unsubscribedIssueId,
      subscriber.generation,
      subscriber.metadata,
    ],
    ['unsubscribed', 'active', issueId, 1, { plan: 'pro', unsubscribe_reason: 'user' }],
  );
  world.ctx.clock.advance(60_000);
  assert.deepEqual(await leave(world, row, null, 'api'), { subscriber, changed: false });
  assert.deepEqual(
    news.map(({ reason, issueId, previousStatus }) => ({ reason, issueId, previousStatus })),
    [{ reason: 'user', issueId, previousStatus: 'active' }],
  );
  const { events } = await toldIn(world);
  const left = events.filter(({ type }) => type.endsWith('unsubscribed'));
  assert.equal(left.length, 1);
  assert.deepEqual(
    [left[0]?.payload['reason'], left[0]?.payload['issue_id'], left[0]?.payload['previous_status']],
    ['user', issueId, 'active'],
  );
  const told = left[0]?.payload['subscriber'] as Record<string, unknown>; // an object by the assertion that follows
  assert.deepEqual([told['id'], told['status'], 'consent' in told], [row.id, 'unsubscribed', false]);
});

test('an undo within a day restores the state before, the count of the issue, and links to confirm', async () => {
  for (const active of [true, false]) {
    const { world, row } = await someone();
    if (active) await confirm(world, row);
    const sendId = newId();
    const issueId = await anIssue(world, sendId);
    await leave(world, row, issueId);
    assert.equal(await unsubscribedOf(world, sendId), 1);
    world.ctx.clock.advance(24 * 3_600_000 - 60_000);
    const { subscriber, changed } = await undo(world, row);
    assert.deepEqual(
      [changed, subscriber.status, subscriber.generation, subscriber.unsubscribedAt, subscriber.metadata],
      [true, active ? 'active' : 'pending', 0, null, { plan: 'pro' }],
    );
    assert.equal(await unsubscribedOf(world, sendId), 0);
    assert.equal((await undo(world, row)).changed, false);
    assert.equal((await confirm(world, row)).subscriber.status, 'active');
    const told = active
      ? ['created', 'confirmed', 'unsubscribed', 'confirmed']
      : ['created', 'unsubscribed', 'confirmed'];
    assert.deepEqual(await typesOf(world), told);
    assert.ok((await toldIn(world)).consents.some(({ action }) => action === 'undone'));
  }
});

test('an undo a day later, of a second sign-up, or for a suppressed address is refused and changes nothing', async () => {
  const late = await someone();
  await leave(late.world, late.row);
  late.world.ctx.clock.advance(24 * 3_600_000 + 60_000);
  await assert.rejects(undo(late.world, late.row), refusal('conflict_error'));
  assert.equal((await rowOf(late.world, late.row)).status, 'unsubscribed');

  const { world, row } = await someone();
  await leave(world, row);
  await addSuppression({ db: t.db, workspaceId: world.ctx.workspaceId }, { identity: row.email, reason: 'manual' });
  await assert.rejects(undo(world, row), refusal('validation_error'));
  assert.equal((await rowOf(world, row)).status, 'unsubscribed');
});

test('leaving everything takes the address off every list of this workspace and of no other', async () => {
  const { world, row } = await someone();
  const second = { ...world, newsletter: await anotherNewsletter(world.ctx, { doubleOptIn: false }) };
  await join(second, row.email);
  const left = { ...world, newsletter: await anotherNewsletter(world.ctx, { doubleOptIn: false }) };
  const gone = await join(left, row.email);
  await leave(left, gone.subscriber, null, 'api');
  const stranger = await aWorld(t.db, { doubleOptIn: false });
  const untouched = await join(stranger, row.email);
  const sendId = newId();
  const issueId = await anIssue(world, sendId);
  const asked = { email: row.email, issueId, evidence: proof };
  assert.equal(await unsubscribeEverywhere(world.ctx, asked), 2);
  assert.equal(await unsubscribeEverywhere(world.ctx, asked), 0);
  assert.equal(await unsubscribedOf(world, sendId), 1, 'for the issue whose link it was, once');
  assert.equal((await rowOf(left, gone.subscriber)).metadata['unsubscribe_reason'], 'api');
  assert.equal((await rowOf(stranger, untouched.subscriber)).status, 'active');
});

test('a subscriber of another workspace or newsletter cannot be moved', async () => {
  const { world, row } = await someone();
  const other = await anotherNewsletter(world.ctx);
  const strange = { ...world, ctx: { ...world.ctx, workspaceId: await aWorkspace(t.db) } };
  for (const move of [confirm, leave, undo] as const) {
    await assert.rejects(move(strange, row), refusal('not_found_error'));
    await assert.rejects(move(world, { ...row, newsletterId: other.id }), refusal('not_found_error'));
  }
  assert.deepEqual(await rowOf(world, row), row);
});

test('confirming and leaving at once leave nobody active who has left', async () => {
  const runs = propertyRuns({ test: 3, prove: 20 });
  for (let run = 0; run < runs; run += 1) {
    const { world, row } = await someone();
    const [confirmed, left] = await Promise.allSettled([confirm(world, row), leave(world, row)]);
    assert.equal(left.status, 'fulfilled');
    assert.equal((await rowOf(world, row)).status, 'unsubscribed');
    const expected =
      confirmed.status === 'fulfilled' ? ['created', 'confirmed', 'unsubscribed'] : ['created', 'unsubscribed'];
    assert.deepEqual(await typesOf(world), expected);
    assert.deepEqual(await countsOf(world), { pending: 0, active: 0, unsubscribed: 1 });
  }
});

async function anIssue({ ctx, newsletter }: World, sendId: string): Promise<string> {
  const id = newId();
  await sql`insert into issues (workspace_id, id, newsletter_id, slug, subject, html_body, status, send_id)
    values (${ctx.workspaceId}, ${id}, ${newsletter.id}, ${id}, 'Hello', '<p>Hello</p>', 'sent', ${sendId})`.execute(
    t.db,
  );
  return id;
}

async function unsubscribedOf({ ctx }: World, sendId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(unsubscribed), 0)::integer as n from send_counts
     where workspace_id = ${ctx.workspaceId} and send_id = ${sendId}`.execute(t.db);
  return rows[0]?.n ?? -1;
}
