import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '#platform/log.ts';
import { openDatabase, inTransaction } from '#platform/db/database.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';

let api: TestApp;
before(async () => {
  // Long enough for everything that is not held up on purpose, on a machine that is busy with other things.
  api = await createTestApp({ queryTimeoutMs: 2_000 });
});
after(() => api.close());

const send = (to: string) =>
  api.request({ url: '/v1/send', body: { from: 'hello@posthorn.test', to: [to], subject: 'Hello', text: 'Hi' } });

test('503 while nobody can say who is suppressed, and what was answered so is not accepted afterwards either', async () => {
  assert.equal((await send('before@example.com')).status, 202);
  const patient = openDatabase({
    url: api.url,
    poolMax: 1,
    applicationName: 'patient',
    log: createLog({ level: 'silent' }),
  });
  try {
    await inTransaction(patient.db, async (tx) => {
      await sql`lock table suppressions in access exclusive mode`.execute(tx);
      const begun = performance.now();
      const answers = await Promise.all(['one', 'two', 'three'].map((name) => send(`${name}@example.com`)));
      assert.ok(performance.now() - begun < 8_000); // by their own limit; by that of locks it would be 10 s
      for (const answer of answers) {
        assert.equal(answer.status, 503);
        assert.ok(Number(answer.headers['retry-after']) > 0);
      }
    });
    // A statement that waited for the lock would be stored by now, or about to be.
    for (let busy = 1; busy > 0; ) {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and state = 'active' and query like '%ph_accept_sends%'`.execute(patient.db);
      busy = rows[0]?.n ?? 0;
    }
    const { rows } = await sql<{ recipient: string }>`
      select recipient from emails where workspace_id = ${api.workspaceId}`.execute(patient.db);
    assert.deepEqual(
      rows.map((row) => row.recipient),
      ['before@example.com'],
    );
    assert.equal((await send('after@example.com')).status, 202);
  } finally {
    await patient.close();
  }
});
