import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApp, type TestApp } from './app.ts';

let t: TestApp;
before(async () => {
  t = await createTestApp();
});
after(() => t.close());

test('200 from /health names the database, the queue and the processes', async () => {
  const { status, body } = await t.request({ url: '/health', key: null });
  assert.equal(status, 200);
  assert.ok(typeof body === 'object' && body !== null && 'workers' in body && Array.isArray(body.workers));
  assert.equal(body.workers.length, 1);
});

test('200 from /metrics in the form Prometheus reads', async () => {
  const { status, text } = await t.request({ url: '/metrics', key: null });
  assert.equal(status, 200);
  assert.match(text, /^posthorn_queue_depth 0$/m);
});

test('200 from /openapi.json, which documents every route with an id of its own', async () => {
  const { status } = await t.request({ url: '/openapi.json', key: null });
  assert.equal(status, 200);
  const ids = Object.values(t.document.paths).flatMap((methods) =>
    Object.values(methods).map((one) => one.operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length > 20);
});

test('200 from /docs/, with nothing fetched from anywhere else', async () => {
  const page = await t.request({ url: '/docs/', key: null });
  assert.equal(page.status, 200);
  assert.match(String(page.headers['content-security-policy']), /script-src 'self' 'sha256-.*frame-ancestors 'none'/);
  assert.match(page.text, /<noscript>[\s\S]*<code>POST \/v1\/send<\/code>[\s\S]*Send an email\.[\s\S]*<\/noscript>/);
  assert.doesNotMatch(page.text, /https?:\/\//);
  const script = await t.request({ url: '/docs/js/scalar.js', key: null });
  assert.equal(script.status, 200);
});

test('200 from /docs/errors, with an anchor for every name', async () => {
  const { text, headers } = await t.request({ url: '/docs/errors', key: null });
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
  for (const name of ['validation_error', 'rate_limit_error', 'request_error'])
    assert.match(text, new RegExp(`id="${name}"`));
});
