/** Two processes import the same file into the same list at the same time: each address is there once. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aNewsletter } from '../../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { type PosthornProcess, startProcess } from '../../harness/posthorn-process.ts';

const ROWS = 20_000;
const key = 'test_key_of_two_imports_at_once_01';

let database: TestDatabase;
const processes: PosthornProcess[] = [];
before(async () => {
  database = await createTestDatabase();
  for (let n = 0; n < 2; n += 1) {
    const env = { POSTHORN_API_KEY: key };
    processes.push(await startProcess({ databaseUrl: database.url, env, startTimeoutMs: 120_000 }));
  }
});
after(async () => {
  for (const one of processes) await one.stop();
  await database.close();
});

interface Imported {
  id: string;
  status: string;
  counts: { total: number; created: number; skipped: number };
}

async function send({ url }: PosthornProcess, newsletterId: string, file: string): Promise<string> {
  const answer = await fetch(`${url}/v1/newsletters/${newsletterId}/subscribers/import?consent=already_confirmed`, {
    method: 'POST',
    body: file,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
  });
  assert.equal(answer.status, 202);
  return ((await answer.json()) as Imported).id; // what the reference says it is
}

async function ended(posthorn: PosthornProcess, id: string): Promise<Imported> {
  for (const deadline = performance.now() + 240_000; performance.now() < deadline; ) {
    const read = (await posthorn.fetch(`/v1/imports/${id}`)).body as Imported; // as above
    if (read.status !== 'queued' && read.status !== 'processing') return read;
  }
  throw new Error('the import did not end');
}

test('the same file of 20,000 rows in two processes at once is each address once, and counts that add up', async () => {
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const workspaceId = rows[0]?.id ?? '';
  const { id: newsletterId } = await aNewsletter(database.db, workspaceId);
  const file = `email\n${Array.from({ length: ROWS }, (_, n) => `u${(n * 7_919) % ROWS}@example.com`).join('\n')}\n`;
  const ids = await Promise.all(processes.map((one) => send(one, newsletterId, file)));
  const done = await Promise.all(processes.map((one, n) => ended(one, ids[n] ?? '')));
  for (const { status, counts } of done) assert.deepEqual([status, counts.total], ['completed', ROWS]);
  const sum = (of: 'created' | 'skipped'): number => done.reduce((all, { counts }) => all + counts[of], 0);
  assert.deepEqual([sum('created'), sum('skipped')], [ROWS, ROWS]);
  const people = await sql<{ email: string; proofs: number }>`
    select s.email, (select count(*) from consents c where c.workspace_id = s.workspace_id and c.subscriber_id = s.id) as proofs
      from subscribers s where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId}`.execute(
    database.db,
  );
  assert.equal(people.rows.length, ROWS);
  assert.equal(new Set(people.rows.map((one) => one.email)).size, ROWS);
  assert.ok(people.rows.every((one) => one.proofs === 1));
});
