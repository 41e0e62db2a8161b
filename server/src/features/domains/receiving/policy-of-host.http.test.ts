import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { mtaStsPolicy } from '#mail/mta-sts.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { aDomain } from '../../../../test/harness/builders.ts';
import { undoAfter } from '../../../../test/harness/undo.ts';

async function anApp(t: TestContext, env: Record<string, string>): Promise<TestApp> {
  const app = await createTestApp({
    env: { POSTHORN_BOUNCE_DOMAIN: 'Bounces.example', POSTHORN_INBOUND_HOST: 'mx.example', ...env },
  });
  undoAfter(t, () => app.close());
  return app;
}
const ask = ({ app }: TestApp, host: string) =>
  app.inject({ url: '/.well-known/mta-sts.txt', headers: { host: `mta-sts.${host}` } });

test('200 with the policy of the bounce domain and of each verified domain that receives mail; 404 for every other host', async (t) => {
  const app = await anApp(t, { POSTHORN_MTA_STS: 'enforce' });
  const [receives, sends, unverified] = ['reply.acme.example', 'acme.example', 'new.acme.example'];
  const ids = new Map<string, string>();
  for (const name of [receives, sends, unverified]) ids.set(name, await aDomain(app.db, app.workspaceId, name));
  await sql`update domains set receiving_enabled = domain <> ${sends}, sending_enabled = domain <> ${unverified}
             where workspace_id = ${app.workspaceId} and domain = any (${[...ids.keys()]})`.execute(app.db);
  for (const host of ['bounces.example', receives, receives.toUpperCase()]) {
    const { statusCode, headers, body } = await ask(app, host);
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8'], host);
    assert.equal(body, mtaStsPolicy('enforce', 'mx.example'));
  }
  for (const host of [sends, unverified, 'stranger.example'])
    assert.equal((await ask(app, host)).statusCode, 404, host);
  const own = await app.app.inject({ url: '/.well-known/mta-sts.txt', headers: { host: 'bounces.example' } });
  assert.equal(own.statusCode, 404);
});

test('200 with the host of Amazon SES in the region of a domain whose mail SES receives', async (t) => {
  const topics = 'arn:aws:sns:us-east-1:123456789012:posthorn';
  const env = {
    POSTHORN_MTA_STS: 'testing',
    POSTHORN_SES_RECEIVING: 'on',
    POSTHORN_INBOUND_HOST: '',
    POSTHORN_SES_TOPIC_ARNS: topics,
  };
  const app = await anApp(t, env);
  await aDomain(app.db, app.workspaceId, 'reply.acme.example');
  await sql`update domains set receiving_enabled = true where workspace_id = ${app.workspaceId}`.execute(app.db);
  const { body } = await ask(app, 'reply.acme.example');
  assert.match(body, /^mode: testing\r\nmx: inbound-smtp\.[a-z0-9-]+\.amazonaws\.com\r$/m);
});

test('404 for every host while the setting is off', async (t) => {
  assert.equal((await ask(await anApp(t, {}), 'bounces.example')).statusCode, 404);
});
