import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { aDomain } from '../../../test/harness/builders.ts';
import { type Receiver, startReceiver } from '../../../test/harness/webhook-receiver.ts';
import { isSignedWith, tokenWithRole } from './test-kit.ts';

const MISSING = '01999999-0000-7000-8000-00000000000e';

let app: TestApp;
let receiver: Receiver;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32', POSTHORN_SIGNUP: 'open' } });
  receiver = await startReceiver();
});
beforeEach(async () => {
  await sql`delete from webhooks where workspace_id = ${app.workspaceId}`.execute(app.db);
  receiver.received.length = 0;
  receiver.answerWith((_request, response) => response.end('ok'));
});
after(async () => {
  await receiver.close();
  await app.close();
});

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

interface Reply {
  status: number;
  body: Body;
  headers: Record<string, unknown>;
}

const call = (method: string, url: string, body?: unknown, key?: string, headers = {}): Promise<Reply> =>
  app.request({ method, url, headers, ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) });

const create = (body: object = {}, key?: string): Promise<Reply> =>
  call('POST', '/v1/webhooks', { url: receiver.url, events: ['send'], ...body }, key);

async function aWebhook(body: object = {}): Promise<Body> {
  const reply = await create(body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

async function aKey(body: object): Promise<string> {
  const reply = await call('POST', '/v1/api-keys', { name: 'test', scopes: ['*'], ...body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.key;
}

const list = async (key?: string): Promise<Body[]> => (await call('GET', '/v1/webhooks', undefined, key)).body;

const logOf = async (targetId: string): Promise<{ action: string; details: Body }[]> => {
  const { rows } = await sql<{ action: string; details: Body }>`
    select action, details from security_log
     where workspace_id = ${app.workspaceId} and target_id = ${targetId} order by id`.execute(app.db);
  return rows;
};

test('201 on create: the record itself, with a secret of 32 random bytes', async () => {
  const { status, body } = await create({ events: ['send', 'bounce', 'send'], description: 'CRM' });
  assert.equal(status, 201);
  const { id, secret, ...rest } = body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(rest, {
    url: receiver.url,
    events: ['send', 'bounce'],
    enabled: true,
    description: 'CRM',
    newsletter_ids: [],
    domain_ids: [],
    disabled_reason: null,
    last_success_at: null,
    last_failure_at: null,
    previous_secret_expires_at: null,
    created_at: body.created_at,
    updated_at: body.created_at,
  });
  assert.notEqual((await aWebhook()).secret, secret);
  assert.deepEqual((await call('GET', `/v1/webhooks/${id}`)).body, body);
});

test('200 on list: a bare array, newest first, with secrets', async () => {
  assert.deepEqual(await list(), []);
  const [first, second] = [await aWebhook(), await aWebhook()];
  assert.deepEqual(await list(), [second, first]);
});

test('no secret is stored or logged as it is', async () => {
  const { id, secret } = await aWebhook();
  const rotated = (await call('POST', `/v1/webhooks/${id}/rotate-secret`, {})).body.secret;
  await call('POST', `/v1/webhooks/${id}/test`);
  for (const table of ['webhooks', 'webhook_deliveries', 'webhook_bodies', 'security_log', 'idempotency_keys']) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t where workspace_id = ${app.workspaceId}`.execute(
      app.db,
    );
    for (const { row } of rows) {
      for (const one of [secret, rotated]) {
        assert.ok(!row.includes(one) && !row.includes(Buffer.from(one).toString('hex')), table);
      }
    }
  }
  assert.ok(!app.logged.some((line) => line.includes(secret) || line.includes(rotated)));
});

test('201 replayed for the same Idempotency-Key: the same secret, one webhook, and the kept answer is sealed', async () => {
  const once = () =>
    call('POST', '/v1/webhooks', { url: receiver.url, events: ['*'] }, undefined, { 'idempotency-key': 'hook-once' });
  const [first, second] = [await once(), await once()];
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  assert.equal((await list()).length, 1);
  const { rows } = await sql<{ response: Buffer }>`
    select response from idempotency_keys where workspace_id = ${app.workspaceId} and key = 'hook-once'`.execute(
    app.db,
  );
  assert.equal(rows[0]?.response.includes(first.body.secret), false);
});

test('events: each value once, * alone for everything; 400 for what is none, naming the list', async () => {
  assert.deepEqual((await aWebhook({ events: ['open', '*', 'send'] })).events, ['*']);
  const before = (await list()).length;
  for (const [events, param] of [
    [[], 'events'],
    [['sent'], 'events[0]'],
    [['send', 'Bounce'], 'events[1]'],
    [['send', ' delivery'], 'events[1]'],
    [['newsletter.*'], 'events[0]'],
    [['constructor'], 'events[0]'],
    [[['send']], 'events[0]'],
    [[null], 'events[0]'],
    ['send', 'events'],
    [{ 0: 'send' }, 'events'],
    [null, 'events'],
    [Array.from({ length: 10_000 }, () => 'send'), 'events'],
  ] as const) {
    const reply = await create({ events });
    assert.deepEqual([reply.status, reply.body.param], [400, param], JSON.stringify(events).slice(0, 100));
    const { id } = await aWebhook({ events: ['click'] });
    const changed = await call('PATCH', `/v1/webhooks/${id}`, { events });
    assert.deepEqual([changed.status, changed.body.param], [400, param]);
    assert.deepEqual((await call('GET', `/v1/webhooks/${id}`)).body.events, ['click']);
    await call('DELETE', `/v1/webhooks/${id}`);
  }
  const { message } = (await create({ events: ['sned'] })).body;
  assert.match(message, /delivery_delay.*newsletter\.issue\.failed.*automation\.failed/);
  assert.equal((await list()).length, before);
});

test('400 for a missing or wrong field; nothing is made', async () => {
  for (const [body, param] of [
    [{ events: ['send'] }, 'url'],
    [{ url: receiver.url }, 'events'],
    [{ url: 7, events: ['send'] }, 'url'],
    [{ url: null, events: ['send'] }, 'url'],
    [{ url: '', events: ['send'] }, 'url'],
    [{ url: `https://example.com/${'a'.repeat(2_049)}`, events: ['send'] }, 'url'],
    [{ url: receiver.url, events: ['send'], description: 7 }, 'description'],
    [{ url: receiver.url, events: ['send'], description: 'x'.repeat(501) }, 'description'],
    [{ url: receiver.url, events: ['send'], domain_ids: ['nonsense'] }, 'domain_ids[0]'],
    [{ url: receiver.url, events: ['send'], newsletter_ids: 'all' }, 'newsletter_ids'],
  ] as const) {
    const reply = await call('POST', '/v1/webhooks', body);
    assert.deepEqual([reply.status, reply.body.param], [400, param], JSON.stringify(body).slice(0, 100));
  }
  assert.deepEqual(await list(), []);
});

test('an unknown field is passed over and named; nobody chooses a secret', async () => {
  const reply = await create({ secret: 'whsec_mine', zebra: ['send'] });
  assert.equal(reply.headers['x-unknown-fields'], 'secret,zebra');
  assert.notEqual(reply.body.secret, 'whsec_mine');
  const changed = await call('PATCH', `/v1/webhooks/${reply.body.id}`, { secret: 'whsec_mine', id: MISSING });
  assert.equal(changed.status, 200);
  assert.deepEqual([changed.body.secret, changed.body.id], [reply.body.secret, reply.body.id]);
});

test('422 for a domain or newsletter that the workspace does not have', async () => {
  const domainId = await aDomain(app.db, app.workspaceId, 'filtered.example');
  for (const [body, param] of [
    [{ domain_ids: [domainId, MISSING] }, 'domain_ids[1]'],
    [{ newsletter_ids: [MISSING] }, 'newsletter_ids[0]'],
  ] as const) {
    const reply = await create(body);
    assert.deepEqual([reply.status, reply.body.param], [422, param]);
  }
  assert.deepEqual(await list(), []);
  assert.deepEqual((await aWebhook({ domain_ids: [domainId, domainId] })).domain_ids, [domainId]);
});

test('200 on change: only what is given; null clears the description', async () => {
  const webhook = await aWebhook({ description: 'CRM', events: ['send', 'open'] });
  const url = `${receiver.url}/new`;
  const changed = (await call('PATCH', `/v1/webhooks/${webhook.id}`, { url })).body;
  assert.deepEqual({ ...changed, updated_at: '' }, { ...webhook, url, updated_at: '' });
  assert.ok(changed.updated_at >= webhook.updated_at);
  const cleared = (await call('PATCH', `/v1/webhooks/${webhook.id}`, { description: null, events: ['click'] })).body;
  assert.deepEqual([cleared.description, cleared.events, cleared.url], [null, ['click'], url]);
  assert.deepEqual((await call('PATCH', `/v1/webhooks/${webhook.id}`, {})).body.url, url);
});

test('an endpoint that is made disabled gets no event until it is enabled', async () => {
  const { id, enabled } = await aWebhook({ enabled: false, events: ['send'] });
  assert.deepEqual([enabled, (await list())[0].enabled], [false, false]);
  const sent = async (): Promise<number> => {
    const body = { from: 'hello@posthorn.test', to: 'ada@example.com', subject: 'A', text: 'A' };
    assert.equal((await call('POST', '/v1/send', body)).status, 202);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from webhook_deliveries
       where workspace_id = ${app.workspaceId} and webhook_id = ${id}`.execute(app.db);
    return rows[0]?.n ?? -1;
  };
  assert.equal(await sent(), 0);
  assert.equal((await call('PATCH', `/v1/webhooks/${id}`, { enabled: true })).status, 200);
  assert.equal(await sent(), 1);
  const refused = await create({ enabled: 'false' });
  assert.deepEqual([refused.status, refused.body.param, (await list()).length], [400, 'enabled', 1]);
});

test('400 for a boolean that is none: nothing counts as true or false by itself', async () => {
  const { id } = await aWebhook();
  for (const enabled of ['false', 'true', 0, 1, 'no', null, []]) {
    const reply = await call('PATCH', `/v1/webhooks/${id}`, { enabled });
    assert.deepEqual([reply.status, reply.body.param], [400, 'enabled'], JSON.stringify(enabled));
  }
  assert.equal((await list())[0].enabled, true);
});

test('enabling forgives what failed before; another change does not', async () => {
  const { id } = await aWebhook();
  const fail = () =>
    sql`update webhooks set enabled = false, disabled_reason = 'It failed for five days.', failing_since = now(),
          failed_attempts = 9, failing_notice_at = now(), last_failure_at = now()
        where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  const state = async () => {
    const { rows } = await sql<Body>`
      select enabled, disabled_reason, failing_since, failed_attempts, failing_notice_at from webhooks
       where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
    return rows[0];
  };
  await fail();
  const failed = await state();
  await call('PATCH', `/v1/webhooks/${id}`, { description: 'x' });
  assert.deepEqual(await state(), failed);
  const { body } = await call('PATCH', `/v1/webhooks/${id}`, { enabled: true });
  assert.deepEqual([body.enabled, body.disabled_reason], [true, null]);
  assert.ok(body.last_failure_at !== null, 'what happened stays known');
  assert.deepEqual(await state(), {
    enabled: true,
    disabled_reason: null,
    failing_since: null,
    failed_attempts: 0,
    failing_notice_at: null,
  });
});

test('200 on delete, 404 from then on', async () => {
  const { id } = await aWebhook();
  assert.deepEqual((await call('DELETE', `/v1/webhooks/${id}`)).body, { success: true });
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { enabled: true }],
    ['DELETE', '', undefined],
    ['POST', '/test', {}],
    ['POST', '/rotate-secret', {}],
  ] as const) {
    assert.equal((await call(method, `/v1/webhooks/${id}${path}`, body)).status, 404, `${method} ${path}`);
    assert.equal((await call(method, `/v1/webhooks/nonsense${path}`, body)).status, 404);
  }
  assert.deepEqual(await list(), []);
});

test('409 for one more than the limit, also when many are created at once', async () => {
  const { id } = await aWebhook();
  await sql`insert into webhooks (workspace_id, id, url, secret, events)
    select workspace_id, ph_uuidv7(), url, secret, events from webhooks, generate_series(1, 989)
     where id = ${id}`.execute(app.db);
  const many = await Promise.all(Array.from({ length: 20 }, () => create()));
  assert.equal(many.filter((reply) => reply.status === 201).length, 10);
  const refused = many.filter((reply) => reply.status === 409);
  assert.equal(refused.length, 10);
  assert.match(refused[0]?.body.message, /1000 webhooks/);
  assert.equal((await list()).length, 1_000);
  await call('DELETE', `/v1/webhooks/${id}`);
  assert.equal((await create()).status, 201);
});

test('simultaneous changes of one endpoint lose no field', async () => {
  const { id } = await aWebhook();
  const changes = [{ description: 'new' }, { events: ['click'] }, { url: `${receiver.url}/new` }, { enabled: false }];
  const replies = await Promise.all(
    Array.from({ length: 16 }).flatMap(() => changes.map((change) => call('PATCH', `/v1/webhooks/${id}`, change))),
  );
  assert.ok(replies.every((reply) => reply.status === 200));
  const [now] = await list();
  assert.deepEqual(
    [now.description, now.events, now.url, now.enabled],
    ['new', ['click'], `${receiver.url}/new`, false],
  );
});

test('401 without a key; 403 without the scope, and the endpoint stays', async () => {
  const { id } = await aWebhook();
  const requests = [
    ['GET', '/v1/webhooks', 'webhooks:read'],
    ['GET', `/v1/webhooks/${id}`, 'webhooks:read'],
    ['POST', '/v1/webhooks', 'webhooks:write'],
    ['PATCH', `/v1/webhooks/${id}`, 'webhooks:write'],
    ['DELETE', `/v1/webhooks/${id}`, 'webhooks:write'],
    ['POST', `/v1/webhooks/${id}/test`, 'webhooks:write'],
    ['POST', `/v1/webhooks/${id}/rotate-secret`, 'webhooks:write'],
  ] as const;
  const reader = await aKey({ scopes: ['webhooks:read'] });
  const stranger = await aKey({ scopes: ['emails:send', 'emails:read', 'domains:write'] });
  const readOnly = await aKey({ scopes: ['read_only'] });
  for (const [method, url, scope] of requests) {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    assert.equal((await app.request({ method, url, key: null, ...(body === undefined ? {} : { body }) })).status, 401);
    for (const key of [stranger, readOnly]) {
      const reply = await call(method, url, body, key);
      assert.equal(reply.status, 403, `${method} ${url}`);
      assert.match(reply.body.message, new RegExp(scope));
    }
    assert.equal((await call(method, url, body, reader)).status, scope === 'webhooks:read' ? 200 : 403);
  }
  assert.equal((await list())[0].id, id);
  assert.deepEqual(receiver.received, []);
});

test('403 for a key that subscribes to events whose records it cannot read, naming the scope; nothing is made', async () => {
  const [none, mail, users] = [
    await aKey({ scopes: ['webhooks:write'] }),
    await aKey({ scopes: ['webhooks:write', 'emails:read'] }),
    await tokenWithRole(app, 'admin'),
  ];
  for (const [key, events, scope] of [
    [none, ['send'], 'emails:read'],
    [mail, ['bounce', 'newsletter.subscriber.created'], 'subscribers:read'],
    [mail, ['*'], 'subscribers:read'],
    [mail, ['email.suppressed'], 'suppressions:read'],
  ] as const) {
    const reply = await create({ events }, key);
    assert.deepEqual([reply.status, reply.body.param], [403, 'events']);
    assert.match(reply.body.message, new RegExp(`scope "${scope}"`));
  }
  assert.deepEqual(await list(), []);
  assert.equal((await create({ events: ['bounce'] }, mail)).status, 201);
  assert.equal((await create({ events: ['*'] }, users)).status, 201, 'the role of a user decides');
});

test('403 for such a key that leads an endpoint elsewhere or widens it; it may still rename and switch it', async () => {
  const webhook = await aWebhook({ events: ['*'] });
  const key = await aKey({ scopes: ['webhooks:write', 'emails:read'] });
  const change = (body: object) => call('PATCH', `/v1/webhooks/${webhook.id}`, body, key);
  for (const body of [{ url: `${receiver.url}/mine` }, { events: ['send', 'domain.failed'] }, { newsletter_ids: [] }]) {
    assert.equal((await change(body)).status, 403, JSON.stringify(body));
  }
  assert.deepEqual(await list(), [webhook]);
  const renamed = await change({ description: 'CRM', enabled: true });
  assert.deepEqual([renamed.status, renamed.body.events], [200, ['*']]);
  const narrowed = await change({ events: ['send'], url: `${receiver.url}/mine` });
  assert.deepEqual([narrowed.status, narrowed.body.events], [200, ['send']]);
});

test('a viewer sees that there is a secret, and how it ends; a developer sees it', async () => {
  const { id, secret } = await aWebhook();
  const viewer = await tokenWithRole(app, 'viewer');
  const masked = `whsec_••••${secret.slice(-4)}`;
  assert.equal((await list(viewer))[0].secret, masked);
  assert.equal((await call('GET', `/v1/webhooks/${id}`, undefined, viewer)).body.secret, masked);
  assert.equal((await call('PATCH', `/v1/webhooks/${id}`, { enabled: false }, viewer)).status, 403);
  assert.equal((await list(await tokenWithRole(app, 'developer')))[0].secret, secret);
});

test('a key limited to domains makes and knows only endpoints within them', async () => {
  const [own, other] = [
    await aDomain(app.db, app.workspaceId, 'own.example'),
    await aDomain(app.db, app.workspaceId, 'other.example'),
  ];
  const key = await aKey({ scopes: ['webhooks:write', 'emails:read'], domain_ids: [own] });
  const everything = await aWebhook();
  const ofOther = await aWebhook({ domain_ids: [own, other] });
  const made = await create({}, key);
  assert.deepEqual([made.status, made.body.domain_ids], [201, [own]]);
  for (const [domain_ids, param] of [
    [[], 'domain_ids'],
    [[own, other], 'domain_ids[1]'],
    [[MISSING], 'domain_ids[0]'],
  ] as const) {
    const replies = [
      await create({ domain_ids }, key),
      await call('PATCH', `/v1/webhooks/${made.body.id}`, { domain_ids }, key),
    ];
    for (const reply of replies) assert.deepEqual([reply.status, reply.body.param], [403, param]);
  }
  for (const id of [everything.id, ofOther.id]) {
    assert.equal((await call('GET', `/v1/webhooks/${id}`, undefined, key)).status, 404);
    assert.equal((await call('PATCH', `/v1/webhooks/${id}`, { url: `${receiver.url}/mine` }, key)).status, 404);
    assert.equal((await call('POST', `/v1/webhooks/${id}/test`, {}, key)).status, 404);
    assert.equal((await call('POST', `/v1/webhooks/${id}/rotate-secret`, {}, key)).status, 404);
    assert.equal((await call('DELETE', `/v1/webhooks/${id}`, undefined, key)).status, 404);
  }
  assert.deepEqual(
    (await list(key)).map((webhook) => webhook.id),
    [made.body.id],
  );
  assert.deepEqual(await list(), [made.body, ofOther, everything]);
});

test('200 on rotation: a new secret, and for the overlap both sign', async () => {
  const { id, secret: old } = await aWebhook();
  const { body: rotated } = await call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_seconds: 3_600 });
  assert.match(rotated.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(rotated.secret, old);
  assert.equal(Date.parse(rotated.previous_secret_expires_at) - Date.parse(rotated.updated_at), 3_600_000);
  await call('POST', `/v1/webhooks/${id}/test`);
  // The clock runs on besides: half a minute is for the requests.
  app.clock.advance(3_570_000);
  await call('POST', `/v1/webhooks/${id}/test`);
  app.clock.advance(30_000);
  await call('POST', `/v1/webhooks/${id}/test`);
  const signed = receiver.received.map((one) => [isSignedWith(rotated.secret, one), isSignedWith(old, one)]);
  assert.deepEqual(signed, [
    [true, true],
    [true, true],
    [true, false],
  ]);
});

test('the overlap is a day when left out; 0 ends the old secret at once; 400 for anything else', async () => {
  const { id, secret } = await aWebhook();
  const rotate = (body?: unknown): Promise<Reply> => call('POST', `/v1/webhooks/${id}/rotate-secret`, body);
  const { body } = await rotate();
  assert.equal(Date.parse(body.previous_secret_expires_at) - Date.parse(body.updated_at), 86_400_000);
  for (const overlap_seconds of [-1, 604_801, 1.5, '60', null]) {
    assert.equal((await rotate({ overlap_seconds })).body.param, 'overlap_seconds');
  }
  assert.equal((await list())[0].secret, body.secret);
  const { body: last } = await rotate({ overlap_seconds: 0 });
  assert.equal(last.previous_secret_expires_at, null);
  await call('POST', `/v1/webhooks/${id}/test`);
  const [delivery] = receiver.received;
  assert.ok(delivery !== undefined && isSignedWith(last.secret, delivery));
  for (const gone of [secret, body.secret]) assert.equal(isSignedWith(gone, delivery), false);
});

test('creation, change, rotation and deletion stand in the security log, without a secret or a query', async () => {
  const { id } = await aWebhook({ url: `${receiver.url}?token=abc` });
  await call('PATCH', `/v1/webhooks/${id}`, { url: `${receiver.url}?token=def`, enabled: false });
  await call('POST', `/v1/webhooks/${id}/rotate-secret`, { overlap_seconds: 60 });
  await call('GET', '/v1/webhooks');
  await call('DELETE', `/v1/webhooks/${id}`);
  assert.deepEqual(await logOf(id), [
    {
      action: 'webhook.created',
      details: { url: receiver.url, events: ['send'], enabled: true, domain_ids: [], newsletter_ids: [] },
    },
    {
      action: 'webhook.updated',
      details: {
        changes: { url: { before: receiver.url, after: receiver.url }, enabled: { before: true, after: false } },
      },
    },
    { action: 'webhook.secret_rotated', details: { overlap_seconds: 60 } },
    { action: 'webhook.deleted', details: { url: receiver.url } },
  ]);
});
