import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import type { Gate, OutgoingMessage, Verdict } from '#providers/email-provider.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { createTestClock } from '../../../../../test/harness/test-clock.ts';
import { until } from '../../../../../test/harness/until.ts';
import { aWorker, aWorkspace, people, queued, RecordingProvider, stateOf } from '../../test-kit.ts';
import { Leases } from '../leases.ts';
import { type ClaimedEmail, claimEmails } from './claim-emails.ts';
import { renewLeases } from './leases.ts';
import { recordBegun } from './record-begun.ts';
import { requeueUnbegun } from './sweep.ts';

const silent = createLog({ level: 'silent' });

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

beforeEach(() => sql`truncate emails, send_requests, contents cascade`.execute(t.db));

const claimed = async (slots: number): Promise<{ token: string; emails: ClaimedEmail[] }> => {
  const token = newId();
  const { emails } = await claimEmails(t.db, { slots, bulk: 0, leaseToken: token, leaseSeconds: 60 });
  assert.equal(emails.length, slots);
  return { token, emails };
};

/** The leases of these emails run out before their hand-off has begun: they go back to the queue. */
const sweep = async (ids: readonly string[]): Promise<void> => {
  await sql`update emails set lease_until = now() - interval '1 second' where id = any (${ids}::uuid[])`.execute(t.db);
  assert.equal(await requeueUnbegun(t.db, { limit: 10, until: new Date(Date.now() + 60_000) }), ids.length);
};

test('a lease that ran out is not revived, and its holder is told so', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'transactional', people(3));
  const [ours, late, swept] = [await claimed(1), await claimed(1), await claimed(1)];
  await sql`update emails set lease_until = now() - interval '1 second'
     where workspace_id = ${ws} and lease_token = ${late.token}`.execute(t.db);
  await sql`update emails set status = 'unconfirmed', lease_token = null, lease_until = null
     where workspace_id = ${ws} and lease_token = ${swept.token}`.execute(t.db);

  const tokens = [ours, late, swept].map(({ token }) => token);
  assert.deepEqual(await renewLeases(t.db, tokens, 600), [{ emailId: ours.emails[0]?.id, token: ours.token }]);

  const { rows } = await sql<{ token: string | null }>`select lease_token as token from emails
     where workspace_id = ${ws} and lease_until > now() + interval '5 minutes'`.execute(t.db);
  assert.deepEqual(rows, [{ token: ours.token }]);
});

test('an email of a claim that was swept keeps its end, and its neighbours are renewed', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'transactional', people(2));
  const { token, emails } = await claimed(2);
  const clock = createTestClock({ held: true });
  const leases = new Leases({ db: t.db, clock, log: silent, leaseSeconds: 60 });
  const lease = leases.begin(token);
  const [stays, goes] = emails.map((email) => leases.hold(lease, email.id));
  await sweep([emails[1]?.id ?? '']);

  leases.start();
  clock.advance(40_000);
  await until('the renewal', async () => stays?.endsAt !== lease.endsAt || undefined);
  leases.stop();
  assert.equal(stays?.endsAt, clock.monotonicMs() + 60_000);
  assert.equal(goes?.endsAt, lease.endsAt);
});

test('an email that was swept and claimed again begins under the second claim alone, also in one page', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'transactional', people(1));
  const { emails: first } = await claimed(1);
  await sweep(first.map((email) => email.id));
  const { emails: second } = await claimed(1);
  assert.equal(second[0]?.id, first[0]?.id);

  assert.deepEqual(await recordBegun(t.db, [...first, ...second]), new Set(second));
  assert.deepEqual(await recordBegun(t.db, [...second, ...first]), new Set(second));
});

test('a claim that is committed after its doubtful answer was looked for is given back, also when it is on record', async () => {
  const ws = await aWorkspace(t.db);
  const [id = ''] = await queued(t.db, ws, 'bulk', people(1));
  const clock = createTestClock({ held: true });
  const leases = new Leases({ db: t.db, clock, log: silent, leaseSeconds: 60 });
  leases.start();
  const lease = leases.begin(newId());
  leases.doubt(lease);
  await leases.clearDoubts();
  const late = { slots: 1, bulk: 1, leaseToken: lease.token, leaseSeconds: 60, onRecord: true };
  assert.equal((await claimEmails(t.db, late)).emails.length, 1);

  clock.advance(20_000);
  await until('the next look', async () => ((await stateOf(t.db, ws, id)).status === 'queued' ? true : undefined));
  leases.stop();
  const { hasLease, handedOff, attempts } = await stateOf(t.db, ws, id);
  assert.deepEqual({ hasLease, handedOff, attempts }, { hasLease: false, handedOff: false, attempts: 0 });
});

/** Hands over once two messages may begin: their beginnings are put on record in one statement. */
class TwoTogether extends RecordingProvider {
  readonly #both = Promise.withResolvers<void>();
  #begun = 0;

  override async send(message: OutgoingMessage, { gate }: { gate?: Gate } = {}): Promise<Verdict> {
    const mayBegin = async (): Promise<number | null> => {
      const untilMs = (await gate?.mayBegin()) ?? null;
      this.#begun += 1;
      if (this.#begun === 2) this.#both.resolve();
      await this.#both.promise;
      return untilMs;
    };
    return super.send(message, gate === undefined ? {} : { gate: { ...gate, mayBegin } });
  }
}

test('an email that came to its worker a second time, after its first lease was swept, leaves once', async () => {
  const ws = await aWorkspace(t.db);
  const provider = new TwoTogether();
  const inHand = { count: 0 };
  const letGo = Promise.withResolvers<null>();
  const worker = aWorker(t.db, provider, {
    ratePerSecond: 1_000, // the beginnings are put on record one after the other, and not with the claim
    loadDkimKey: () => {
      inHand.count += 1;
      return letGo.promise;
    },
  });
  const [id = ''] = await queued(t.db, ws, 'transactional', people(1));
  const claims = async (count: number): Promise<true> =>
    until(`claim ${count}`, async () => (inHand.count === count ? true : undefined));

  await worker.start();
  await claims(1);
  await sweep([id]);
  await claims(2);
  letGo.resolve(null);
  await until('the end', async () => ((await stateOf(t.db, ws, id)).status === 'sent' ? true : undefined));
  await worker.stop();
  assert.equal(provider.calls.length, 1);
});
