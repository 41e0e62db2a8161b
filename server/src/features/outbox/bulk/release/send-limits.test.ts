import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { takeUsage } from '#platform/usage/take-usage.ts';
import { windowOf } from '#platform/utc-windows.ts';
import { aDomain } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { pauseSend, resumeSend } from '../../pause/pause-send.ts';
import { aCtx, aSweeper, aWorkspace } from '../../test-kit.ts';
import { claimEmails } from '../../worker/queries/claim-emails.ts';
import { recordBegun } from '../../worker/queries/record-begun.ts';
import type { SendKey } from '../bulk-send.ts';
import { cancelBulkSend } from '../cancel/cancel-bulk-send.ts';
import { progressOfSend } from '../reading/progress-of-send.ts';
import { aFrozenSend, moveBulkSends, stateOfSend, statusesOf } from '../test-kit.ts';
import { moveBulkSend } from './release-send.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, send_counts, contents, email_events, subscribers, suppressions, usage_windows cascade`.execute(
    t.db,
  );
  workspaceId = await aWorkspace(t.db);
});

const RATE = 1_000;
const move = () => moveBulkSends({ db: t.db, ratePerSecond: RATE });
const capped = (caps: { daily?: number; monthly?: number }) => aDomain(t.db, workspaceId, 'acme.test', caps);
const allLeave = () =>
  sql`update emails set status = 'sent', sent_at = now() where workspace_id = ${workspaceId} and status = 'queued'`.execute(
    t.db,
  );
const usedOf = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ tier: string; used: number }>`
    select tier, used from usage_windows where workspace_id = ${workspaceId} and window_start >= date_trunc('month', now(), 'UTC')
     order by tier`.execute(t.db);
  return Object.fromEntries(rows.map((row) => [row.tier, row.used]));
};
const pauseOf = async ({ sendId }: SendKey) => {
  const { rows } = await sql<{ code: string | null; reason: string; resumesAt: Date | null; isAtReset: boolean }>`
    select pause_code as code, pause_reason as reason, resumes_at as "resumesAt",
           resumes_at = date_trunc('day', now(), 'UTC') + interval '1 day' as "isAtReset" from send_requests
     where workspace_id = ${workspaceId} and id = ${sendId}`.execute(t.db);
  return rows[0];
};
/** As if what was counted had been counted the day before. */
const anotherDay = () =>
  sql`update usage_windows set window_start = window_start - interval '1 day'
       where workspace_id = ${workspaceId} and tier = 'daily'`.execute(t.db);

test('a send reaches exactly the cap of its domain, pauses with the reset, and goes on by itself the next day', async () => {
  const domainId = await capped({ daily: 8, monthly: 100 });
  const key = await aFrozenSend(t.db, workspaceId, 20, { domainId });
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 12, queued: 8 });
  const pause = await pauseOf(key);
  assert.deepEqual([pause?.code, pause?.isAtReset], ['domain_limit', true]);
  assert.match(
    pause?.reason ?? '',
    /^The daily limit of acme\.test is 8 recipients, and it is used up\. It resets \d{4}-\d\d-\d\dT00:00:00Z\./,
  );
  assert.partialDeepStrictEqual(await progressOfSend(t.db, key), {
    state: 'paused',
    code: 'domain_limit',
    resumesAt: pause?.resumesAt ?? null,
  });
  await allLeave();
  await move();
  assert.deepEqual(
    [await statusesOf(t.db, key), await usedOf()],
    [
      { pending: 12, sent: 8 },
      { daily: 8, monthly: 8 },
    ],
  );
  await anotherDay();
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 4, queued: 8, sent: 8 });
  assert.deepEqual(await usedOf(), { daily: 8, monthly: 16 });
});

test('the queue of a send at its cap still leaves, and so does an email that waits for another attempt', async () => {
  const domainId = await capped({ daily: 8 });
  const key = await aFrozenSend(t.db, workspaceId, 20, { domainId });
  await move();
  await sql`update emails set status = 'deferred', not_before = now() - interval '1 second'
    where workspace_id = ${workspaceId} and id = (
      select id from emails where workspace_id = ${workspaceId} and status = 'queued' limit 1)`.execute(t.db);
  await move();
  assert.equal((await progressOfSend(t.db, key))?.code, 'domain_limit');
  assert.deepEqual(await statusesOf(t.db, key), { deferred: 1, pending: 12, queued: 7 });
  assert.equal(await aSweeper(t.db).runOnce(), 1);
  const { emails } = await claimEmails(t.db, { slots: 20, bulk: 20, leaseToken: newId(), leaseSeconds: 60 });
  assert.equal((await recordBegun(t.db, emails)).size, 8);
  assert.deepEqual(await cancelBulkSend(t.db, key), { alreadyQueued: 8 });
});

test('a send at its cap is not looked at again until its pause ends', async () => {
  const domainId = await capped({ daily: 2 });
  const key = await aFrozenSend(t.db, workspaceId, 5, { domainId });
  await move();
  const counts = () =>
    sql`select xmin::text, xmax::text from usage_windows where workspace_id = ${workspaceId}`.execute(t.db);
  const untouched = (await counts()).rows;
  await move();
  assert.deepEqual((await counts()).rows, untouched, 'nobody has locked the counts');
  assert.deepEqual(await statusesOf(t.db, key), { pending: 3, queued: 2 });
});

test('a send at the cap goes on as soon as the cap is raised or removed', async () => {
  const domainId = await capped({ monthly: 3 });
  const key = await aFrozenSend(t.db, workspaceId, 10, { domainId });
  const raise = (cap: number | null) =>
    sql`update domains set max_monthly_emails = ${cap} where workspace_id = ${workspaceId} and id = ${domainId}`.execute(
      t.db,
    );
  const settle = async () => {
    for (let n = 0; n < 2; n += 1) {
      await move();
      await allLeave();
    }
  };
  await settle();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 7, sent: 3 });
  await raise(5);
  await settle();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 5, sent: 5 });
  await raise(null);
  await settle();
  assert.deepEqual(await statusesOf(t.db, key), { sent: 10 });
});

test('a cap of 0 stops a send without a time, until it is raised', async () => {
  const domainId = await capped({ daily: 0 });
  const key = await aFrozenSend(t.db, workspaceId, 2, { domainId });
  await move();
  await move();
  const pause = await pauseOf(key);
  assert.deepEqual([pause?.code, pause?.resumesAt], ['domain_limit', null]);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 2 });
});

test('sends of one domain that are released at the same time, and accepted ones, together take exactly the cap', async () => {
  const domainId = await capped({ daily: 100 });
  const keys = await Promise.all([1, 2, 3].map(() => aFrozenSend(t.db, workspaceId, 60, { domainId })));
  const window = windowOf('daily', new Date((await sql<{ now: Date }>`select now()`.execute(t.db)).rows[0]?.now ?? 0));
  const take = {
    workspaceId,
    subjectId: domainId,
    tier: 'daily' as const,
    windowStart: window.start,
    cap: 100,
    count: 1,
    refuse: () => new Error('full'),
  };
  const accepted = Array.from({ length: 20 }, () =>
    takeUsage(t.db, [take]).then(
      () => 1,
      () => 0,
    ),
  );
  const released = keys.flatMap((key) =>
    Array.from({ length: 4 }, () => moveBulkSend(t.db, key, { ratePerSecond: 1.5 })),
  );
  await Promise.all(released);
  const taken = (await Promise.all(accepted)).reduce<number>((sum, one) => sum + one, 0);
  for (let n = 0; n < 3; n += 1) for (const key of keys) await moveBulkSend(t.db, key, { ratePerSecond: RATE });
  let queued = 0;
  for (const key of keys) queued += (await statusesOf(t.db, key)).queued ?? 0;
  assert.deepEqual([queued + taken, await usedOf()], [100, { daily: 100 }]);
});

test('recipients who are settled at the release take no place, also when none is left', async () => {
  const domainId = await capped({ daily: 6 });
  const key = await aFrozenSend(t.db, workspaceId, 10, { domainId });
  await sql`insert into suppressions (workspace_id, id, email, reason)
    select workspace_id, gen_random_uuid(), recipient, 'manual' from emails
     where workspace_id = ${workspaceId} and send_id = ${key.sendId} order by recipient limit 4`.execute(t.db);
  await move();
  assert.deepEqual(
    [await statusesOf(t.db, key), await stateOfSend(t.db, key)],
    [{ queued: 6, suppressed: 4 }, 'released'],
  );
  assert.deepEqual(await usedOf(), { daily: 6 });
});

test('emails that a pause had put back keep their places: they leave though the cap is reached', async () => {
  const domainId = await capped({ daily: 5 });
  const key = await aFrozenSend(t.db, workspaceId, 9, { domainId });
  await move();
  await pauseSend(t.db, workspaceId, key.sendId, 'by hand');
  assert.deepEqual(await statusesOf(t.db, key), { pending: 9 });
  await resumeSend(aCtx(t.db, workspaceId), key.sendId);
  await move();
  assert.deepEqual([await statusesOf(t.db, key), await usedOf()], [{ pending: 4, queued: 5 }, { daily: 5 }]);
});

test('a send that is cancelled at the cap does not go on at the reset', async () => {
  const domainId = await capped({ daily: 1 });
  const key = await aFrozenSend(t.db, workspaceId, 3, { domainId });
  await move();
  await allLeave();
  await move();
  await sql`update send_requests set bulk_state = 'cancelling' where workspace_id = ${workspaceId}`.execute(t.db);
  await anotherDay();
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 2, sent: 1 });
});
