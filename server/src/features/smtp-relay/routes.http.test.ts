import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ctx } from '#platform/http/context.ts';
import { createTestApp } from '../../../test/harness/app.ts';
import { relayRoutes } from './routes.ts';

test('200 for every member with the host and the ports of the relay; a port that is off is null', async () => {
  const app = await createTestApp();
  try {
    const made = await app.request({ url: '/v1/api-keys', body: { name: 'sends', scopes: ['emails:send'] } });
    const { status, body } = await app.request({
      url: '/v1/relay',
      key: String(Reflect.get(Object(made.body), 'key')),
    });
    assert.equal(status, 200);
    assert.equal(Reflect.get(Object(body), 'username'), 'apikey');
  } finally {
    await app.close();
  }
});

test('the address names the public host, and no port where the relay has no certificate', async () => {
  const answer = async (given: Parameters<typeof relayRoutes>[0], publicUrl: string): Promise<unknown> => {
    const [route] = relayRoutes(given);
    // The handler reads the settings alone.
    const ctx = { settings: { publicUrl } } as unknown as Ctx;
    return route?.handler(ctx, {} as never);
  };
  const ports = { startTls: 2587, tls: 0 };
  const on = { host: 'mail.example.com', ports: { starttls: 2587, tls: null }, username: 'apikey' };
  assert.deepEqual(await answer({ isOn: true, ports }, 'https://mail.example.com:8443'), on);
  const off = { host: '::1', ports: { starttls: null, tls: null }, username: 'apikey' };
  assert.deepEqual(await answer({ isOn: false, ports }, 'http://[::1]:3000'), off);
});
