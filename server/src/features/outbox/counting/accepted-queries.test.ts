import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { firstIdAt, newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { withRowReads } from '../../../../test/harness/row-reads.ts';
import { ACCEPTED_LOOKED_AT_MAX, countAccepted, countAcceptedAbout } from './accepted-queries.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const DAY_MS = 86_400_000;
const OLD = 3_000;

test('further recipients of messages of a span are counted without reading the messages of before it', async () => {
  const [workspaceId, domainId, contentId] = [newId(), newId(), newId()];
  await sql`insert into contents (workspace_id, id, domain_id, from_address, from_domain, subject)
    values (${workspaceId}, ${contentId}, ${domainId}, 'a@acme.example', 'acme.example', 'Hello')`.execute(t.db);
  const since = new Date(Date.now() - DAY_MS);
  const plant = (ids: readonly string[], at: Date) =>
    sql`
      insert into emails (workspace_id, id, content_id, recipient, lane, turn, status, grouped, cost, created_at, sent_at)
      select ${workspaceId}, id, ${contentId}, id || '@example.com', 1, 1, 'delivered', '["x@example.com"]', 3, ${at}, ${at}
        from unnest(${ids}::uuid[]) as id`.execute(t.db);
  const before = new Date(since.getTime() - DAY_MS);
  const ofBefore = Array.from({ length: OLD }, (_, n) => firstIdAt(before).slice(0, 24) + String(n).padStart(12, '0'));
  await plant(ofBefore, before);
  // The first is of a process whose clock is four minutes behind that of the database.
  await plant([firstIdAt(new Date(since.getTime() - 240_000)), newId(), newId()], since);
  await sql`analyze emails, contents`.execute(t.db);
  const { found, reads } = await withRowReads(t.db, ['emails'], (tx) =>
    countAccepted(tx, { workspaceId, domainId, since }),
  );
  assert.equal(found, 6);
  assert.ok(reads > 0);
  assert.ok(reads <= 10, `${reads} emails were read`);
});

test('the shown usage is as exact as the start of a limit, and its reads do not grow with the mail that waits', async () => {
  const [workspaceId, domainId, other] = [newId(), newId(), newId()];
  const [own, others] = [newId(), newId()];
  for (const [id, domain] of [
    [own, domainId],
    [others, other],
  ] as const) {
    await sql`insert into contents (workspace_id, id, domain_id, from_address, from_domain, subject)
      values (${workspaceId}, ${id}, ${domain}, 'a@acme.example', 'acme.example', 'Hello')`.execute(t.db);
  }
  const day = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  const month = new Date(day.getTime() - 20 * DAY_MS);
  const plant = (n: number, of: { contentId?: string; status?: string; at?: Date; sandbox?: boolean; cost?: number }) =>
    sql`
      insert into emails (workspace_id, id, content_id, recipient, lane, turn, status, cost, created_at, sandbox)
      select ${workspaceId}, ph_uuidv7(), ${of.contentId ?? own}, n || '@example.com', 1, 1, ${of.status ?? 'queued'}, ${of.cost ?? 1},
             ${of.at ?? day}, ${of.sandbox ?? false}
        from generate_series(1, ${n}::integer) as n`.execute(t.db);
  const asked = { workspaceId, domainId };
  await plant(3, {});
  await plant(2, { status: 'deferred', at: month, cost: 2 });
  await plant(1, { status: 'sending' });
  await plant(5, { sandbox: true });
  await plant(7, { contentId: others });
  await plant(9, { at: new Date(month.getTime() - DAY_MS) });
  const about = () => countAcceptedAbout(t.db, { ...asked, sinces: [month, day] });
  assert.deepEqual(await about(), { totals: [8, 4], isEstimate: false });
  for (const [index, since] of [month, day].entries()) {
    assert.equal(await countAccepted(t.db, { ...asked, since }), (await about()).totals[index]);
  }
  await plant(ACCEPTED_LOOKED_AT_MAX * 3, {});
  await sql`analyze emails, contents`.execute(t.db);
  const { found, reads } = await withRowReads(t.db, ['emails'], (tx) =>
    countAcceptedAbout(tx, { ...asked, sinces: [month, day] }),
  );
  assert.equal(found.isEstimate, true);
  assert.ok((found.totals[0] ?? 0) >= ACCEPTED_LOOKED_AT_MAX - 30, `${found.totals[0]}`);
  assert.ok(reads <= ACCEPTED_LOOKED_AT_MAX + 100, `${reads} emails were read`);
});
