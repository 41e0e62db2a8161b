import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import type { Actor, Ctx } from '#platform/http/context.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { changeWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { removeWebhook } from './remove-webhook.ts';
import type { WebhookPorts } from './wiring.ts';

let t: TestDatabase;
let ctx: Ctx;
/** The state that others could see when the deliveries were to stop, by endpoint. */
const seen: (boolean | 'gone')[] = [];

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
  const actor: Actor = {
    type: 'system',
    id: null,
    workspaceId: null,
    email: null,
    role: null,
    mode: 'live',
    apiKey: null,
    may: () => true,
  };
  const given = { workspaceId: await aWorkspace(t.db), db: t.db, actor, clock: systemClock, ip: '127.0.0.1' };
  const secrets = createSecrets('a master secret for tests, 32 bytes or more');
  ctx = { ...given, secrets } as unknown as Ctx; // these verbs need no more of it
});
after(() => t.close());

const create = () => createWebhook(ctx, { url: 'https://example.com/hooks', events: ['send'] }, ports);

test('deliveries are stopped once everybody can see that the endpoint is disabled or gone, and before the answer', async () => {
  const { id } = await create();
  await changeWebhook(ctx, id, { enabled: false }, ports);
  await removeWebhook(ctx, id, ports);
  assert.deepEqual(seen.splice(0), [false, 'gone']);
});

test('nothing else stops them, and a change that is refused does not', async () => {
  const { id } = await create();
  await changeWebhook(ctx, id, { enabled: true, url: 'https://example.com/new', events: ['*'] }, ports);
  await assert.rejects(changeWebhook(ctx, id, { enabled: false, events: ['sned'] }, ports), /no event type/);
  await assert.rejects(removeWebhook({ ...ctx, workspaceId: await aWorkspace(t.db) }, id, ports), /No webhook/);
  assert.deepEqual(seen, []);
});
