import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { systemClock } from '../clock.ts';
import { createSafeFetch, type SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { inTransaction } from './database.ts';

let t: TestDatabase;
let lookedUp: string[] = [];
let safeFetch: SafeFetch;
let calls = 0;
/** Each to a name of its own: calls that come together would share a look-up. */
const call = () =>
  safeFetch.request(`https://slow-${(calls += 1)}.example/`, { method: 'GET', timeoutMs: 1_000, bodyBytesMax: 10 });

before(async () => {
  t = await createTestDatabase({ migrated: false });
  const lookup = async (name: string) => {
    lookedUp.push(name);
    return ['127.0.0.1'];
  };
  safeFetch = createSafeFetch({ allow: [], development: null, lookup, clock: systemClock });
});
after(async () => {
  await safeFetch.close();
  await t.close();
});

test('another server cannot be called, and no name looked up, while a transaction is open', async () => {
  lookedUp = [];
  await assert.rejects(inTransaction(t.db, call), /another server is called in a transaction/);
  const inner = () =>
    inTransaction(t.db, (tx) => inTransaction(tx, () => safeFetch.checkUrl('https://a.example', 'url')));
  await assert.rejects(inner(), /a name is looked up in a transaction/);
  assert.deepEqual(lookedUp, []);
});

test('it can be called before a transaction, after it, and by work that a transaction began and that outlives it', async () => {
  lookedUp = [];
  const gate = Promise.withResolvers<void>();
  await call();
  const { later } = await inTransaction(t.db, async () => ({ later: gate.promise.then(call) }));
  await call();
  gate.resolve();
  assert.equal((await later).kind, 'blocked');
  assert.equal(lookedUp.length, 3);
});
