import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { accepted } from '../../../../test/harness/accepted-send.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { emailEvents } from '../../../../test/harness/email-events.ts';
import { systemActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { replayRange, type ReplayBounds } from './replay-range.ts';
import { pageOfAllDeliveries } from './queries/all-deliveries.ts';
import { aWebhook, dueDeliveries, type TestWebhook } from './test-kit.ts';

let app: TestApp;
let webhook: TestWebhook;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' } });
});
after(() => app.close());

const fresh = async (given: { events?: string[]; enabled?: boolean } = {}): Promise<string> => {
  webhook = await aWebhook(app.db, app.workspaceId, 'http://127.0.0.1:9/hook', given);
  // The app seals with a key of its own.
  return webhook.id;
};

// biome-ignore lint: a test looks into whatever came back
const call = async (url: string, body?: unknown, key?: string): Promise<{ status: number; body: any }> =>
  app.request({ url, ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) });

const settle = (ids: readonly string[], status: string): Promise<unknown> =>
  sql`update webhook_deliveries set status = ${status}, attempt = 8, response_status = 500, response_body = 'no',
      response_time_ms = 3, error = 'The receiver answered 500.', next_attempt_at = null,
      attempts = '[{"at":"2026-11-20T10:00:00.000Z","status":500,"response_time_ms":3,"error":"The receiver answered 500."}]',
      delivered_at = case when ${status} = 'succeeded' then now() end
    where workspace_id = ${app.workspaceId} and id = any (${ids}::uuid[])`.execute(app.db);

interface Row {
  id: string;
  eventId: string;
  status: string;
  isReplay: boolean;
  attempt: number;
}
const rowsOf = async (): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select id, event_id as "eventId", status, is_replay as "isReplay", attempt from webhook_deliveries
     where workspace_id = ${app.workspaceId} and webhook_id = ${webhook.id} order by id`.execute(app.db);
  return rows;
};

const SINCE = '2020-01-01T00:00:00Z';
const replay = (body: object = {}, id = webhook.id) => call(`/v1/webhooks/${id}/replay`, { since: SINCE, ...body });

/** Seven deliveries in pages of three: the last page of a call is cut. */
const SMALL: ReplayBounds = { queuedMax: 7, lookedAtMax: 100, page: 3 };
/** One call with smaller bounds; its cursor is good for a call of the API. */
const replayPart = (given: { cursor?: string } = {}, bounds = SMALL) =>
  replayRange(
    { actor: systemActor, clock: app.clock, db: app.db, workspaceId: app.workspaceId },
    emailEvents,
    webhook.id,
    { since: SINCE, ...given },
    bounds,
  );

test('200 with the whole record of a delivery, its bytes and the last answer', async () => {
  const id = await fresh();
  const [deliveryId = ''] = await dueDeliveries(app.db, webhook, 1);
  const before = await call(`/v1/webhooks/${id}/deliveries/${deliveryId}`);
  assert.deepEqual([before.status, before.body.status, before.body.url], [200, 'pending', 'http://127.0.0.1:9/hook']);
  assert.match(before.body.next_attempt_at, /Z$/);
  await settle([deliveryId], 'failed');
  const { status, body } = await call(`/v1/webhooks/${id}/deliveries/${deliveryId}`);
  const [row] = await rowsOf();
  assert.equal(status, 200);
  assert.deepEqual(body, {
    id: deliveryId,
    webhook_id: id,
    event_id: `evt_${row?.eventId.replaceAll('-', '')}`,
    event_type: 'delivery',
    status: 'failed',
    attempt: 8,
    max_attempts: 8,
    url: 'http://127.0.0.1:9/hook',
    request_body: `{"id" : "${row?.eventId}", "type" : "delivery"}`,
    response_status: 500,
    response_body: 'no',
    response_time_ms: 3,
    error: 'The receiver answered 500.',
    next_attempt_at: null,
    delivered_at: null,
    created_at: body.created_at,
    attempts: [
      { at: '2026-11-20T10:00:00.000Z', status: 500, response_time_ms: 3, error: 'The receiver answered 500.' },
    ],
  });
});

test('200 with a page of deliveries, newest first, by status and type', async () => {
  const id = await fresh();
  const ids = await dueDeliveries(app.db, webhook, 5);
  await settle(ids.slice(0, 2), 'failed');
  await sql`update webhook_deliveries set event_type = 'bounce'
    where workspace_id = ${app.workspaceId} and id = ${ids[1]}`.execute(app.db);
  const all = await call(`/v1/webhooks/${id}/deliveries`);
  assert.deepEqual(
    all.body.data.map((one: { id: string }) => one.id),
    [...ids].sort().reverse(),
  );
  assert.equal(all.body.total, 5);
  const { body: newest } = await call(`/v1/webhooks/${id}/deliveries/${all.body.data[0].id}`);
  assert.deepEqual(all.body.data[0], newest);
  const failed = await call(`/v1/webhooks/${id}/deliveries?status=failed`);
  assert.deepEqual([failed.body.total, failed.body.data.length], [2, 2]);
  const bounces = await call(`/v1/webhooks/${id}/deliveries?status=failed&event_type=bounce`);
  assert.deepEqual(
    bounces.body.data.map((one: { id: string }) => one.id),
    [ids[1]],
  );
  const first = await call(`/v1/webhooks/${id}/deliveries?limit=3`);
  const second = await call(`/v1/webhooks/${id}/deliveries?limit=3&cursor=${first.body.next_cursor}`);
  assert.deepEqual([first.body.data.length, second.body.data.length, second.body.has_more], [3, 2, false]);
});

test('400 for a type of event that there is not, in both lists', async () => {
  const id = await fresh();
  for (const path of [`/v1/webhooks/${id}/deliveries`, '/v1/webhook-deliveries']) {
    const { status, body } = await call(`${path}?event_type=bounced`);
    assert.deepEqual([status, body.param], [400, 'event_type'], path);
  }
});

test('200 with what is being delivered, apart from what waits', async () => {
  const id = await fresh();
  const [due = '', later = ''] = await dueDeliveries(app.db, webhook, 2);
  await sql`update webhook_deliveries set next_attempt_at = now() + interval '1 hour'
    where workspace_id = ${app.workspaceId} and id = ${later}`.execute(app.db);
  const idsOf = async (status: string): Promise<string[]> => {
    const { body } = await call(`/v1/webhooks/${id}/deliveries?status=${status}`);
    assert.equal(body.total, body.data.length);
    return body.data.map((one: { id: string; status: string }) => (one.status === status ? one.id : one.status));
  };
  assert.deepEqual([await idsOf('pending'), await idsOf('delivering')], [[later, due].sort().reverse(), []]);
  await sql`insert into webhook_leases (workspace_id, webhook_id, token, until)
    values (${app.workspaceId}, ${id}, gen_random_uuid(), now() + interval '1 minute')`.execute(app.db);
  assert.deepEqual([await idsOf('pending'), await idsOf('delivering')], [[later], [due]]);
  await sql`update webhook_leases set until = now() where webhook_id = ${id}`.execute(app.db);
  assert.deepEqual((await idsOf('delivering')).length, 0);
});

test('200 with the deliveries of all webhooks, by webhook, status, type and time, a page at a time', async () => {
  const workspaceId = await aWorkspace(app.db);
  const [first, second] = [1, 2].map(() => aWebhook(app.db, workspaceId, 'http://127.0.0.1:9/hook'));
  assert.ok(first && second);
  const ids = [...(await dueDeliveries(app.db, await first, 3)), ...(await dueDeliveries(app.db, await second, 3))];
  await sql`update webhook_deliveries set status = 'failed', next_attempt_at = null
    where workspace_id = ${workspaceId} and id = any (${[ids[1], ids[4]]}::uuid[])`.execute(app.db);
  await sql`update webhook_deliveries set event_type = 'bounce'
    where workspace_id = ${workspaceId} and id = any (${[ids[0], ids[1]]}::uuid[])`.execute(app.db);
  const newest = ids.toSorted().toReversed();
  const all = {
    status: null,
    eventType: null,
    webhookIds: [(await first).id, (await second).id],
    since: null,
    until: null,
  };
  const walk = async (filter: object, lookedAtMax: number, limit = 100): Promise<string[]> => {
    const found: string[] = [];
    for (let after: string | null = null, n = 0; n < 20; n += 1) {
      const page = await pageOfAllDeliveries(
        app.db,
        workspaceId,
        { ...all, ...filter },
        { limit, offset: 0, after },
        lookedAtMax,
      );
      found.push(...page.rows.slice(0, limit).map(({ id }) => id));
      after = page.rows.length > limit ? (found.at(-1) ?? null) : page.goOnAfter;
      if (after === null) break;
    }
    return found;
  };
  for (const lookedAtMax of [2, 3, 10]) {
    assert.deepEqual(await walk({}, lookedAtMax), newest);
    assert.deepEqual(await walk({}, lookedAtMax, 1), newest);
    assert.deepEqual(
      await walk({ status: 'failed' }, lookedAtMax),
      newest.filter((id) => id === ids[1] || id === ids[4]),
    );
    assert.deepEqual(
      await walk({ eventType: 'bounce' }, lookedAtMax),
      newest.filter((id) => id === ids[0] || id === ids[1]),
    );
    assert.deepEqual(
      await walk({ webhookIds: [(await second).id] }, lookedAtMax),
      newest.filter((id) => ids.indexOf(id) > 2),
    );
    assert.deepEqual(await walk({ since: new Date('2999-01-01') }, lookedAtMax), []);
    assert.deepEqual(await walk({ until: new Date('2001-01-01') }, lookedAtMax), []);
  }
});

test('200 over HTTP with the deliveries of the webhooks that a key may see, and 400 for a filter that is none', async () => {
  const id = await fresh();
  const [deliveryId] = await dueDeliveries(app.db, webhook, 1);
  const { status, body } = await call(`/v1/webhook-deliveries?webhook_id=${id}&status=pending&since=${SINCE}`);
  assert.deepEqual([status, body.data.length, body.data[0].id, body.data[0].webhook_id], [200, 1, deliveryId, id]);
  assert.deepEqual(
    (await call('/v1/webhook-deliveries?limit=1')).body.data.map((one: { id: string }) => one.id),
    [deliveryId],
  );
  const newsletter = (await call('/v1/newsletters', { name: 'Deliveries', slug: 'deliveries' })).body.id;
  const { key } = (
    await call('/v1/api-keys', { name: 'limited', scopes: ['webhooks:read'], newsletter_ids: [newsletter] })
  ).body;
  assert.deepEqual((await call('/v1/webhook-deliveries', undefined, key)).body.data, []);
  for (const query of ['status=sent', 'webhook_id=x', 'since=yesterday', 'limit=0']) {
    assert.equal((await call(`/v1/webhook-deliveries?${query}`)).status, 400, query);
  }
});

test('400 for a status that is none', async () => {
  const id = await fresh();
  assert.equal((await call(`/v1/webhooks/${id}/deliveries?status=sent`)).status, 400);
});

test('404 for another workspace’s webhook and for a delivery of another webhook', async () => {
  const other = await aWebhook(app.db, await aWorkspace(app.db), 'http://127.0.0.1:9/');
  const [foreign = ''] = await dueDeliveries(app.db, other, 1);
  const mine = await fresh();
  const second = await aWebhook(app.db, app.workspaceId, 'http://127.0.0.1:9/');
  const [elsewhere = ''] = await dueDeliveries(app.db, second, 1);
  for (const url of [
    `/v1/webhooks/${other.id}/deliveries`,
    `/v1/webhooks/${other.id}/deliveries/${foreign}`,
    `/v1/webhooks/${mine}/deliveries/${foreign}`,
    `/v1/webhooks/${mine}/deliveries/${elsewhere}`,
  ]) {
    assert.equal((await call(url)).status, 404, url);
  }
  assert.equal((await call(`/v1/webhooks/${other.id}/deliveries/${foreign}/replay`, {})).status, 404);
  assert.equal((await call(`/v1/webhooks/${mine}/deliveries/${foreign}/replay`, {})).status, 404);
  assert.equal((await replay({}, other.id)).status, 404);
  const { rows } = await sql`select from webhook_deliveries where workspace_id = ${other.workspaceId}`.execute(app.db);
  assert.equal(rows.length, 1, 'nothing was queued');
});

test('202 for a replay: a new delivery of the same event, and the old one stays as it is', async () => {
  const id = await fresh();
  const [old = ''] = await dueDeliveries(app.db, webhook, 1);
  await settle([old], 'succeeded');
  const { status, body } = await call(`/v1/webhooks/${id}/deliveries/${old}/replay`, {});
  assert.equal(status, 202);
  const [before, after] = await rowsOf();
  assert.deepEqual([before?.id, before?.status, before?.attempt], [old, 'succeeded', 8]);
  assert.deepEqual(
    [after?.id, after?.eventId, after?.status, after?.attempt],
    [body.id, before?.eventId, 'pending', 0],
  );
  assert.equal(body.event_id, `evt_${before?.eventId.replaceAll('-', '')}`);
});

test('202 for a replay of one that waits: it is tried now, and there is no second', async () => {
  const id = await fresh();
  const [waiting = ''] = await dueDeliveries(app.db, webhook, 1);
  await sql`update webhook_deliveries set next_attempt_at = now() + interval '5 hours', attempt = 5
    where workspace_id = ${app.workspaceId} and id = ${waiting}`.execute(app.db);
  const { status, body } = await call(`/v1/webhooks/${id}/deliveries/${waiting}/replay`, {});
  assert.deepEqual([status, body.id, body.attempt], [202, waiting, 5]);
  assert.ok(new Date(body.next_attempt_at).getTime() < Date.now() + 60_000);
  assert.equal((await rowsOf()).length, 1);
});

test('409 for a replay to a disabled webhook, of a test, and of an event that is gone', async () => {
  const id = await fresh();
  const [gone = '', test = ''] = await dueDeliveries(app.db, webhook, 2);
  await settle([gone, test], 'failed');
  await sql`update webhook_deliveries set is_test = true
    where workspace_id = ${app.workspaceId} and id = ${test}`.execute(app.db);
  await sql`delete from webhook_bodies where workspace_id = ${app.workspaceId}`.execute(app.db);
  assert.equal((await call(`/v1/webhooks/${id}/deliveries/${gone}/replay`, {})).status, 409);
  assert.equal((await call(`/v1/webhooks/${id}/deliveries/${test}/replay`, {})).status, 409);
  await sql`update webhooks set enabled = false where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  assert.equal((await call(`/v1/webhooks/${id}/deliveries/${gone}/replay`, {})).status, 409);
  assert.equal((await replay()).status, 409);
  assert.equal((await rowsOf()).length, 2);
});

test('202 for a range of failed deliveries: each is queued once, however often it is asked for', async () => {
  await fresh();
  const ids = await dueDeliveries(app.db, webhook, 6);
  await settle(ids.slice(0, 3), 'failed');
  await settle(ids.slice(3, 5), 'succeeded');
  assert.deepEqual((await replay()).body, { queued: 3, has_more: false, next_cursor: null });
  assert.deepEqual((await replay()).body, { queued: 0, has_more: false, next_cursor: null });
  const rows = await rowsOf();
  assert.equal(rows.filter((row) => row.isReplay && row.status === 'pending').length, 3);
  assert.equal(new Set(rows.map((row) => row.eventId)).size, 6);
});

test('202 for a range: what waits for its next attempt is tried now, once, and none is queued beside it', async () => {
  await fresh();
  const [waiting = '', later = '', due = '', failed = '', other = ''] = await dueDeliveries(app.db, webhook, 5);
  await settle([failed], 'failed');
  await sql`update webhook_deliveries set attempt = 3, next_attempt_at = now() + interval '2 hours'
    where workspace_id = ${app.workspaceId} and id in (${waiting}, ${later}, ${other})`.execute(app.db);
  await sql`update webhook_deliveries set event_type = 'open'
    where workspace_id = ${app.workspaceId} and id = ${other}`.execute(app.db);
  const asked = { event_types: ['delivery'] };
  assert.deepEqual((await replay({ ...asked, until: '2020-01-02T00:00:00Z' })).body.queued, 0);
  assert.deepEqual((await replay(asked)).body, { queued: 3, has_more: false, next_cursor: null });
  assert.deepEqual((await replay(asked)).body.queued, 0, 'they are on their way');
  const { rows } = await sql<{ id: string; attempt: number; isDue: boolean }>`
    select id, attempt, next_attempt_at <= now() as "isDue" from webhook_deliveries
     where workspace_id = ${app.workspaceId} and webhook_id = ${webhook.id} and status = 'pending'`.execute(app.db);
  const stateOf = new Map(rows.map(({ id, ...state }) => [id, state]));
  for (const id of [waiting, later]) assert.deepEqual(stateOf.get(id), { attempt: 3, isDue: true });
  assert.deepEqual(stateOf.get(other), { attempt: 3, isDue: false }, 'another type');
  assert.deepEqual(stateOf.get(due), { attempt: 0, isDue: true });
  assert.equal((await rowsOf()).length, 6, 'only the one that had failed has a new delivery');
});

test('202 with a cursor when more waits than one call takes; all of it is tried now', async () => {
  await fresh();
  const ids = await dueDeliveries(app.db, webhook, 13);
  await settle(ids.slice(0, 3), 'failed');
  await sql`update webhook_deliveries set next_attempt_at = now() + interval '2 hours'
    where workspace_id = ${app.workspaceId} and webhook_id = ${webhook.id} and status = 'pending'`.execute(app.db);
  const first = await replayPart();
  assert.deepEqual([first.queued, first.hasMore], [7, true]);
  const second = await replay({ cursor: first.nextCursor });
  assert.deepEqual(second.body, { queued: 6, has_more: false, next_cursor: null });
  assert.equal((await rowsOf()).filter((row) => row.isReplay).length, 13, 'three of them are new');
  const { rows } = await sql`select from webhook_deliveries
    where workspace_id = ${app.workspaceId} and webhook_id = ${webhook.id} and next_attempt_at > now()`.execute(app.db);
  assert.equal(rows.length, 0);
});

test('202 for a range: only its time and its types', async () => {
  await fresh();
  const ids = await dueDeliveries(app.db, webhook, 3);
  await settle(ids, 'failed');
  await sql`update webhook_deliveries set event_type = 'bounce'
    where workspace_id = ${app.workspaceId} and id = ${ids[0]}`.execute(app.db);
  assert.equal((await replay({ until: '2020-01-02T00:00:00Z' })).body.queued, 0);
  assert.equal((await replay({ since: '2100-01-01T00:00:00Z', until: '2100-01-02T00:00:00Z' })).body.queued, 0);
  assert.equal((await replay({ event_types: ['complaint'] })).body.queued, 0);
  assert.equal((await replay({ event_types: ['bounce'] })).body.queued, 1);
  assert.equal((await replay()).body.queued, 2);
});

test('400 for a range that ends before it begins, a type that is none, and a cursor that is not ours', async () => {
  await fresh();
  assert.equal((await replay({ until: '2019-01-01T00:00:00Z' })).status, 400);
  const mistyped = await replay({ event_types: ['bounce', 'bounced'] });
  assert.deepEqual([mistyped.status, mistyped.body.param], [400, 'event_types[1]']);
  const id = newId();
  for (const text of ['x', `${id} 1`, `${id} 2026-02-30T00:00:00+00:00`, `${id} 0000-01-01T00:00:00Z`, `${id} now`]) {
    const forged = await replay({ cursor: Buffer.from(text).toString('base64url') });
    assert.deepEqual([forged.status, forged.body.param], [400, 'cursor'], text);
  }
  assert.equal((await call(`/v1/webhooks/${webhook.id}/replay`, {})).status, 400);
});

/** Events of mails that were sent while the endpoint was not told. */
const events = (count: number, source: 'api' | 'system' = 'api'): Promise<unknown> =>
  accepted(
    app.db,
    app.workspaceId,
    Array.from({ length: count }, (_, n) => `u${n}@example.com`),
    { source },
  );

test('202 for everything in a range: also what was missed while it was disabled, but no mail of the system', async () => {
  const since = new Date().toISOString();
  await fresh({ events: ['send'], enabled: false });
  await events(3);
  await events(2, 'system');
  await sql`update webhooks set enabled = true
    where workspace_id = ${app.workspaceId} and id = ${webhook.id}`.execute(app.db);
  assert.equal((await rowsOf()).length, 0);
  assert.equal((await replay({ since, only_failed: true })).body.queued, 0);
  assert.deepEqual((await replay({ since, only_failed: false })).body, {
    queued: 3,
    has_more: false,
    next_cursor: null,
  });
  assert.equal((await replay({ since, only_failed: false })).body.queued, 0, 'they are waiting already');
  await sql`update webhooks set events = '{bounce}'
    where workspace_id = ${app.workspaceId} and id = ${webhook.id}`.execute(app.db);
  await sql`delete from webhook_deliveries where workspace_id = ${app.workspaceId}`.execute(app.db);
  assert.equal((await replay({ since, only_failed: false })).body.queued, 0, 'it is not subscribed to these');
});

test('202 with a cursor when a range holds more than one call takes; all of it arrives once', async () => {
  await fresh();
  const ids = await dueDeliveries(app.db, webhook, 13);
  await settle(ids, 'failed');
  const first = await replayPart();
  assert.deepEqual([first.queued, first.hasMore], [7, true]);
  const second = await replayPart({ cursor: first.nextCursor ?? '' }, { ...SMALL, lookedAtMax: 4 });
  assert.deepEqual([second.queued, second.hasMore], [6, true], 'two pages were looked at');
  assert.deepEqual((await replay({ cursor: second.nextCursor })).body, {
    queued: 0,
    has_more: false,
    next_cursor: null,
  });
  const replayed = (await rowsOf()).filter((row) => row.isReplay);
  assert.equal(replayed.length, 13);
  assert.equal(new Set(replayed.map((row) => row.eventId)).size, 13);
});

test('the same Idempotency-Key replays a range once', async () => {
  await fresh();
  await settle(await dueDeliveries(app.db, webhook, 2), 'failed');
  const request = {
    url: `/v1/webhooks/${webhook.id}/replay`,
    body: { since: '2020-01-01T00:00:00Z' },
    headers: { 'idempotency-key': `replay-${webhook.id}` },
  };
  const answers = [await app.request(request), await app.request(request)];
  assert.deepEqual(
    answers.map((answer) => [answer.status, (answer.body as { queued: number }).queued]), // checked against the document
    [
      [202, 2],
      [202, 2],
    ],
  );
  assert.equal((await rowsOf()).length, 4);
});
