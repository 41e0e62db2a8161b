import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createPlatformApp, WORKSPACE } from '../../../test/harness/platform-app.ts';
import { webhookRoutes } from './routes.ts';
import type { WebhookPorts } from './wiring.ts';

let t: TestDatabase;
let app: FastifyInstance;
/** The state that others could see when the deliveries were to stop, by endpoint. */
let seen: (boolean | 'gone')[] = [];

const ports: WebhookPorts = {
  safeFetch: {
    checkUrl: async (url) => url,
    request: async () => ({ kind: 'failed', reason: 'not in this test', tookMs: 0 }),
    close: async () => undefined,
  },
  missingDomains: async () => [],
  missingNewsletters: async () => [],
  async stopDeliveries(of, webhookId) {
    const { rows } = await sql<{ enabled: boolean }>`
      select enabled from webhooks where workspace_id = ${of.workspaceId} and id = ${webhookId}`.execute(t.db);
    seen.push(rows[0]?.enabled ?? 'gone');
  },
};

before(async () => {
  t = await createTestDatabase();
  ({ app } = await createPlatformApp(t.db, webhookRoutes(ports)));
  await sql`insert into workspaces (id, name, slug) values (${WORKSPACE}, 'one', 'one')`.execute(t.db);
});
beforeEach(() => {
  seen = [];
});
after(async () => {
  await app.close();
  await t.close();
});

const ask = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, token = 'good') => {
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, id: answer.json<{ id: string }>().id };
};
const create = () => ask('POST', '/v1/webhooks', { url: 'https://example.com/hooks', events: ['send'] });

test('deliveries are stopped once everybody can see that the endpoint is disabled or gone, and before the answer', async () => {
  const { id } = await create();
  await ask('PATCH', `/v1/webhooks/${id}`, { enabled: false });
  assert.deepEqual(seen, [false]);
  await ask('DELETE', `/v1/webhooks/${id}`);
  assert.deepEqual(seen, [false, 'gone']);
});

test('nothing else stops them, and a change that is refused does not', async () => {
  const { id } = await create();
  const change = (payload: object) => ask('PATCH', `/v1/webhooks/${id}`, payload);
  assert.equal((await change({ enabled: true, url: 'https://example.com/new', events: ['*'] })).status, 200);
  assert.equal((await change({ enabled: false, events: ['sned'] })).status, 400);
  assert.equal((await ask('DELETE', `/v1/webhooks/${id}`, undefined, 'other')).status, 404);
  assert.deepEqual(seen, []);
});
