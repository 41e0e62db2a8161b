/**
 * A process is killed again and again while it imports a file; another goes on each time. Afterwards every address of
 * the file is in the list once, and the counts of the import are those of an import that nobody disturbed.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aNewsletter } from '../../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { type PosthornProcess, startProcess } from '../../harness/posthorn-process.ts';
import { pauseFor } from './issue-rig.ts';

const ROWS = 10_000;
const KILLS = 3;
/** Without a pause, the looks take the processor that the import needs. */
const LOOK_EVERY_MS = 20;
/** Every hundredth row is somebody who was there already, every thousandth no address at all. */
const isRepeated = (n: number): boolean => n % 100 === 50;
const isBroken = (n: number): boolean => n % 1_000 === 999;

interface Record {
  status: string;
  counts: { total: number; created: number; updated: number; skipped: number; failed: number };
}

let database: TestDatabase;
let posthorn: PosthornProcess;
const key = 'test_key_of_the_killed_import_0001';
const start = (): Promise<PosthornProcess> =>
  startProcess({ databaseUrl: database.url, env: { POSTHORN_API_KEY: key }, startTimeoutMs: 120_000 });

before(async () => {
  database = await createTestDatabase();
  posthorn = await start();
});
after(async () => {
  await posthorn.stop();
  await database.close();
});

const addressOf = (n: number): string => (isBroken(n) ? `nobody ${n}` : `u${isRepeated(n) ? n - 50 : n}@example.com`);

async function readImport(id: string): Promise<Record> {
  const { body } = await posthorn.fetch(`/v1/imports/${id}`);
  return body as Record; // what the reference says it is
}

async function until(id: string, isThere: (record: Record) => boolean): Promise<Record> {
  for (const deadline = performance.now() + 120_000; performance.now() < deadline; ) {
    const record = await readImport(id);
    if (isThere(record)) return record;
    await pauseFor(LOOK_EVERY_MS);
  }
  throw new Error('the import did not go on');
}

test('an import whose process is killed at random moments takes each address once and counts each row once', async () => {
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const workspaceId = rows[0]?.id ?? '';
  const { id: newsletterId } = await aNewsletter(database.db, workspaceId);
  const file = `email\n${Array.from({ length: ROWS }, (_, n) => addressOf(n)).join('\n')}\n`;
  const answer = await fetch(
    `${posthorn.url}/v1/newsletters/${newsletterId}/subscribers/import?consent=already_confirmed`,
    { method: 'POST', body: file, headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' } },
  );
  const { id } = (await answer.json()) as { id: string };
  assert.equal(answer.status, 202);

  let kills = 0;
  for (; kills < KILLS; kills += 1) {
    const from = (await readImport(id)).counts.total;
    const moment = from + Math.floor(Math.random() * (ROWS / KILLS));
    const { status } = await until(id, (one) => one.counts.total >= moment || one.status === 'completed');
    if (status === 'completed') break;
    await posthorn.kill();
    // The first time its lease runs out by itself.
    if (kills > 0) {
      await sql`update imports set lease_until = now() where workspace_id = ${workspaceId} and id = ${id}`.execute(
        database.db,
      );
    }
    posthorn = await start();
  }
  assert.ok(kills >= 2, `${kills} kills hit the import`);
  const { counts } = await until(id, (one) => one.status === 'completed');

  const numbers = Array.from({ length: ROWS }, (_, n) => n);
  const failed = numbers.filter(isBroken).length;
  const skipped = numbers.filter(isRepeated).length;
  assert.deepEqual(counts, { total: ROWS, created: ROWS - failed - skipped, updated: 0, skipped, failed });
  const people = await sql<{ email: string }>`
    select email from subscribers where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId}`.execute(
    database.db,
  );
  const expected = new Set(numbers.filter((n) => !isBroken(n)).map(addressOf));
  assert.equal(people.rows.length, expected.size);
  assert.ok(people.rows.every(({ email }) => expected.has(email)));
  const proofs = await sql<{ count: number; distinct: number }>`
    select count(*) as count, count(distinct subscriber_id) as distinct from consents
     where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId}`.execute(database.db);
  assert.deepEqual(proofs.rows[0], { count: expected.size, distinct: expected.size });
  const sums = await sql<{ active: number }>`
    select sum(active)::integer as active from subscriber_counts
     where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId}`.execute(database.db);
  assert.equal(sums.rows[0]?.active, expected.size);
});
