import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { vacuum } from '../../../../../test/harness/vacuum.ts';
import { aWorkspace } from '../../test-kit.ts';
import { EMAIL_STATUSES } from '../../email-status.ts';
import type { SendKey } from '../bulk-send.ts';
import { type BulkRecipient, pageOfRecipients } from './recipients.ts';
import {
  countRecipients,
  type RecipientFilter,
  type RecipientsAsked,
  type RecipientsMeant,
  RECIPIENT_COUNTS,
  recipientsStatement,
} from './recipients-queries.ts';
import { aFrozenSend, recount } from '../test-kit.ts';

let t: TestDatabase;
const MANY = 20_000;

let small: SendKey;
let large: SendKey;
/** The emails of the small one, the newest first. */
let inOrder: string[];
before(async () => {
  t = await createTestDatabase();
  const workspaceId = await aWorkspace(t.db);
  small = await aFrozenSend(t.db, workspaceId, 60);
  large = await aFrozenSend(t.db, workspaceId, MANY);
  const { rows } = await sql<{ id: string }>`
    select id from emails where workspace_id = ${small.workspaceId} and send_id = ${small.sendId} order by id desc`.execute(
    t.db,
  );
  inOrder = rows.map((row) => row.id);
  // Three of each state; the first of them opened it, the first two clicked something, and so did a machine.
  for (const [index, status] of EMAIL_STATUSES.entries()) {
    await sql`
      update emails e set status = ${status}, error = ${`why ${status}`}, last_event_at = '2026-11-21T09:00:00Z',
             open_count = case when p.n = 1 then 2 else 0 end,
             first_opened_at = case when p.n = 1 then now() end, click_count = case when p.n < 3 then 1 else 0 end,
             machine_open_count = case when p.n = 3 then 1 else 0 end
        from (select id, row_number() over (order by id desc) - ${index * 3}::integer as n from emails
               where workspace_id = ${small.workspaceId} and send_id = ${small.sendId}) p
       where e.workspace_id = ${small.workspaceId} and e.id = p.id and p.n between 1 and 3`.execute(t.db);
  }
});
after(() => t.close());

const page = (asked: Partial<RecipientsAsked>, key = small): Promise<BulkRecipient[]> =>
  pageOfRecipients(t.db, key, { limit: 100, ...asked });
/** Where each stands in the whole list, from 1: ids of one page of the freeze are in no order of addresses. */
const numbersOf = (rows: readonly BulkRecipient[]): number[] => rows.map(({ emailId }) => inOrder.indexOf(emailId) + 1);

test('without a filter everybody is there once, the newest first', async () => {
  const all = await page({});
  assert.deepEqual(
    numbersOf(all),
    Array.from({ length: 60 }, (_, n) => n + 1),
  );
  assert.equal(new Set(all.map((row) => row.subscriberId)).size, 60);
  assert.equal(new Set(all.map((row) => row.email)).size, 60);
  assert.deepEqual(await page({}, { ...small, workspaceId: newId() }), [], 'of another workspace');
});

for (const [index, status] of EMAIL_STATUSES.entries()) {
  test(`the status ${status} lists its three emails, each with its outcome`, async () => {
    const found = (await page({ filter: status })).filter((row) => row.status === status);
    assert.deepEqual(
      numbersOf(found).slice(0, 3),
      [1, 2, 3].map((n) => index * 3 + n),
    );
    assert.equal(found.length, status === 'pending' ? 60 - 3 * (EMAIL_STATUSES.length - 1) : 3);
    const others = (await page({ filter: status })).filter((row) => row.status !== status);
    assert.deepEqual(
      others.map((row) => row.status),
      status === 'queued' ? ['deferred', 'deferred', 'deferred'] : [],
      'what waits for another attempt is shown as queued',
    );
    const [one] = found;
    assert.deepEqual(one, {
      ...one,
      emailId: inOrder[index * 3],
      error: `why ${status}`,
      lastEventAt: new Date('2026-11-21T09:00:00Z'),
      messageId: `<${one?.emailId}@acme.test>`,
      openCount: 2,
      clickCount: 1,
    });
  });
}

test('opened and clicked are those of people, in whatever state their email is', async () => {
  const each = (...steps: number[]): number[] => EMAIL_STATUSES.flatMap((_, index) => steps.map((n) => index * 3 + n));
  assert.deepEqual(numbersOf(await page({ filter: 'opened' })), each(1));
  assert.deepEqual(numbersOf(await page({ filter: 'clicked' })), each(1, 2));
});

test('pages after a row, and pages by number, pass everybody once, with every filter', async () => {
  const filters: (RecipientFilter | undefined)[] = [
    undefined,
    'bounced',
    'pending',
    'queued',
    'sending',
    'opened',
    'clicked',
  ];
  for (const filter of filters) {
    const expected = numbersOf(await page({ filter }));
    const [byRow, byNumber]: [number[], number[]] = [[], []];
    let after: string | undefined;
    do {
      const rows = await page({ filter, after, limit: 7 });
      byRow.push(...numbersOf(rows));
      after = rows.at(-1)?.emailId;
    } while (after !== undefined);
    for (let offset = 0; offset < expected.length; offset += 7)
      byNumber.push(...numbersOf(await page({ filter, offset, limit: 7 })));
    assert.deepEqual([byRow, byNumber], [expected, expected], String(filter));
  }
});

test('each count of the statistics has its list, whole and page by page, and also of some addresses', async () => {
  await sql`update emails set delivered_at = now() where workspace_id = ${small.workspaceId} and send_id = ${small.sendId}
    and status = 'delivered'`.execute(t.db);
  await sql`update emails set unsubscribed_at = now() where workspace_id = ${small.workspaceId} and id = ${inOrder[4]}`.execute(
    t.db,
  );
  const sums: Record<string, number> = { ...(await recount(t.db, small)), unsubscribed: 1 };
  const all = await page({});
  const few = all.filter((_, n) => n % 2 === 0).map(({ email }) => email);
  for (const counted of RECIPIENT_COUNTS) {
    const found = await page({ counted });
    assert.equal(found.length, sums[counted], counted);
    assert.equal(await countRecipients(t.db, small, { counted }, 100), sums[counted], counted);
    const pages: BulkRecipient[] = [];
    for (let after: string | undefined; ; after = pages.at(-1)?.emailId) {
      const rows = await page({ counted, after, limit: 4 });
      pages.push(...rows);
      if (rows.length < 4) break;
    }
    assert.deepEqual(pages, found, counted);
    const among = found.filter(({ email }) => few.includes(email));
    assert.deepEqual(await page({ counted, addresses: few }), among, counted);
  }
});

test('each state is counted exactly, sent and delivery_delayed apart, and no further than is asked', async () => {
  for (const filter of [...EMAIL_STATUSES, 'opened', 'clicked'] as const) {
    assert.equal(await countRecipients(t.db, small, { filter }, 100), (await page({ filter })).length, filter);
  }
  assert.equal(await countRecipients(t.db, large, { filter: 'pending' }, 70), 70);
  assert.equal(
    await countRecipients(t.db, { ...small, workspaceId: newId() }, { filter: 'sent' }, 100),
    0,
    'of another workspace',
  );
});

interface Node {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];

async function nodesOf(asked: RecipientsAsked): Promise<Node[]> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`
    explain (analyze, format json) ${recipientsStatement(large, asked)}`.execute(t.db);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  assert.ok(plan);
  return flat(plan);
}

async function readsFew(meant: RecipientsMeant): Promise<void> {
  for (const after of [undefined, 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
    const nodes = await nodesOf({ ...meant, limit: 51, after });
    const read = nodes.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
    assert.ok(Math.max(...read) <= 3, `${JSON.stringify(meant)}: ${JSON.stringify(nodes)}`);
  }
}

test('the few of a large send in a state, or who did something, are found without reading the others', async () => {
  await sql`update emails set status = case when recipient < 'reader-0000004' then 'bounced' else 'delivered' end,
                   first_opened_at = case when recipient < 'reader-0000004' then now() end,
                   open_count = (recipient < 'reader-0000004')::integer, click_count = (recipient < 'reader-0000003')::integer
             where workspace_id = ${large.workspaceId} and send_id = ${large.sendId}`.execute(t.db);
  await sql`analyze emails`.execute(t.db);
  await readsFew({ filter: 'bounced' });
  await vacuum(t.db, 'emails');
  const few = ['bounced', 'opened', 'clicked'] as const;
  const counts = await Promise.all(few.map(async (filter) => (await page({ filter }, large)).length));
  assert.deepEqual(counts, [3, 3, 2]);
  for (const filter of [...few, ...EMAIL_STATUSES.filter((status) => status !== 'delivered')]) {
    await readsFew({ filter });
  }
  for (const counted of ['failed', 'refused', 'bounced', 'complained', 'unsubscribed'] as const)
    await readsFew({ counted });
  await readsFew({ counted: 'sent', addresses: ['reader-0000002@example.com', 'nobody@example.com'] });
});

test('a page far down a large send passes over entries of an index alone', async () => {
  const nodes = await nodesOf({ offset: MANY - 100, limit: 51 });
  const passing = nodes.filter((node) => node['Actual Rows'] > 1_000);
  assert.deepEqual(
    passing.map((node) => node['Node Type']),
    ['Index Only Scan'],
  );
});
