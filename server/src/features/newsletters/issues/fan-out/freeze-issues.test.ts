import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends, plainContent } from '#features/outbox';
import { parseMailbox } from '#mail/addresses.ts';
import { systemClock } from '#platform/clock.ts';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { aWorkspace } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { until } from '../../../../../test/harness/until.ts';
import { freezeIssues } from './freeze-issues.ts';
import { countActiveSubscribers } from './queries.ts';
import { fanOutServices } from './services.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, send_counts, subscribers cascade`.execute(t.db);
  workspaceId = await aWorkspace(t.db);
});

/** So many subscribers, every fourth of them not active. */
async function aMixedList(count: number): Promise<string> {
  const newsletterId = newId();
  await sql`
    insert into subscribers (workspace_id, id, newsletter_id, email, status)
    select ${workspaceId}, ph_uuidv7(), ${newsletterId}, 'p' || n || '@example.com',
           case n % 8 when 0 then 'pending' when 4 then 'unsubscribed' else 'active' end
      from generate_series(1, ${count}::integer) as n`.execute(t.db);
  return newsletterId;
}

const open = (newsletterId: string): Promise<string> =>
  inTransaction(t.db, (tx) =>
    bulkSends.open(tx, {
      workspaceId,
      source: 'issue',
      newsletterId,
      issueId: newId(),
      content: plainContent({
        from: parseMailbox('Acme <news@acme.test>'),
        domain: { domain: 'acme.test', domainId: null },
        subject: 'News',
        html: '<p>News</p>',
        text: 'News',
        attachments: [],
      }),
      personal: {
        liquid: false,
        headers: [],
        preheader: null,
        frame: { html: { before: '', after: '', preheader: '', footer: '' }, text: { after: '' } },
      },
      sandbox: false,
    }),
  );

/** What is wrong with who was frozen: not active, twice, or missing. Nothing when the freeze is what it should be. */
async function faultsOf(sendId: string, newsletterId: string): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    with frozen as (select subscriber_id, recipient from emails where workspace_id = ${workspaceId} and send_id = ${sendId}),
         active as (select id, email from subscribers where workspace_id = ${workspaceId}
                       and newsletter_id = ${newsletterId} and status = 'active')
    select 'twice: ' || recipient as fault from frozen group by recipient having count(*) > 1
    union all select 'not active: ' || recipient from frozen f where not exists (select from active a where a.id = f.subscriber_id)
    union all select 'missing: ' || email from active a where not exists (select from frozen f where f.subscriber_id = a.id)`.execute(
    t.db,
  );
  return rows.map((row) => row.fault);
}

test('exactly the active subscribers are frozen, each once, however many processes do it', async () => {
  const newsletterId = await aMixedList(2_000);
  const other = await aMixedList(300);
  const [sendId, second] = [await open(newsletterId), await open(other)];
  await Promise.all([1, 2, 3].map(() => freezeIssues(t.db, () => true, 100)));
  assert.deepEqual(await faultsOf(sendId, newsletterId), []);
  assert.deepEqual(await faultsOf(second, other), []);
  const counts = await bulkSends.countsOf(t.db, workspaceId, [sendId, second]);
  assert.equal(counts.get(sendId)?.total, await countActiveSubscribers(t.db, workspaceId, newsletterId));
  assert.equal(counts.get(sendId)?.total, 1_500);
  assert.deepEqual(await bulkSends.freezing(t.db), []);
});

test('who stops between two pages leaves the rest to the next', async () => {
  const newsletterId = await aMixedList(800);
  const sendId = await open(newsletterId);
  let pages = 0;
  await freezeIssues(t.db, () => (pages += 1) < 6, 50);
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from emails`.execute(t.db);
  assert.ok((rows[0]?.n ?? 0) > 0 && (rows[0]?.n ?? 0) < 600, `${rows[0]?.n} of 600 were frozen`);
  await freezeIssues(t.db, () => true, 50);
  assert.deepEqual(await faultsOf(sendId, newsletterId), []);
});

test('who leaves or is erased while it is frozen, or joins behind its cursor, does no harm', async () => {
  const newsletterId = await aMixedList(800);
  const sendId = await open(newsletterId);
  let pages = 0;
  await freezeIssues(t.db, () => (pages += 1) < 6, 50);
  await sql`delete from subscribers where workspace_id = ${workspaceId} and email like '%7@example.com'`.execute(t.db);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    values (${workspaceId}, ph_uuidv7(), ${newsletterId}, 'aaa@example.com', 'active')`.execute(t.db);
  await freezeIssues(t.db, () => true, 50);
  const counts = (await bulkSends.countsOf(t.db, workspaceId, [sendId])).get(sendId);
  const { rows } = await sql<{ n: number; distinct: number }>`
    select count(*)::integer as n, count(distinct recipient)::integer as distinct from emails
     where workspace_id = ${workspaceId} and send_id = ${sendId}`.execute(t.db);
  assert.equal(rows[0]?.n, rows[0]?.distinct);
  assert.equal(counts?.total, rows[0]?.n);
  assert.ok(
    (await faultsOf(sendId, newsletterId)).every(
      (fault) => fault.startsWith('not active') || fault === 'missing: aaa@example.com',
    ),
  );
});

test('an issue that is sent in this process is frozen without waiting for the next look', async () => {
  const [service] = fanOutServices({ db: t.db, clock: systemClock, log: createLog({ level: 'silent' }) }, 3_600_000);
  assert.ok(service);
  await service.start();
  try {
    const newsletterId = await aMixedList(80);
    const sendId = await open(newsletterId);
    await until('it is frozen', async () => ((await bulkSends.freezing(t.db)).length === 0 ? true : undefined));
    assert.deepEqual(await faultsOf(sendId, newsletterId), []);
  } finally {
    await service.stop();
  }
});
