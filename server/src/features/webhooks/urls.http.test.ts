/** No URL of an endpoint leads inside: not when it is stored, and not when it is stored already and is tested. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';

let app: TestApp;
const canaries: Server[] = [];
const knocks: string[] = [];
let port = 0;

before(async () => {
  app = await createTestApp({ env: { POSTHORN_EGRESS_ALLOW: '127.0.0.77/32' } });
  for (const host of ['127.0.0.1', '::1']) {
    const canary = createServer((socket) => {
      knocks.push(host);
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(port, host, resolve));
    port = (canary.address() as AddressInfo).port; // a TCP listener has one
    canaries.push(canary);
  }
});
after(async () => {
  for (const canary of canaries) await new Promise((resolve) => canary.close(resolve));
  await app.close();
});

const HOSTS = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '0.0.0.0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:169.254.169.254]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

const table = (): string[] => [
  ...HOSTS.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`, `https://${host}/`]),
  `http://example.com@127.0.0.1:${port}`,
  `http://user:pw@127.0.0.1:${port}`,
  `http://127.0.0.1:${port}\\@example.com`,
  `http:\\\\127.0.0.1:${port}`,
  `http:127.0.0.1:${port}`,
  'http://[example.com]',
  'http://[::1',
  'http://127.0.0.1:80%2f',
  `//127.0.0.1:${port}`,
  '/path',
  '',
  ' ',
  'http://',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:5432/',
  'https://example.com:6379/',
  'https://example.com:0/',
  'https://example.com:65535/',
  'https://example.com:65536/',
  'https://example.com:80:80/',
  'http://example.com/',
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'a.'.repeat(130)}example.com/`,
  'https://example.com/\r\nHost: evil',
  'https://x/%0d%0aHost:evil',
  'https://example.com/a b',
  `https://example.com/${'a'.repeat(8_192)}`,
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:alert(1)',
  'gopher://127.0.0.1:6379/_x',
  'example.com/hooks',
];

test('400 or 422 for a URL that must not be reached, by create and by change; nothing is stored, nobody is asked', async () => {
  const good = { url: `http://127.0.0.77:${port}/hooks`, events: ['send'] };
  const { id } = (await app.request({ url: '/v1/webhooks', body: good })).body as { id: string };
  for (const url of table()) {
    const requests = [
      { url: '/v1/webhooks', body: { ...good, url } },
      { method: 'PATCH', url: `/v1/webhooks/${id}`, body: { url } },
    ];
    for (const request of requests) {
      const { status, body } = await app.request(request);
      assert.ok(status === 400 || status === 422, `${status} for ${url}`);
      assert.deepEqual({ name: 'validation_error', param: 'url', ...(body as object) }, body, url);
    }
  }
  const { rows } = await sql`select url from webhooks where workspace_id = ${app.workspaceId}`.execute(app.db);
  assert.deepEqual(rows, [{ url: good.url }]);
  assert.deepEqual(knocks, []);
});

test('an endpoint that points inside all the same is not reached by its test, which says so', async () => {
  const { rows } = await sql<{ id: string }>`
    select id from webhooks where workspace_id = ${app.workspaceId}`.execute(app.db);
  const [endpoint] = rows;
  for (const url of table()) {
    await sql`update webhooks set url = ${url} where workspace_id = ${app.workspaceId}`.execute(app.db);
    const { status, body } = await app.request({ method: 'POST', url: `/v1/webhooks/${endpoint?.id}/test` });
    assert.equal(status, 200, url);
    const { reason, ...rest } = { reason: (body as { body: string }).body, ...(body as object), body: '' };
    assert.deepEqual(rest, { success: false, status: 0, body: '' }, url);
    assert.ok(reason.length > 0 && reason.length < 200, url);
  }
  assert.deepEqual(knocks, []);
});
