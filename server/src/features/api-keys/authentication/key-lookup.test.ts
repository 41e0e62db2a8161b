import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { storeKey } from '../create-api-key.ts';
import { fingerprintOfKey, generateKey } from '../key-format.ts';
import { createKeyLookup } from './key-lookup.ts';

let database: TestDatabase;
let workspaceId: string;
const clock = createTestClock({ held: true });

before(async () => {
  database = await createTestDatabase();
  workspaceId = await aWorkspace(database.db);
});
after(() => database.close());

async function aKey(key = generateKey('live'), name = 'k'): Promise<string> {
  const limits = { hourly: 0, daily: 0, monthly: 0 };
  const grant = { scopes: ['*'], domainIds: [], newsletterIds: [], allowedIps: [], mode: 'live' as const, limits };
  await storeKey(database.db, {
    ...grant,
    workspaceId,
    name,
    expiresAt: null,
    createdBy: null,
    key,
    now: clock.now(),
  });
  return key;
}
const revokeAll = () =>
  sql`update api_keys set revoked_at = now() where workspace_id = ${workspaceId}`.execute(database.db);

test('a key is read once in 0.9 s, however many ask, and anew after that', async () => {
  const lookup = createKeyLookup({ db: database.db, clock });
  const key = await aKey();
  const found = await Promise.all(Array.from({ length: 50 }, () => lookup.find(key)));
  assert.equal(new Set(found).size, 1);
  await revokeAll();
  clock.advance(899);
  assert.equal((await lookup.find(key))?.key.revokedAt, null);
  clock.advance(1);
  assert.notEqual((await lookup.find(key))?.key.revokedAt, null);
});

test('a value that was being read when a change was announced is not cached', async () => {
  const lookup = createKeyLookup({ db: database.db, clock });
  const key = await aKey();
  const early = lookup.find(key);
  lookup.clear();
  assert.equal((await early)?.key.revokedAt, null);
  await revokeAll();
  assert.notEqual((await lookup.find(key))?.key.revokedAt, null);
});

test('a wrong key is remembered as wrong for as long, and no longer', async () => {
  const lookup = createKeyLookup({ db: database.db, clock });
  const key = generateKey('live');
  assert.equal(await lookup.find(key), undefined);
  await aKey(key);
  assert.equal(await lookup.find(key), undefined);
  clock.advance(900);
  assert.notEqual(await lookup.find(key), undefined);
});

test('two keys that are found together are told apart by all of their hash', async () => {
  const lookup = createKeyLookup({ db: database.db, clock });
  const [one, two] = [await aKey(undefined, 'one'), await aKey(undefined, 'two')];
  // Each key is now a candidate for the other too.
  await sql`
    insert into api_key_lookups (lookup, workspace_id, api_key_id)
    select beginning, k.workspace_id, k.id
      from api_keys k, unnest(${[one, two].map((key) => fingerprintOfKey(key).lookup)}::text[]) as beginning
     where k.workspace_id = ${workspaceId} and k.name in ('one', 'two')
    on conflict do nothing`.execute(database.db);
  assert.equal((await lookup.find(one))?.key.name, 'one');
  assert.equal((await lookup.find(two))?.key.name, 'two');
  await sql`delete from api_keys where workspace_id = ${workspaceId} and name = 'two'`.execute(database.db);
  lookup.clear();
  assert.equal(await lookup.find(two), undefined);
});
