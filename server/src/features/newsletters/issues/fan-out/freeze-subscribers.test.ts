import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends, plainContent } from '#features/outbox';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { sumSubscribers } from '../../counts/counts-queries.ts';
import { pageOfActiveSubscribers } from './queries.ts';
import { SUBSCRIBERS } from './subscriber-audience.ts';

const audiences = [{ kind: SUBSCRIBERS, page: pageOfActiveSubscribers }];

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
      origin: { source: 'issue', newsletterId, issueId: newId() },
      audience: { kind: SUBSCRIBERS, audienceId: newsletterId },
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
      links: null,
      sandbox: false,
      requestId: null,
    }),
  );

/** The faults of a freeze, one for each recipient: not active, twice, or missing. */
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
  await Promise.all([1, 2, 3].map(() => bulkSends.freeze(t.db, audiences, () => true, 100)));
  assert.deepEqual(await faultsOf(sendId, newsletterId), []);
  assert.deepEqual(await faultsOf(second, other), []);
  const counts = await bulkSends.countsOf(t.db, workspaceId, [sendId, second]);
  assert.equal(counts.get(sendId)?.total, (await sumSubscribers(t.db, workspaceId, newsletterId)).active);
  assert.equal(counts.get(sendId)?.total, 1_500);
  assert.deepEqual(await bulkSends.freezing(t.db), []);
});

test('a process that stops between two pages leaves the rest to the next', async () => {
  const newsletterId = await aMixedList(800);
  const sendId = await open(newsletterId);
  let pages = 0;
  await bulkSends.freeze(t.db, audiences, () => (pages += 1) < 6, 50);
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from emails`.execute(t.db);
  assert.ok((rows[0]?.n ?? 0) > 0 && (rows[0]?.n ?? 0) < 600, `${rows[0]?.n} of 600 were frozen`);
  await bulkSends.freeze(t.db, audiences, () => true, 50);
  assert.deepEqual(await faultsOf(sendId, newsletterId), []);
});

test('a subscriber who leaves or is erased during the freeze, or joins behind its cursor, does no harm', async () => {
  const newsletterId = await aMixedList(800);
  const sendId = await open(newsletterId);
  let pages = 0;
  await bulkSends.freeze(t.db, audiences, () => (pages += 1) < 6, 50);
  await sql`delete from subscribers where workspace_id = ${workspaceId} and email like '%7@example.com'`.execute(t.db);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    values (${workspaceId}, ph_uuidv7(), ${newsletterId}, 'aaa@example.com', 'active')`.execute(t.db);
  await bulkSends.freeze(t.db, audiences, () => true, 50);
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
