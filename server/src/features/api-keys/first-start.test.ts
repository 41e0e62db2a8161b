import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { createAccountsApp } from '../../../test/harness/accounts-app.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createFirstWorkspace } from './first-start.ts';
import { verifyKeyFormat } from './key-format.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('eight processes that start together make one owner, one home workspace and one key; one of them has it to print', async () => {
  const { settings } = loadSettings({});
  const made = await Promise.all(
    Array.from({ length: 8 }, () => createFirstWorkspace({ db: database.db, clock: systemClock, settings })),
  );
  const [first, ...others] = made.filter((result) => result !== undefined);
  assert.equal(others.length, 0);
  assert.equal(first?.email, 'admin@posthorn.test');
  assert.ok((first?.password ?? '').length >= 20);
  assert.ok(verifyKeyFormat(first?.apiKey ?? ''));
  const { rows } = await sql`
    select (select count(*) from users) as users, (select count(*) from workspaces where is_home) as homes,
           (select count(*) from members where workspace_id = ${first?.workspaceId} and role = 'owner') as owners,
           (select count(*) from api_keys where workspace_id = ${first?.workspaceId} and scopes = '{*}') as keys`.execute(
    database.db,
  );
  assert.deepEqual(rows, [{ users: 1, homes: 1, owners: 1, keys: 1 }]);
  assert.equal(await createFirstWorkspace({ db: database.db, clock: systemClock, settings }), undefined);
});

for (const key of ['only-24-characters-long_', 'ph_live_looks_like_ours_but_is_not', 'K'.repeat(128)]) {
  test(`a key fixed by the setting works, is not printed, and shows little of itself: ${key.slice(0, 24)}`, async () => {
    const t = await createAccountsApp({ env: { POSTHORN_API_KEY: key } });
    try {
      assert.equal((await t.call('GET', '/probe', { key })).status, 200);
      assert.equal((await t.call('GET', '/probe', { key: `${key.slice(0, -1)}z` })).status, 401);
      const list = await t.call('GET', '/v1/api-keys', { key });
      assert.equal(list.body.data[0].prefix, key.slice(0, 4));
      assert.deepEqual(list.body.data[0].limits, { hourly: 100, daily: 1000, monthly: 10_000 });
    } finally {
      await t.close();
    }
  });
}
