import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { type PosthornProcess, startProcess } from '../../harness/posthorn-process.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const entries = async (): Promise<string[]> => {
  const { rows } = await sql<{ email: string }>`
    select s.email from audit_entries a join suppressions s on s.workspace_id = a.workspace_id and s.id::text = a.target_id
     where a.target_type = 'suppression' order by a.seq`.execute(t.db);
  return rows.map((row) => row.email);
};

async function suppress(posthorn: PosthornProcess, name: string): Promise<void> {
  const { status } = await posthorn.fetch('/v1/suppressions', { body: { email: `${name}@example.com` } });
  assert.equal(status, 201);
}

test('kill -9 loses no more of the audit log than was in memory, no action, and the next process goes on', async () => {
  const first = await startProcess({ databaseUrl: t.url, startTimeoutMs: 120_000 });
  const written = Array.from({ length: 20 }, (_, n) => `written-${n}`);
  for (const name of written) await suppress(first, name);
  // Older than the 50 ms that entries wait: these are in the table, whoever is killed.
  while ((await entries()).length < written.length) await new Promise(setImmediate);
  const atRisk = Array.from({ length: 10 }, (_, n) => `at-risk-${n}`);
  for (const name of atRisk) await suppress(first, name);
  await first.kill();

  const { rows } = await sql<{ n: number }>`select count(*) as n from suppressions`.execute(t.db);
  assert.equal(rows[0]?.n, 30, 'every action that was answered stands');
  const survived = (await entries()).map((email) => email.split('@')[0] ?? '');
  assert.deepEqual(survived, [...written, ...atRisk].slice(0, survived.length), 'only the end is missing');
  assert.ok(survived.length >= written.length);

  const env = { POSTHORN_API_KEY: first.key };
  const second = await startProcess({ databaseUrl: t.url, env, startTimeoutMs: 120_000 });
  await suppress(second, 'afterwards');
  while (!(await entries()).includes('afterwards@example.com')) await new Promise(setImmediate);
  await second.stop();
});
