import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../../../test/harness/app.ts';
import { aNewsletter, aWorkspace } from '../../../../../test/harness/builders.ts';

let api: TestApp;
let list: string;
let strangers: { workspaceId: string; newsletterId: string };
before(async () => {
  api = await createTestApp({ worker: true });
  list = `/v1/newsletters/${(await aNewsletter(api.db, api.workspaceId, { doubleOptIn: false })).id}/subscribers`;
  const workspaceId = await aWorkspace(api.db);
  strangers = { workspaceId, newsletterId: (await aNewsletter(api.db, workspaceId)).id };
});
after(() => api.close());

interface Row {
  id: string;
  status: string;
  metadata: Record<string, unknown>;
}

/** On the list here, and in another workspace. */
async function subscribed(email: string): Promise<string> {
  const made = await api.request({ url: list, body: { email } });
  assert.equal(made.status, 201, made.text);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    values (${strangers.workspaceId}, ph_uuidv7(), ${strangers.newsletterId}, ${email}, 'active')`.execute(api.db);
  return (made.body as Row).id;
}

async function assertLeft(id: string, email: string, reason: string): Promise<void> {
  const { body } = await api.request({ url: `${list}/${id}` });
  const row = body as Row;
  assert.deepEqual([row.status, row.metadata], ['unsubscribed', { unsubscribe_reason: reason }]);
  const { rows } = await sql<{ reason: string; previous: string }>`
    select payload ->> 'reason' as reason, payload ->> 'previous_status' as previous from workspace_events
     where workspace_id = ${api.workspaceId} and type = 'newsletter.subscriber.unsubscribed'
       and payload #>> '{subscriber,id}' = ${id}`.execute(api.db);
  assert.deepEqual(rows, [{ reason, previous: 'active' }], 'one event');
  const { rows: theirs } = await sql<{ status: string }>`
    select status from subscribers where workspace_id = ${strangers.workspaceId} and email = ${email}`.execute(api.db);
  assert.deepEqual(theirs, [{ status: 'active' }], 'another workspace is untouched');
}

const ways: [string, string, (email: string) => Promise<unknown>][] = [
  ['a call', 'manual', (email) => api.request({ url: '/v1/suppressions', body: { email: email.toUpperCase() } })],
  [
    'a call that says they unsubscribed',
    'user',
    (email) => api.request({ url: '/v1/suppressions', body: { email, reason: 'unsubscribe' } }),
  ],
  [
    'a batch',
    'manual',
    (email) => api.request({ url: '/v1/suppressions/batch', body: { emails: ['x@example.com', email] } }),
  ],
  [
    'an import',
    'complaint',
    (email) =>
      api.request({
        method: 'POST',
        url: '/v1/suppressions/import',
        body: `email,reason\n${email},complaint\n`,
        headers: { 'content-type': 'text/csv' },
      }),
  ],
];

for (const [way, reason, suppress] of ways) {
  test(`an address that is suppressed by ${way} leaves the list before the answer`, async () => {
    const email = `${newId()}@example.com`;
    const id = await subscribed(email);
    const answer = (await suppress(email)) as { status: number; text: string }; // every way answers so
    assert.ok(answer.status < 300, answer.text);
    await assertLeft(id, email, reason);
  });
}

for (const [box, reason] of [
  ['bounce', 'hard_bounce'],
  ['complaint', 'complaint'],
] as const) {
  test(`an address whose mail the provider reports as a ${box} leaves the list`, async () => {
    const email = `${box}+${newId()}@simulator.amazonses.com`;
    const id = await subscribed(email);
    const send = { from: 'a@posthorn.test', to: [email], subject: 'Hello', html: '<p>Hello</p>' };
    assert.equal((await api.request({ url: '/v1/send', body: send })).status, 202);
    for (;;) {
      const { body } = await api.request({ url: `${list}/${id}` });
      if ((body as Row).status === 'unsubscribed') break;
    }
    await assertLeft(id, email, reason);
  });
}
