import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { forgetSenderDomains } from '#features/domains';
import { bulkSends } from '#features/outbox';
import { contactAudience } from '../recipients/contact-audience.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';

// No worker runs: emails are moved by hand.
let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp();
});
after(() => t.close());

const post = (id: string, action: string) => t.call('POST', `/${id}/${action}`);

/** A frozen broadcast to so many contacts, of whose emails the first ones have these states. */
async function underWay(name: string, states: readonly string[], more: object = {}): Promise<Body> {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(states.length, name) }, ...more });
  assert.equal((await post(made.id, 'send')).status, 202);
  await bulkSends.freeze(t.app.db, [contactAudience(t.app)]);
  await sql`
    update emails e set status = s.status, delivered_at = case when s.status = 'delivered' then now() end,
           bounced_at = case when s.status = 'bounced' then now() end
      from (select status, n - 1 as n from unnest(${[...states]}::text[]) with ordinality as x (status, n)) s
     where e.workspace_id = ${t.app.workspaceId} and e.recipient = ${name} || '-' || lpad(s.n::text, 5, '0') || '@example.com'`.execute(
    t.app.db,
  );
  return made;
}

const setState = (id: string, change: { bulk: string; status: string }) =>
  sql`
  with send as (
    update send_requests set bulk_state = ${change.bulk} where workspace_id = ${t.app.workspaceId} and broadcast_id = ${id})
  update broadcasts set status = ${change.status} where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(
    t.app.db,
  );

test('200 for a pause: what waits leaves the queue, the answer counts what is being handed over, and it goes on once', async () => {
  const made = await underWay('paused', ['sending', 'queued', 'queued', 'pending']);
  const paused = await post(made.id, 'pause');
  assert.deepEqual(paused.body, { success: true, status: 'sending', paused: true, alreadyQueued: 1 });
  const { stats, progress } = await t.read(made.id);
  assert.deepEqual([stats.queued, stats.waiting, progress.state, progress.code], [0, 3, 'paused', null]);
  assert.equal((await post(made.id, 'pause')).status, 409);
  const resumed = await post(made.id, 'resume');
  assert.deepEqual([resumed.status, resumed.body.paused, resumed.body.status], [200, false, 'sending']);
  assert.equal((await post(made.id, 'resume')).status, 409);
  const log = (await t.read(made.id)).audit_log.slice(-2);
  assert.deepEqual(
    log.map(({ action, details }: Body) => [action, details]),
    [
      ['paused', { already_queued: 1 }],
      ['resumed', {}],
    ],
  );
  const { body } = await t.app.request({ url: `/audit?target=broadcast:${made.id}&limit=1` });
  const [resume] = (body as Body).data;
  assert.deepEqual(
    [resume.action, resume.actor.type, resume.details],
    ['resumed', 'api_key', { record_name: made.name }],
  );
  assert.equal((await post((await t.draft()).id, 'pause')).status, 409, 'a draft');
  const rows = await sql<{ actor: string }>`select actor_type as actor from security_log
     where workspace_id = ${t.app.workspaceId} and action = 'send.paused'`.execute(t.app.db);
  assert.deepEqual(rows.rows, [{ actor: 'api_key' }], 'not by Posthorn itself');
});

test('200 with the recipients of a count, page by page, each with the state of its email', async () => {
  const made = await underWay('listed', ['delivered', 'delivered', 'bounced', 'pending', 'failed']);
  const all = await t.call('GET', `/${made.id}/recipients?limit=3`);
  assert.deepEqual([all.body.total, all.body.data.length], [5, 3]);
  const rest = await t.call('GET', `/${made.id}/recipients?limit=3&cursor=${all.body.next_cursor}`);
  assert.equal(rest.body.data.length, 2);
  const typed = async (type: string): Promise<string[]> =>
    (await t.call('GET', `/${made.id}/recipients?type=${type}`)).body.data.map(({ email }: Body) => email).sort();
  assert.deepEqual(await typed('delivered'), ['listed-00000@example.com', 'listed-00001@example.com']);
  assert.deepEqual(await typed('bounced'), ['listed-00002@example.com']);
  assert.deepEqual(await typed('failed'), ['listed-00004@example.com']);
  assert.deepEqual(await typed('unsubscribed'), []);
  const { contact_id: contactId } = all.body.data[0];
  assert.equal((await t.app.request({ url: `/v1/contacts/${contactId}` })).status, 200);
  assert.equal((await t.call('GET', `/${made.id}/recipients?type=nonsense`)).status, 400);
  assert.equal((await t.call('GET', `/${(await t.draft()).id}/recipients`)).body.total, 0);
});

test('200 with the links in their order, and none without tracking', async () => {
  const html = '<a href="https://acme.test/b">b</a> <a href="https://acme.test/?p={{ properties.plan }}">a</a>';
  const made = await underWay('linked', ['pending'], { html, track_clicks: true });
  const { body } = await t.call('GET', `/${made.id}/clicked-links`);
  assert.deepEqual(body.data, [
    { url: 'https://acme.test/b', leads_to: null, clicks: 0, unique_clicks: 0 },
    { url: 'https://acme.test/?p={{ properties.plan }}', leads_to: null, clicks: 0, unique_clicks: 0 },
  ]);
  const untracked = await underWay('unlinked', ['pending'], { html, track_clicks: false });
  assert.deepEqual((await t.call('GET', `/${untracked.id}/clicked-links`)).body.data, []);
});

test('202 tries those again whom the provider refused, and nobody else; 409 while it is being sent, 403 in a paused workspace', async () => {
  const made = await underWay('retried', ['failed', 'delivered', 'suppressed']);
  assert.equal((await post(made.id, 'retry-failed')).status, 409);
  const retryable = async (): Promise<unknown> => (await t.call('GET', `/${made.id}/retry-failed`)).body;
  assert.deepEqual(await retryable(), { count: 0, is_estimate: false });
  await setState(made.id, { bulk: 'released', status: 'sent' });
  const turn = async (status: string): Promise<void> => {
    await sql`update workspaces set status = ${status} where id = ${t.app.workspaceId}`.execute(t.app.db);
    forgetSenderDomains(t.app.workspaceId);
  };
  await turn('paused');
  assert.equal((await post(made.id, 'retry-failed')).status, 403);
  assert.equal((await t.read(made.id)).stats.waiting, 0);
  await turn('active');
  assert.deepEqual(await retryable(), { count: 1, is_estimate: false });
  const reply = await post(made.id, 'retry-failed');
  assert.deepEqual([reply.status, reply.body], [202, { success: true, queued: 1 }]);
  const { stats, finished_at: finishedAt } = await t.read(made.id);
  assert.deepEqual([stats.waiting, stats.delivered, stats.suppressed, finishedAt], [1, 1, 1, null]);
  const { action, details } = (await t.read(made.id)).audit_log.at(-1);
  assert.deepEqual([action, details], ['retried', { queued: 1 }]);
  assert.deepEqual(await retryable(), { count: 0, is_estimate: false });
  assert.equal((await post(made.id, 'retry-failed')).body.queued, 0);
});
