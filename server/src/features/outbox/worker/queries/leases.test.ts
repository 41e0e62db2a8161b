import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { aWorkspace, people, queued } from '../../test-kit.ts';
import { claimEmails } from './claim-emails.ts';
import { renewLeases } from './leases.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('a lease that ran out is not revived, and its holder is told so', async () => {
  const ws = await aWorkspace(t.db);
  await queued(t.db, ws, 'transactional', people(3));
  const claim = async (): Promise<string> => {
    const leaseToken = newId();
    await claimEmails(t.db, { slots: 1, bulk: 0, leaseToken, leaseSeconds: 60 });
    return leaseToken;
  };
  const [ours, late, swept] = [await claim(), await claim(), await claim()];
  await sql`update emails set lease_until = now() - interval '1 second'
     where workspace_id = ${ws} and lease_token = ${late}`.execute(t.db);
  await sql`update emails set status = 'unconfirmed', lease_token = null, lease_until = null
     where workspace_id = ${ws} and lease_token = ${swept}`.execute(t.db);

  assert.deepEqual(await renewLeases(t.db, [ours, late, swept], 600), new Set([ours]));

  const { rows } = await sql<{ token: string | null }>`select lease_token as token from emails
     where workspace_id = ${ws} and lease_until > now() + interval '5 minutes'`.execute(t.db);
  assert.deepEqual(rows, [{ token: ours }]);
});
