import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp, type TestRequest } from '../../../../test/harness/app.ts';
import { aDomain } from '../../../../test/harness/builders.ts';
import { until } from '../../../../test/harness/until.ts';

let app: TestApp;
/** Without a worker: its mail waits. */
let waiting: TestApp;
before(async () => {
  [app, waiting] = await Promise.all([createTestApp({ worker: true }), createTestApp()]);
});
after(async () => {
  await Promise.all([app.close(), waiting.close()]);
  assert.deepEqual([...app.logged, ...waiting.logged], []);
});

const call = async (request: TestRequest, to = app): Promise<{ status: number; body: any }> => to.request(request);
const send = (from: string, to: string[], at = app) =>
  call({ url: '/v1/send', body: { from, to, subject: 'Hello', text: 'Hello' } }, at);
const limit = (id: string, body: object, at = app) =>
  call({ method: 'PATCH', url: `/v1/domains/${id}/limits`, body }, at);
const usageOf = async (id: string, at = app): Promise<any> =>
  (await call({ url: `/v1/domains/${id}` }, at)).body.data.usage;
const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.com`);
const isSent = (from: string, count: number) =>
  until(`${count} sent from ${from}`, async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from emails e join contents k on k.workspace_id = e.workspace_id and k.id = e.content_id
       where e.workspace_id = ${app.workspaceId} and k.from_address = ${from} and e.sent_at is not null`.execute(
      app.db,
    );
    return rows[0]?.n === count || undefined;
  });

test('a limit that is set in the middle of a day and month counts what was accepted before', async () => {
  const id = await aDomain(app.db, app.workspaceId, 'midday.example');
  for (const to of people(3)) assert.equal((await send('a@midday.example', [to])).status, 202);
  await isSent('a@midday.example', 3);
  assert.deepEqual([(await usageOf(id)).daily, (await usageOf(id)).monthly], [3, 3], 'without a limit, too');
  assert.equal((await limit(id, { maxDailyEmails: 4, maxMonthlyEmails: 5 })).status, 200);
  assert.deepEqual([(await usageOf(id)).daily, (await usageOf(id)).monthly], [3, 3]);
  assert.equal((await send('a@midday.example', ['p4@example.com'])).status, 202);
  const refused = await send('a@midday.example', ['p5@example.com']);
  assert.deepEqual([refused.status, refused.body.name], [403, 'permission_error']);
  assert.equal((await usageOf(id)).daily, 4);
});

test('mail that waits counts too, and a limit that is changed or taken away and set again loses nothing', async () => {
  const id = await aDomain(waiting.db, waiting.workspaceId, 'waiting.example');
  for (const to of people(2)) assert.equal((await send('a@waiting.example', [to], waiting)).status, 202);
  await limit(id, { maxDailyEmails: 100 }, waiting);
  assert.equal((await usageOf(id, waiting)).daily, 2);
  assert.equal((await send('a@waiting.example', ['p3@example.com'], waiting)).status, 202);
  await limit(id, { maxDailyEmails: 50 }, waiting);
  assert.equal((await usageOf(id, waiting)).daily, 3);
  await limit(id, { maxDailyEmails: null }, waiting);
  assert.equal((await send('a@waiting.example', people(2), waiting)).status, 202);
  assert.equal((await usageOf(id, waiting)).daily, 5);
  await limit(id, { maxDailyEmails: 5 }, waiting);
  assert.equal((await usageOf(id, waiting)).daily, 5);
  assert.equal((await send('a@waiting.example', ['p4@example.com'], waiting)).status, 403);
});
