/**
 * The examples of the documentation, run as they stand: each gets a delivery as we send it, and some that it must
 * refuse. Their packages are those of this server.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { newId } from '#platform/ids.ts';
import { generateSecret } from './endpoint-secret.ts';
import { envelopeOf } from './events/envelope.ts';
import { signatureHeaders } from './signature.ts';
import { sampleEvent } from './testing/sample-events.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../docs/examples/webhooks');
const PACKAGES = new Map(
  Object.entries({
    express: import.meta.resolve('express'),
    fastify: import.meta.resolve('fastify'),
    hono: import.meta.resolve('hono'),
  }),
);

registerHooks({
  resolve: (specifier, context, next) => next(PACKAGES.get(specifier) ?? specifier, context),
});

type Post = (body: string, headers: Record<string, string>) => Promise<{ status: number; body: unknown }>;

/** The exports of an example are known only to itself. */
// oxlint-disable-next-line typescript/no-explicit-any
const load = (file: string): Promise<any> => import(pathToFileURL(join(EXAMPLES, file)).href);

const asReply = async (response: Response) => ({ status: response.status, body: await response.json() });

async function posterTo(listener: RequestListener): Promise<{ post: Post; close: () => Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP listener has one
  return {
    post: async (body, headers) =>
      asReply(await fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', body, headers })),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const requestOf = (body: string, headers: Record<string, string>): Request =>
  new Request('http://localhost/webhooks', { method: 'POST', body, headers });

const FRAMEWORKS: Record<string, () => Promise<{ post: Post; close?: () => Promise<void> }>> = {
  node: async () => posterTo((await load('node/server.mjs')).onRequest),
  express: async () => posterTo((await load('express/server.mjs')).app),
  async fastify() {
    const { app } = await load('fastify/server.mjs');
    await app.ready();
    return {
      post: async (payload, headers) => {
        const answer = await app.inject({ method: 'POST', url: '/webhooks', payload, headers });
        return { status: answer.statusCode, body: answer.json() };
      },
      close: () => app.close(),
    };
  },
  async next() {
    const { POST } = await load('next/app/webhooks/route.js');
    return { post: async (body, headers) => asReply(await POST(requestOf(body, headers))) };
  },
  async hono() {
    const { app } = await load('hono/app.mjs');
    return { post: async (body, headers) => asReply(await app.fetch(requestOf(body, headers))) };
  },
};

const secret = generateSecret();
const eventId = newId();
const event = envelopeOf(sampleEvent('bounce', { workspaceId: newId(), eventId, at: new Date() }));
// Two spaces that no serialiser writes: bytes that were parsed on the way are other bytes.
const body = `  ${JSON.stringify(event).replace('Your receipt', 'Your\u2028 🎉 receipt')}`;

const headersAt = (offsetSeconds: number, secrets: readonly string[] = [secret]): Record<string, string> =>
  signatureHeaders({
    body,
    secrets,
    timestampSeconds: Math.floor(Date.now() / 1_000) + offsetSeconds,
    eventId,
    eventType: 'bounce',
    deliveryId: newId(),
    attempt: 1,
  });

const quiet = (t: TestContext): void => void t.mock.method(console, 'log', () => undefined);

/** The signer and the verifier share one clock, which stands still: the five minutes are exact. */
const atOneMoment = (t: TestContext): void =>
  t.mock.timers.enable({ apis: ['Date'], now: Math.floor(Date.now() / 1_000) * 1_000 });

for (const [name, open] of Object.entries(FRAMEWORKS)) {
  describe(name, () => {
    let post: Post;
    let close: (() => Promise<void>) | undefined;
    before(async () => {
      process.env['POSTHORN_WEBHOOK_SECRET'] = secret;
      ({ post, close } = await open());
    });
    after(async () => {
      delete process.env['POSTHORN_WEBHOOK_SECRET'];
      await close?.();
    });

    test('takes a delivery as we send it, also while a rotation overlaps', async (t) => {
      quiet(t);
      atOneMoment(t);
      const good = { status: 200, body: { received: event.id } };
      assert.deepEqual(await post(body, headersAt(0)), good);
      for (const offset of [-300, 300]) assert.deepEqual(await post(body, headersAt(offset)), good);
      for (const secrets of [
        [generateSecret(), secret],
        [secret, generateSecret()],
      ]) {
        assert.deepEqual(await post(body, headersAt(0, secrets)), good);
      }
    });

    test('refuses one that was changed, is old, comes from the future, or is signed by somebody else', async (t) => {
      const log = t.mock.method(console, 'log', () => undefined);
      atOneMoment(t);
      const old = headersAt(0);
      old['X-Service-Signature'] = old['X-Service-Signature']?.replace(/t=\d+,v1=/, 'sha256=') ?? '';
      for (const [given, headers, reason] of [
        [body.replace('Permanent', 'Transient'), headersAt(0), /does not match.*re-serialised/],
        [JSON.stringify(JSON.parse(body)), headersAt(0), /does not match.*re-serialised/],
        [body, headersAt(0, [generateSecret()]), /does not match/],
        [body, headersAt(-301), /five minutes/],
        [body, headersAt(301), /five minutes/],
        [body, old, /missing/],
        [body, { 'Content-Type': 'application/json' }, /missing/],
      ] as const) {
        const reply = await post(given, headers);
        assert.equal(reply.status, 400);
        assert.match((reply.body as { error: string }).error, reason); // the shape of all of them
      }
      assert.equal(log.mock.callCount(), 0);
    });
  });
}

test('the function that the examples share is short enough to be copied and read', () => {
  const lines = readFileSync(join(EXAMPLES, 'verify-webhook.mjs'), 'utf8').trimEnd().split('\n');
  assert.ok(lines.length <= 25, `${lines.length} lines`);
});

test('a secret that was forgotten is said to be missing', async () => {
  const { verifyWebhook } = await load('verify-webhook.mjs');
  assert.throws(() => verifyWebhook(body, headersAt(0)['X-Service-Signature'], undefined), /no secret/);
});

test('a body that was parsed already is refused in words that say so', async () => {
  const { verifyWebhook } = await load('verify-webhook.mjs');
  assert.throws(() => verifyWebhook(JSON.parse(body), headersAt(0)['X-Service-Signature'], secret), /parsed already/);
});
