import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { storeKey } from '../create-api-key.ts';
import { generateKey } from '../key-format.ts';
import { createKeyLookup } from './key-lookup.ts';

let database: TestDatabase;
let workspaceId: string;
let monotonic = 0;
const clock = { now: () => new Date('2026-11-20T10:00:00Z'), monotonicMs: () => monotonic };

before(async () => {
  database = await createTestDatabase();
  workspaceId = await aWorkspace(database.db);
});
after(() => database.close());

async function aKey(key = generateKey('live')): Promise<string> {
  const limits = { hourly: 0, daily: 0, monthly: 0 };
  const grant = { scopes: ['*'], domainIds: [], newsletterIds: [], allowedIps: [], mode: 'live' as const, limits };
  await storeKey(database.db, {
    ...grant,
    workspaceId,
    name: 'k',
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
  monotonic += 899;
  assert.equal((await lookup.find(key))?.key.revokedAt, null);
  monotonic += 1;
  assert.notEqual((await lookup.find(key))?.key.revokedAt, null);
});

test('what was being read when a change was announced is not kept', async () => {
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
  monotonic += 900;
  assert.notEqual(await lookup.find(key), undefined);
});

test('two keys with the same beginning are told apart by all of their hash', async () => {
  const lookup = createKeyLookup({ db: database.db, clock });
  const [one, two] = [await aKey(), await aKey()];
  await sql`update api_key_prefixes set prefix = ${one.slice(0, 12)} where workspace_id = ${workspaceId}`.execute(
    database.db,
  );
  const other = `${one.slice(0, 12)}${two.slice(12)}`;
  assert.notEqual(await lookup.find(one), undefined);
  assert.equal(await lookup.find(two), undefined);
  assert.equal(await lookup.find(other), undefined);
});
