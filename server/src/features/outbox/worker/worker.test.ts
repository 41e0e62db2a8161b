import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { systemClock } from '#platform/clock.ts';
import { onFaultPoint } from '#platform/fault-points.ts';
import { newId } from '#platform/ids.ts';
import { Moment } from '#platform/moments.ts';
import type { Verdict } from '#providers/email-provider.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { until } from '../../../../test/harness/until.ts';
import { LANES } from '../lane.ts';
import { outcomeOf } from './outcome.ts';
import { claimEmails } from './queries/claim-emails.ts';
import { pausePace } from './queries/pace.ts';
import {
  accept,
  aContent,
  aSend,
  aSteppedWorker,
  aSweeper,
  aWorker,
  aWorkspace,
  deliver,
  people,
  queued,
  RecordingProvider,
  stateOf,
} from '../test-kit.ts';

let t: TestDatabase;
let provider: RecordingProvider;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(() => {
  provider = new RecordingProvider();
});
afterEach(async () => {
  await sql`truncate emails, contents, send_requests, email_events, email_attempts, attachments, suppressions`.execute(
    t.db,
  );
  await sql`update send_pace set next_slot = 'epoch', slot = 0, stretch = 1, stretched_at = null, paused_until = null,
    pause_reason = null`.execute(t.db);
});

const suppress = (workspaceId: string, email: string): Promise<unknown> =>
  sql`insert into suppressions (workspace_id, id, email, reason)
      values (${workspaceId}, gen_random_uuid(), ${email}, 'manual')`.execute(t.db);
const sentAs = (providerMessageId: string): Extract<Verdict, { kind: 'accepted' }> => ({
  kind: 'accepted',
  providerMessageId,
  response: '250',
});
const recipients = (): string[] => provider.calls.map((call) => call.message.envelope.to[0] ?? '');
const one = async (send = aSend(['ada@example.com'])): Promise<{ ws: string; id: string; jobId: string }> => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, send);
  return { ws, id: receipt.emails[0]?.id ?? '', jobId: receipt.jobId };
};

test('an accepted email is handed over once and is then sent', async () => {
  const { ws, id } = await one(aSend(['Ada <Ada@example.com>']));
  await deliver(aWorker(t.db, provider), 1);
  assert.equal(provider.calls.length, 1);
  const message = provider.calls[0]?.message;
  assert.deepEqual(message?.envelope, { from: 'hello@acme.test', to: ['Ada@example.com'] });
  assert.equal(message?.messageId, `<${id}@acme.test>`);
  assert.equal(message?.system, false);
  const state = await stateOf(t.db, ws, id);
  assert.equal(state.status, 'sent');
  assert.equal(state.attempts, 1);
  assert.equal(state.providerMessageId, 'provider-id');
  assert.equal(state.hasLease, false);
  assert.deepEqual(state.records, []);
});

test('an email whose content is gone fails and holds up nobody behind it', async () => {
  const { ws, id } = await one();
  await sql`delete from contents where workspace_id = ${ws}`.execute(t.db);
  await one(aSend(['bob@example.com']));
  await deliver(aWorker(t.db, provider), 1);
  assert.deepEqual(recipients(), ['bob@example.com']);
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([state.status, state.error], ['failed', 'content_missing']);
});

test('lower lanes wait: system before transactional before bulk, whatever came first', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'bulk', ['bulk@example.com']);
  await queued(t.db, ws, 'transactional', ['transactional@example.com']);
  await queued(t.db, ws, 'system', ['system@example.com']);
  const worker = aSteppedWorker(t.db, provider, { ratePerSecond: 12 });
  await worker.until('three hand-offs', () => provider.calls.length === 3);
  assert.deepEqual(recipients(), ['system@example.com', 'transactional@example.com', 'bulk@example.com']);
  assert.equal(provider.calls[0]?.message.system, true);
});

test('bulk gets one slot in five while transactional mail waits', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'transactional', people(80, 'transactional'));
  await queued(t.db, ws, 'bulk', people(40, 'bulk'));
  const worker = aSteppedWorker(t.db, provider, { ratePerSecond: 100 });
  await worker.until('50 hand-offs', () => provider.calls.length >= 50);
  const bulk = recipients()
    .slice(0, 50)
    .filter((to) => to.startsWith('bulk')).length;
  assert.ok(bulk >= 9 && bulk <= 11, `${bulk} of 50`);
});

test('one email of workspace B leaves in the next round while A drains a thousand', async () => {
  const [a, b] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  await queued(t.db, a, 'transactional', people(1_000, 'a'));
  const worker = aSteppedWorker(t.db, provider, { ratePerSecond: 100 });
  await worker.until('ten hand-offs', () => provider.calls.length >= 10);
  await accept(t.db, b, aSend(['b@example.com']));
  const before = provider.calls.length;
  await worker.until('the email of B', () => recipients().includes('b@example.com'));
  // One look binds the slots of 60 ms at most.
  assert.ok(recipients().indexOf('b@example.com') - before < 6, 'B waited for more than the next look');
});

test('slots are bound late: a system email takes the very next slot of a worker that holds slots for bulk', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'bulk', people(30, 'bulk'));
  const worker = aSteppedWorker(t.db, provider, { ratePerSecond: 12 });
  await worker.until('two hand-offs', () => provider.calls.length === 2);
  await accept(t.db, ws, aSend(['now@example.com'], { lane: 'system' }));
  await worker.until('the next hand-off', () => provider.calls.length === 3);
  assert.equal(recipients().at(-1), 'now@example.com');
});

test('an address suppressed after acceptance is not handed over', async () => {
  const { ws, id } = await one();
  await suppress(ws, 'ada@example.com');
  const worker = aWorker(t.db, provider);
  const idle = worker.idle.next();
  await worker.start();
  await idle;
  await worker.stop();
  const state = await stateOf(t.db, ws, id);
  assert.equal(provider.calls.length, 0);
  assert.equal(state.status, 'suppressed');
  assert.deepEqual(state.events.at(-1)?.data, { reject: { reason: 'suppressed' } });
});

test('an expired email fails with its reason and is never handed over', async () => {
  const { ws, id } = await one(aSend(['ada@example.com'], { expiresAt: new Date(Date.now() - 1) }));
  const worker = aWorker(t.db, provider);
  const idle = worker.idle.next();
  await worker.start();
  await idle;
  await worker.stop();
  const state = await stateOf(t.db, ws, id);
  assert.equal(provider.calls.length, 0);
  assert.deepEqual([state.status, state.error], ['failed', 'expired']);
  assert.deepEqual(state.events.at(-1)?.data, { reject: { reason: 'expired' } });
});

test('mail of a domain that was withdrawn after acceptance fails; of one that still stands it leaves', async () => {
  const ws = await aWorkspace(t.db);
  const domain = async (name: string, enabled: boolean): Promise<string> => {
    const { rows } = await sql<{ id: string }>`
      insert into domains (workspace_id, id, domain, dkim_selector, sending_enabled)
      values (${ws}, gen_random_uuid(), ${name}, 's', ${enabled}) returning id`.execute(t.db);
    return rows[0]?.id ?? '';
  };
  const content = async (name: string, enabled: boolean): Promise<ReturnType<typeof aContent>> =>
    aContent({ domain: { domain: name, domainId: await domain(name, enabled) } });
  const good = await accept(t.db, ws, aSend(['good@example.com'], { content: await content('good.test', true) }));
  const bad = await accept(t.db, ws, aSend(['bad@example.com'], { content: await content('bad.test', false) }));
  await deliver(aWorker(t.db, provider), 1);
  assert.deepEqual(recipients(), ['good@example.com']);
  assert.equal((await stateOf(t.db, ws, good.emails[0]?.id ?? '')).status, 'sent');
  const state = await stateOf(t.db, ws, bad.emails[0]?.id ?? '');
  assert.deepEqual([state.status, state.error], ['failed', 'domain_unverified']);
});

test('a permanent refusal fails the email with a reject event, and touches no other', async () => {
  const ws = await aWorkspace(t.db);
  const receipt = await accept(t.db, ws, aSend(['bad@example.com', 'good@example.com']));
  provider.answer = (message) =>
    message.envelope.to[0] === 'bad@example.com'
      ? { kind: 'refused', response: '550 no such user', code: 550 }
      : { kind: 'accepted', providerMessageId: 'x', response: '250' };
  await deliver(aWorker(t.db, provider), 2);
  const [bad, good] = await Promise.all(receipt.emails.map((email) => stateOf(t.db, ws, email.id)));
  assert.deepEqual([bad?.status, bad?.error, bad?.records], ['failed', '550 no such user', ['refused']]);
  assert.deepEqual(bad?.events.at(-1)?.data, { reject: { reason: 'provider', message: '550 no such user' } });
  assert.equal(good?.status, 'sent');
});

test('a temporary failure waits five seconds for its next attempt, which is counted', async () => {
  const { ws, id } = await one();
  provider.answer = () => ({ kind: 'temporary', response: '451 later', code: 451, throttled: false });
  const began = performance.now();
  await deliver(aWorker(t.db, provider), 1);
  const state = await stateOf(t.db, ws, id);
  const tookSeconds = (performance.now() - began) / 1_000;
  assert.deepEqual([state.status, state.attempts, state.records], ['deferred', 1, ['temporary']]);
  const left = state.waitSeconds ?? 0;
  assert.ok(left <= 5 && left > 5 - tookSeconds, `${left} s after ${tookSeconds} s`);
});

test('a throttle answer is not an attempt: the email waits, everybody slows down', async () => {
  const { ws, id } = await one();
  provider.answer = () => ({
    kind: 'temporary',
    response: '454 Maximum sending rate exceeded',
    code: 454,
    throttled: true,
  });
  await deliver(aWorker(t.db, provider), 1);
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([state.status, state.attempts, state.records], ['deferred', 0, ['throttled']]);
  const { rows } = await sql<{ stretch: number; pause: number }>`
    select stretch, extract(epoch from paused_until - stretched_at)::double precision as pause from send_pace`.execute(
    t.db,
  );
  assert.deepEqual(rows[0], { stretch: 1.5, pause: 1 });
});

test('an answer that never came leaves the email unconfirmed, on record, and not to be repeated by itself', async () => {
  const { ws, id } = await one();
  provider.answer = () => ({ kind: 'unknown', response: 'connection reset after the message' });
  await deliver(aWorker(t.db, provider), 1);
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([state.status, state.records, state.handedOff], ['unconfirmed', ['unconfirmed'], true]);
  assert.equal(provider.calls.length, 1);
});

test('a provider that breaks its contract and throws is an unknown outcome', async () => {
  const { ws, id } = await one();
  provider.answer = () => Promise.reject(new Error('broken'));
  await deliver(aWorker(t.db, provider), 1);
  assert.equal((await stateOf(t.db, ws, id)).status, 'unconfirmed');
});

test('a worker that lost its lease changes nothing', async () => {
  const { ws, id } = await one();
  let answer: (() => void) | undefined;
  provider.answer = () =>
    new Promise((resolve) => (answer = () => resolve({ kind: 'refused', response: 'no', code: 550 })));
  const worker = aWorker(t.db, provider);
  await worker.start();
  await provider.received(1);
  await sql`update emails set status = 'unconfirmed', lease_token = null where workspace_id = ${ws} and id = ${id}`.execute(
    t.db,
  );
  const settled = worker.settler.settled.next();
  answer?.();
  assert.equal(await settled, 0);
  await worker.stop();
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([state.status, state.error, state.records], ['unconfirmed', null, []]);
  assert.equal(state.events.length, 1);
});

test('an event that comes before our own record is not undone by it', async () => {
  const { ws, id } = await one();
  provider.answer = async () => {
    await sql`update emails set status = 'delivered' where workspace_id = ${ws} and id = ${id}`.execute(t.db);
    return { kind: 'accepted', providerMessageId: 'x', response: '250' };
  };
  await deliver(aWorker(t.db, provider), 1);
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([state.status, state.providerMessageId, state.attempts], ['delivered', 'x', 1]);
});

test('while a provider call is under way the email has a lease and a hand-off time', async () => {
  const { ws, id } = await one();
  let during: Awaited<ReturnType<typeof stateOf>> | undefined;
  provider.answer = async () => {
    during = await stateOf(t.db, ws, id);
    return { kind: 'accepted', providerMessageId: 'x', response: '250' };
  };
  await deliver(aWorker(t.db, provider), 1);
  assert.deepEqual([during?.status, during?.hasLease, during?.handedOff], ['sending', true, true]);
});

/** A key that is asked for and given only when the test says so: holds an email between claim and hand-off. */
function heldKey(): { loadDkimKey: () => Promise<null>; asked: Moment; give: () => void } {
  const asked = new Moment();
  const waiting: (() => void)[] = [];
  return {
    asked,
    give: () => waiting.splice(0).forEach((go) => go()),
    loadDkimKey: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve(null));
        asked.occur();
      }),
  };
}

test('stopping finishes what was begun and gives back the rest without spending an attempt', async () => {
  const { ws, id } = await one();
  let answer: (() => void) | undefined;
  provider.answer = () => new Promise((resolve) => (answer = () => resolve(sentAs('begun'))));
  const key = heldKey();
  const worker = aWorker(t.db, provider, { loadDkimKey: key.loadDkimKey });
  let asked = key.asked.next();
  await worker.start();
  await asked;
  key.give();
  await provider.received(1);
  asked = key.asked.next();
  const [claimed = ''] = await queued(t.db, ws, 'transactional', ['claimed@example.com']);
  await asked;
  assert.equal((await stateOf(t.db, ws, claimed)).status, 'sending');
  const stopped = worker.stop();
  key.give();
  answer?.();
  await stopped;
  assert.equal(provider.calls.length, 1);
  assert.equal((await stateOf(t.db, ws, id)).status, 'sent');
  const state = await stateOf(t.db, ws, claimed);
  assert.deepEqual([state.status, state.attempts, state.hasLease, state.handedOff], ['queued', 0, false, false]);
});

test('a message whose slot was missed while it was made does not leave without another slot', async () => {
  const { ws, id } = await one();
  let skew = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + skew };
  const key = heldKey();
  const worker = aWorker(t.db, provider, { clock, loadDkimKey: key.loadDkimKey });
  const asked = key.asked.next();
  await worker.start();
  await asked;
  await pausePace(t.db, 600, 'no slots');
  skew = 60;
  const settled = worker.settler.settled.next();
  key.give();
  await settled;
  await worker.stop();
  assert.equal(provider.calls.length, 0);
  assert.equal((await stateOf(t.db, ws, id)).status, 'queued');
});

test('a process that stood still sends nothing for the slots it missed, and nothing is lost', async () => {
  const ws = await aWorkspace(t.db);
  const ids = await queued(t.db, ws, 'transactional', people(3));
  let skew = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + skew };
  const worker = aWorker(t.db, provider, { clock, ratePerSecond: 5 });
  await worker.start();
  await provider.received(1);
  skew = 5_000;
  await provider.received(3);
  await worker.stop();
  for (const id of ids) assert.equal((await stateOf(t.db, ws, id)).status, 'sent');
  const [, second, third] = provider.calls;
  // 200 ms from slot to slot, of which each may come 50 ms late, and its answer, too. At once would be a few.
  assert.ok((third?.atMs ?? 0) - (second?.atMs ?? 0) > 50, 'two left at once');
});

test('a message that cannot be composed is set aside after three tries, and others leave', async () => {
  const ws = await aWorkspace(t.db);
  const [poison = ''] = (await accept(t.db, ws, aSend(['bad@example.com']))).emails.map((email) => email.id);
  await sql`update contents set headers = '[1]', reply_to = '"no list"' where workspace_id = ${ws}`.execute(t.db);
  for (let tries = 1; tries <= 3; tries += 1) {
    await deliver(aWorker(t.db, provider), 1);
    const state = await stateOf(t.db, ws, poison);
    assert.equal(state.status, tries < 3 ? 'deferred' : 'failed');
    await sql`update emails set status = 'queued', not_before = null where workspace_id = ${ws} and status = 'deferred'`.execute(
      t.db,
    );
  }
  assert.match((await stateOf(t.db, ws, poison)).error ?? '', /^poison/);
  assert.equal(provider.calls.length, 0);
});

test('a suppressed member of a grouped message is left out of it, with a reject event', async () => {
  const ws = await aWorkspace(t.db);
  const [a, b, c] = ['a@example.com', 'b@example.com', 'c@example.com'].map(parseMailbox);
  assert.ok(a && b && c);
  const receipt = await accept(t.db, ws, aSend([], { grouped: { to: [a], cc: [b], bcc: [c] } }));
  await suppress(ws, 'a@example.com');
  await deliver(aWorker(t.db, provider), 1);
  assert.deepEqual(provider.calls[0]?.message.envelope.to, ['b@example.com', 'c@example.com']);
  const state = await stateOf(t.db, ws, receipt.emails[0]?.id ?? '');
  assert.equal(state.status, 'sent');
  assert.deepEqual(
    state.events.filter((event) => event.type === 'reject').map((event) => event.recipient),
    ['a@example.com'],
  );
});

test('sandbox mail goes to the sandbox provider only', async () => {
  const { ws, id } = await one(aSend(['ada@example.com'], { sandbox: true }));
  const sandbox = new RecordingProvider();
  await deliver(aWorker(t.db, provider, { providers: { live: provider, sandbox } }), 1);
  assert.deepEqual([provider.calls.length, sandbox.calls.length], [0, 1]);
  assert.equal((await stateOf(t.db, ws, id)).status, 'sent');
});

test('a file of a send arrives in its message, and large sends pass through the byte budget', async () => {
  const ws = await aWorkspace(t.db);
  const body = Buffer.alloc(400_000, 'posthorn ');
  const file = {
    filename: 'a.txt',
    contentType: 'text/plain',
    cid: null,
    disposition: 'attachment',
    body,
  } as const;
  await accept(t.db, ws, aSend(people(3), { content: aContent({ attachments: [file] }) }));
  await deliver(aWorker(t.db, provider), 3);
  assert.ok(provider.calls.every((call) => call.message.mime.length > 500_000));
});

test('a claim whose answer was lost is given back as soon as the database answers, and sent once', async () => {
  const { ws, id } = await one();
  let lost = 0;
  onFaultPoint((name) => {
    if (name !== 'outbox.claim.after-commit' || lost > 0) return;
    lost += 1;
    throw new Error('connection lost');
  });
  try {
    await deliver(aWorker(t.db, provider), 1);
  } finally {
    onFaultPoint(undefined);
  }
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([lost, provider.calls.length, state.status, state.records], [1, 1, 'sent', []]);
});

test('outcomes that cannot be written are kept and written later: nothing is handed over again', async () => {
  const { ws, id } = await one();
  let failures = 0;
  onFaultPoint((name) => {
    if (name !== 'outbox.settle.before' || failures === 2) return;
    failures += 1;
    throw new Error('connection lost');
  });
  try {
    await deliver(aWorker(t.db, provider), 1);
  } finally {
    onFaultPoint(undefined);
  }
  assert.deepEqual([failures, provider.calls.length, (await stateOf(t.db, ws, id)).status], [2, 1, 'sent']);
});

test('a provider that gives ids no column can hold is believed all the same, and holds up no other outcome', async () => {
  const ids = ['with\0 a NUL', 'x'.repeat(3_000), 'half a pair \ud800', 'usual'];
  const emails = await queued(t.db, await aWorkspace(t.db), 'transactional', people(ids.length));
  provider.answer = (message) => ({
    ...sentAs(ids[emails.indexOf(message.emailId)] ?? ''),
    refusedRecipients: [{ address: 'nul\0@example.com', response: `no ${'\0'.repeat(3_000)}` }],
  });
  await deliver(aWorker(t.db, provider), ids.length);
  const { rows } = await sql<{ id: string; status: string; theirs: string | null }>`
    select id, status, provider_message_id as theirs from emails`.execute(t.db);
  const storedOf = new Map(rows.map((row) => [row.id, [row.status, row.theirs]]));
  assert.deepEqual(
    emails.map((id) => storedOf.get(id)),
    [...ids.slice(1).map(() => ['sent', null]), ['sent', 'usual']],
  );
});

test('an outcome that cannot be stored is given up alone, and those beside it are written', async () => {
  const { ws, id } = await one();
  const { emails } = await claimEmails(t.db, { slots: 1, bulk: 0, leaseToken: newId(), leaseSeconds: 60 });
  const good = emails.map((email) => outcomeOf(email, sentAs('good'), 0, 0));
  const { settler } = aWorker(t.db, provider);
  for (const outcome of good) {
    settler.add({ ...outcome, emailId: newId(), error: 'a NUL \0' });
    settler.add(outcome);
  }
  await settler.close(5_000);
  assert.equal(settler.waiting, 0);
  assert.equal((await stateOf(t.db, ws, id)).status, 'sent');
});

test('an email counts as sent from the answer of the provider, however late that is written', async () => {
  const { ws, id } = await one();
  let answeredAt = 0;
  provider.answer = () => {
    answeredAt = Date.now();
    return sentAs('provider-id');
  };
  let failures = 0;
  onFaultPoint((name) => {
    if (name !== 'outbox.settle.before' || failures === 4) return;
    failures += 1; // 50 ms, then 100, 200, 400 and 800 until it is written
    throw new Error('connection lost');
  });
  try {
    await deliver(aWorker(t.db, provider), 1);
  } finally {
    onFaultPoint(undefined);
  }
  const { rows } = await sql<{ at: Date }>`
    select sent_at as at from emails where workspace_id = ${ws} and id = ${id}`.execute(t.db);
  const lateMs = (rows[0]?.at.getTime() ?? 0) - answeredAt;
  assert.ok(Math.abs(lateMs) < 1_200, `${lateMs} ms`);
});

test('the lease of an email that waits here is renewed; it is handed over long after its first lease', async () => {
  const { ws, id } = await one();
  const key = heldKey();
  const worker = aWorker(t.db, provider, { leaseSeconds: 3, loadDkimKey: key.loadDkimKey });
  const asked = key.asked.next();
  await worker.start();
  await asked;
  const { rows: first } = await sql<{ until: string }>`
    select lease_until::text as until from emails where workspace_id = ${ws}`.execute(t.db);
  await until('the end of its first lease', async () => {
    const { rows } = await sql`select where clock_timestamp() > ${first[0]?.until}::timestamptz`.execute(t.db);
    return rows.length > 0 ? true : undefined;
  });
  assert.equal(await aSweeper(t.db).runOnce(), 0);
  const settled = worker.settler.settled.next();
  key.give();
  await settled;
  await worker.stop();
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([provider.calls.length, state.status, state.records], [1, 'sent', []]);
});

test('while everything is paused nothing is kept claimed', async () => {
  const ws = await aWorkspace(t.db);
  const ids = await queued(t.db, ws, 'transactional', people(3));
  await pausePace(t.db, 600, 'test');
  const worker = aWorker(t.db, provider, { ratePerSecond: 12 });
  await worker.runOnce();
  await worker.runOnce();
  for (const id of ids) assert.deepEqual((await stateOf(t.db, ws, id)).status, 'queued');
  assert.equal(provider.calls.length, 0);
});

test('when the database refuses to answer, the worker goes on by itself once it is back', async () => {
  const ws = await aWorkspace(t.db);
  const worker = aWorker(t.db, provider);
  await worker.start();
  await sql`alter table emails rename to emails_away`.execute(t.db);
  await assert.rejects(worker.runOnce());
  await sql`alter table emails_away rename to emails`.execute(t.db);
  await queued(t.db, ws, 'transactional', people(1));
  await provider.received(1);
  await worker.stop();
  assert.equal(LANES.transactional, 1);
});
