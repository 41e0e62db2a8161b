import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { aWorkspace } from '../../test-kit.ts';
import type { SendKey } from '../bulk-send.ts';
import { openSend } from '../test-kit.ts';
import { forgetStops } from './forget-stops.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, send_counts, contents, audience_stops cascade`.execute(t.db);
  workspaceId = await aWorkspace(t.db);
});

/** People who left the audience three hours ago. */
const stops = (audienceId: string, count: number) =>
  sql`insert into audience_stops (workspace_id, audience_id, recipient_id, stopped_at)
      select ${workspaceId}, ${audienceId}, gen_random_uuid(), now() - interval '3 hours'
        from generate_series(1, ${count}::integer)`.execute(t.db);

/** A send that was opened five hours ago, and has no emails yet. */
async function sendTo(audienceId: string): Promise<SendKey> {
  const key = await openSend(t.db, workspaceId, audienceId, { kind: 'numbers' });
  await change(key, sql`created_at = created_at - interval '5 hours'`);
  return key;
}
const change = (key: SendKey, set: RawBuilder<unknown>) =>
  sql`update send_requests set ${set} where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(t.db);

test('a send that is being frozen or released keeps the stops, even before it has an email', async () => {
  const audienceId = newId();
  const key = await sendTo(audienceId);
  await stops(audienceId, 1);
  assert.equal(await forgetStops(t.db), 0, 'freezing');
  await change(key, sql`bulk_state = 'releasing'`);
  assert.equal(await forgetStops(t.db), 0, 'releasing');
  await change(key, sql`bulk_state = 'released'`);
  assert.equal(await forgetStops(t.db), 1);
});

test('a cancelled send keeps none, and neither does a send to another audience', async () => {
  const audienceId = newId();
  await sendTo(newId());
  const key = await sendTo(audienceId);
  await stops(audienceId, 1);
  assert.equal(await forgetStops(t.db), 0);
  await change(key, sql`cancelled_at = now()`);
  assert.equal(await forgetStops(t.db), 1);
});

test('all stops of all audiences go, however many pages they are', async () => {
  for (let audience = 0; audience < 3; audience += 1) await stops(newId(), 2_100);
  assert.equal(await forgetStops(t.db), 6_300);
});

test('it ends before the next page when the process ends', async () => {
  await stops(newId(), 2_100);
  let pages = 0;
  assert.equal(await forgetStops(t.db, () => pages++ < 1), 2_000);
  assert.equal(await forgetStops(t.db), 100);
});
