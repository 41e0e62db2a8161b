import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { addSuppression } from '#features/suppressions';
import { AppError } from '#platform/errors/app-error.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { countsOf, anotherNewsletter, aWorld, join, proof, rowOf, toldIn } from '../test-kit.ts';
import { unsubscribeSubscriber } from '../leaving/unsubscribe-subscriber.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ poolMax: 20 });
});
after(() => t.close());

const refusal = (name: string, param?: string) => (error: unknown) =>
  error instanceof AppError && error.name === name && error.extras.param === param;

test('with double opt-in a new address is pending, with one email, one event and the proof of who asked', async () => {
  const world = await aWorld(t.db);
  const { subscriber, outcome } = await join(world, 'Ada1@Example.com', {
    name: 'Ada',
    source: 'footer',
    metadata: { plan: 'pro' },
    evidence: proof,
  });
  assert.equal(outcome, 'created');
  assert.deepEqual(
    [subscriber.email, subscriber.status, subscriber.name, subscriber.source, subscriber.metadata],
    ['ada1@example.com', 'pending', 'Ada', 'footer', { plan: 'pro' }],
  );
  assert.deepEqual([subscriber.confirmationCount, subscriber.confirmationSentAt], [1, subscriber.createdAt]);
  assert.deepEqual(
    [subscriber.consent.method, subscriber.consent.signup_ip, subscriber.consent.confirmed_at],
    ['double_opt_in', '203.0.113.7', undefined],
  );
  assert.deepEqual(subscriber, await rowOf(world, subscriber));
  const { events, emails, consents } = await toldIn(world);
  assert.deepEqual(
    emails.map(({ recipient, status, lane, source }) => ({ recipient, status, lane, source })),
    [{ recipient: 'ada1@example.com', status: 'queued', lane: 1, source: 'confirmation' }],
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ['newsletter.subscriber.created'],
  );
  const [consent] = consents;
  assert.deepEqual([consent?.action, consent?.email, consent?.ip], ['signed_up', 'Ada1@example.com', '203.0.113.7']);
  assert.ok(consent?.email_id, 'the record names the email');
  assert.deepEqual(await countsOf(world), { pending: 1, active: 0, unsubscribed: 0 });
});

test('without double opt-in a new address is active at once: confirmed is told, created is not, nothing is sent', async () => {
  const world = await aWorld(t.db, { doubleOptIn: false });
  const { subscriber } = await join(world, 'ada2@example.com');
  assert.deepEqual(
    [subscriber.status, subscriber.confirmedAt, subscriber.confirmationCount, subscriber.consent.method],
    ['active', subscriber.createdAt, 0, 'single_opt_in'],
  );
  const { events, emails } = await toldIn(world);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['newsletter.subscriber.confirmed'],
  );
  assert.deepEqual(emails, []);
});

test('a second sign-up changes nothing, whatever it says, and sends nothing', async () => {
  const world = await aWorld(t.db);
  const first = await join(world, 'ada3@example.com', { name: 'Ada' });
  const again = await join(world, 'ADA3@example.com', {
    name: 'Eve',
    source: 'x',
    metadata: { a: 1 },
    resubscribe: true,
  });
  assert.deepEqual(again, { subscriber: first.subscriber, outcome: 'existing' });
  const { events, emails, consents } = await toldIn(world);
  assert.deepEqual([events.length, emails.length, consents.length], [1, 1, 1]);
});

test('sixty-four sign-ups of one address at once make one row, one email and one event', async () => {
  const world = await aWorld(t.db);
  const all = await Promise.all(Array.from({ length: 64 }, () => join(world, 'ada4@example.com')));
  assert.equal(all.filter(({ outcome }) => outcome === 'created').length, 1);
  assert.equal(new Set(all.map(({ subscriber }) => subscriber.id)).size, 1);
  const { events, emails, consents } = await toldIn(world);
  assert.deepEqual([events.length, emails.length, consents.length], [1, 1, 1]);
  assert.deepEqual(await countsOf(world), { pending: 1, active: 0, unsubscribed: 0 });
});

test('a person who left starts again by a public sign-up, or by the API with resubscribe; concurrent requests send one email', async () => {
  const world = await aWorld(t.db);
  const { subscriber } = await join(world, 'ada5@example.com');
  const leaving = {
    newsletterId: subscriber.newsletterId,
    subscriberId: subscriber.id,
    issueId: null,
    evidence: proof,
  };
  await unsubscribeSubscriber(world.ctx, { ...leaving, reason: 'user' });
  const still = await join(world, 'ada5@example.com', { via: 'api' });
  assert.deepEqual([still.outcome, still.subscriber.status], ['existing', 'unsubscribed']);
  const back = await Promise.all(Array.from({ length: 8 }, () => join(world, 'ada5@example.com')));
  assert.deepEqual(
    back
      .map(({ outcome }) => outcome)
      .toSorted()
      .slice(-2),
    ['existing', 'restarted'],
  );
  const row = await rowOf(world, subscriber);
  assert.deepEqual(
    [row.status, row.generation, row.unsubscribedAt, row.statusBefore, row.metadata],
    ['pending', 1, null, null, {}],
  );
  const { emails, events } = await toldIn(world);
  assert.equal(emails.length, 2);
  assert.deepEqual(
    events.map(({ type }) => type.replace('newsletter.subscriber.', '')),
    ['created', 'unsubscribed', 'created'],
  );
});

test('a suppressed address is refused and leaves nothing, also when it has a row', async () => {
  const world = await aWorld(t.db);
  await addSuppression(
    { db: t.db, workspaceId: world.ctx.workspaceId },
    { identity: 'ada6@example.com', reason: 'manual' },
  );
  await assert.rejects(join(world, 'Ada6@example.com'), refusal('validation_error', 'email'));
  await assert.rejects(
    join(world, 'ada6@example.com', { via: 'api', skipConfirmation: true }),
    refusal('validation_error', 'email'),
  );
  const { consents, emails, events } = await toldIn(world);
  assert.deepEqual([consents, emails, events.filter(({ type }) => type !== 'email.suppressed')], [[], [], []]);
  assert.deepEqual(await countsOf(world), { pending: 0, active: 0, unsubscribed: 0 });
});

test('without a sender nobody can be asked: refused, and nothing is stored', async () => {
  const world = await aWorld(t.db, { fromEmail: 'news@not-verified.example' });
  await assert.rejects(join(world, 'ada7@example.com', { via: 'api' }), refusal('validation_error', 'from_email'));
  assert.deepEqual(await toldIn(world), { events: [], emails: [], consents: [] });
  const vouched = await join(world, 'bob@example.com', {
    via: 'api',
    skipConfirmation: true,
    consent: { text: 'paper form' },
  });
  assert.deepEqual([vouched.subscriber.status, vouched.subscriber.consent.method], ['active', 'attested']);
  assert.deepEqual(
    (await toldIn(world)).consents.map(({ action }) => action),
    ['added'],
  );
});

test('while nobody can be asked the public is refused alike for known and unknown addresses', async () => {
  const vouched = { via: 'api', skipConfirmation: true, consent: { text: 'paper form' } } as const;
  const unsent = await aWorld(t.db, { fromEmail: 'news@not-verified.example' });
  const paused = await aWorld(t.db);
  for (const world of [unsent, paused]) await join(world, 'known@example.com', vouched);
  await sql`update workspaces set status = 'paused' where id = ${paused.ctx.workspaceId}`.execute(t.db);
  for (const email of ['known@example.com', 'unknown@example.com']) {
    await assert.rejects(join(unsent, email), refusal('validation_error', 'from_email'), email);
    await assert.rejects(join(paused, email), { name: 'permission_error' }, email);
    const { outcome } = await join(unsent, 'known@example.com', { via: 'api' });
    assert.equal(outcome, 'existing', 'who has a key is told as ever');
  }
  for (const world of [unsent, paused])
    assert.deepEqual(await countsOf(world), { pending: 0, active: 1, unsubscribed: 0 });
});

test('one address is sent three confirmation emails an hour and ten a day, whatever it is put on', async () => {
  const world = await aWorld(t.db);
  const victim = 'victim@example.com';
  const worlds = [world];
  for (let index = 1; index < 14; index += 1) {
    worlds.push({ ...world, newsletter: await anotherNewsletter(world.ctx) });
  }
  const mailed = async (from: number, to: number): Promise<number> => {
    const made = await Promise.all(worlds.slice(from, to).map((one) => join(one, victim)));
    assert.ok(made.every(({ outcome }) => outcome === 'created'));
    return made.filter(({ subscriber }) => subscriber.confirmationCount === 1).length;
  };
  assert.equal(await mailed(0, 5), 3);
  world.ctx.clock.advance(3_600_001);
  assert.equal(await mailed(5, 8), 3);
  world.ctx.clock.advance(3_600_001);
  assert.equal(await mailed(8, 11), 3);
  world.ctx.clock.advance(3_600_001);
  assert.equal(await mailed(11, 14), 1);
  assert.equal((await toldIn(world)).emails.length, 10);
});

test('while confirmations of a newsletter are paused, a new subscriber waits without an email', async () => {
  const world = await aWorld(t.db);
  world.newsletter = { ...world.newsletter, confirmationsPausedAt: new Date() };
  const { subscriber } = await join(world, 'ada9@example.com');
  assert.deepEqual(
    [subscriber.status, subscriber.confirmationSentAt, subscriber.confirmationCount],
    ['pending', null, 0],
  );
  assert.deepEqual((await toldIn(world)).emails, []);
});

test('when the email cannot be queued, nobody is signed up', async () => {
  const world = await aWorld(t.db);
  await sql`alter table emails add constraint fault check (recipient <> 'fault@example.com')`.execute(t.db);
  await assert.rejects(join(world, 'fault@example.com'), /fault/);
  assert.deepEqual(await toldIn(world), { events: [], emails: [], consents: [] });
  assert.deepEqual(await countsOf(world), { pending: 0, active: 0, unsubscribed: 0 });
});
