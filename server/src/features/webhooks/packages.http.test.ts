/**
 * Real deliveries (a worker, a receiver on loopback) and tests, verified by the packages of other services as
 * docs/webhooks.md shows it, and by its Python.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { needsTool } from '../../../test/system-tools.ts';
import { aWorker, dueDeliveries, forgetDeliveries, serve, stopWorkers } from './deliveries/test-kit.ts';
import { sealSecret } from './endpoint-secret.ts';
import { type ReceivedDelivery, type Receiver, startReceiver } from '../../../test/harness/webhook-receiver.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../docs/examples/webhooks');
const WHERE = new Map([
  ['standardwebhooks', import.meta.resolve('standardwebhooks')],
  ['svix', import.meta.resolve('svix')],
  ['resend', import.meta.resolve('resend')],
  ['stripe', import.meta.resolve('stripe')],
]);
const PACKAGES = [...WHERE.keys()];
registerHooks({ resolve: (specifier, context, next) => next(WHERE.get(specifier) ?? specifier, context) });

type Verify = (rawBody: string, headers: Record<string, string>, secret: string) => unknown;
const verifiers = new Map<string, Verify>();

let app: TestApp;
let receiver: Receiver;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' } });
  receiver = await startReceiver();
  for (const name of PACKAGES) {
    const { verify } = await import(pathToFileURL(join(EXAMPLES, `packages/${name}.mjs`)).href);
    verifiers.set(name, verify);
  }
});
beforeEach(() => void (receiver.received.length = 0));
after(async () => {
  await stopWorkers();
  await forgetDeliveries(app.db);
  await receiver.close();
  await app.close();
});

interface Endpoint {
  id: string;
  secret: string;
}

/** The response check has held the body against its schema. */
const asEndpoint = (body: unknown): Endpoint => body as Endpoint;

const anEndpoint = async (): Promise<Endpoint> =>
  asEndpoint((await app.request({ url: '/v1/webhooks', body: { url: receiver.url, events: ['*'] } })).body);

async function rotate(id: string, body: object = {}): Promise<Endpoint> {
  return asEndpoint((await app.request({ url: `/v1/webhooks/${id}/rotate-secret`, body })).body);
}

async function deliver({ id }: Endpoint): Promise<ReceivedDelivery> {
  await dueDeliveries(app.db, { workspaceId: app.workspaceId, id }, 1);
  await serve(aWorker(app.db, { secrets: app.secrets, clock: systemClock }), 1);
  return lastReceived();
}

function lastReceived(): ReceivedDelivery {
  const last = receiver.received.at(-1);
  assert.ok(last !== undefined, 'nothing was received');
  return last;
}

/** The id of the event, when the package accepts the delivery; undefined when it refuses. */
function judged(name: string, { headers, raw }: ReceivedDelivery, secret: string): unknown {
  const plain = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]));
  try {
    const event = verifiers.get(name)?.(raw, plain, secret);
    // A package that returns nothing has still verified.
    return event === undefined ? JSON.parse(raw).id : (event as { id: string }).id;
  } catch {
    return undefined;
  }
}

const idOf = (delivery: ReceivedDelivery): unknown => JSON.parse(delivery.raw).id;

const changed = (delivery: ReceivedDelivery): ReceivedDelivery => ({ ...delivery, raw: `${delivery.raw} ` });

test('each package verifies a delivery with the secret as it is shown, and refuses one that was changed', async () => {
  const endpoint = await anEndpoint();
  const delivery = await deliver(endpoint);
  for (const name of PACKAGES) {
    assert.equal(judged(name, delivery, endpoint.secret), idOf(delivery), name);
    assert.equal(judged(name, changed(delivery), endpoint.secret), undefined, name);
    assert.equal(judged(name, delivery, (await anEndpoint()).secret), undefined, name);
  }
});

test('while a rotation overlaps, each package verifies with either secret, and afterwards only with the new one', async () => {
  const old = await anEndpoint();
  const fresh = await rotate(old.id);
  assert.notEqual(fresh.secret, old.secret);
  const during = await deliver(old);
  const newest = await rotate(old.id, { overlap_seconds: 0 });
  const afterwards = await deliver(old);
  for (const name of PACKAGES) {
    for (const { secret } of [old, fresh]) assert.equal(judged(name, during, secret), idOf(during), name);
    assert.equal(judged(name, during, newest.secret), undefined, name);
    assert.equal(judged(name, afterwards, newest.secret), idOf(afterwards), name);
    assert.equal(judged(name, afterwards, fresh.secret), undefined, name);
  }
});

test('each package verifies a test, also of inbound mail; the id in the header is that of the event', async () => {
  const endpoint = await anEndpoint();
  for (const type of ['bounce', 'inbound.received']) {
    await app.request({ url: `/v1/webhooks/${endpoint.id}/test`, body: { type } });
    const delivery = lastReceived();
    const { id } = JSON.parse(delivery.raw);
    assert.match(id, /^evt_[0-9a-f]{32}$/);
    assert.deepEqual([delivery.headers['webhook-id'], delivery.headers['x-service-event']], [id, type]);
    for (const name of PACKAGES) assert.equal(judged(name, delivery, endpoint.secret), id, `${name} ${type}`);
  }
});

test('an endpoint with a base64url secret signs as before, and verifies by Standard Webhooks where a package takes it', async () => {
  const endpoint = await anEndpoint();
  // The first is base64 too; the second has the two characters that only base64url has.
  for (const [secret, packages] of [
    ['whsec_6o0s1M2fQyqDq0sE7c6Kq3w1vT9rXb4uYH5zAeJdLkM', PACKAGES],
    ['whsec_6o0s1M2fQyqDq0sE7c6Kq3w1vT9rXb4u-H5z_eJdLkM', ['stripe']],
  ] as const) {
    await sql`update webhooks set secret = ${sealSecret(app.secrets, secret)}
      where workspace_id = ${app.workspaceId} and id = ${endpoint.id}`.execute(app.db);
    const delivery = await deliver(endpoint);
    for (const name of packages) assert.equal(judged(name, delivery, secret), idOf(delivery), name);
  }
  const { secret } = await rotate(endpoint.id);
  const delivery = await deliver(endpoint);
  for (const name of PACKAGES) assert.equal(judged(name, delivery, secret), idOf(delivery), name);
});

test('the Python of the documentation verifies a delivery with either secret of a rotation, and refuses others', async (t) => {
  if (!needsTool(t, 'python')) return;
  const old = await anEndpoint();
  const fresh = await rotate(old.id);
  const delivery = await deliver(old);
  const script = `
import json, sys
sys.path.insert(0, sys.argv[1])
from verify_webhook import verify_webhook
for raw, headers, secret in json.load(sys.stdin):
    try:
        print(verify_webhook(raw.encode(), headers, secret)["id"])
    except ValueError as error:
        print(error)
`;
  const late = {
    ...delivery.headers,
    'webhook-timestamp': String(Number(delivery.headers['webhook-timestamp']) - 400),
  };
  const cases = [
    [delivery.raw, delivery.headers, old.secret],
    [delivery.raw, delivery.headers, fresh.secret],
    [`${delivery.raw} `, delivery.headers, fresh.secret],
    [delivery.raw, delivery.headers, (await anEndpoint()).secret],
    [delivery.raw, late, fresh.secret],
  ];
  const said = execFileSync('/usr/bin/python3', ['-c', script, join(EXAMPLES, 'python')], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  assert.deepEqual(said.trim().split('\n'), [
    idOf(delivery),
    idOf(delivery),
    'the signature does not match',
    'the signature does not match',
    'sent over five minutes ago, or a clock is off',
  ]);
});

test('docs/webhooks.md shows each of these verifiers as it was run', () => {
  const document = readFileSync(join(EXAMPLES, '../../webhooks.md'), 'utf8');
  const files = [...PACKAGES.map((name) => `packages/${name}.mjs`), 'python/verify_webhook.py'];
  for (const file of files) {
    assert.ok(document.includes(`\n${readFileSync(join(EXAMPLES, file), 'utf8')}\`\`\``), file);
  }
});
