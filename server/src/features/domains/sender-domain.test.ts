import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { aDomain, aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createSigning } from './dkim-key.ts';
import { createSandboxDomain } from './sandbox-domain.ts';
import { findSenderDomain, forgetSenderDomain, howToVerify } from './sender-domain.ts';

const secrets = createSecrets('a master secret for tests, 32 bytes or more');
const cloud = { edition: 'cloud', senderDomains: ['house.example'] };
const selfHosted = { edition: 'self-hosted', senderDomains: ['house.example'] };
let t: TestDatabase;
/** The operator's own workspace. */
let home: string;

before(async () => {
  t = await createTestDatabase();
  home = await aWorkspace(t.db, { isHome: true });
});
after(() => t.close());

test('a verified domain of the workspace may send, an unverified or foreign one looks as if it were not there', async () => {
  const workspaceId = await aWorkspace(t.db);
  const other = await aWorkspace(t.db);
  const domainId = await aDomain(t.db, workspaceId, 'acme.example', { daily: 5 });
  await aDomain(t.db, workspaceId, 'pending.example', { sendingEnabled: false });
  await aDomain(t.db, other, 'theirs.example');
  const ctx = { db: t.db, workspaceId, settings: cloud };
  assert.deepEqual(await findSenderDomain(ctx, 'acme.example'), {
    domain: 'acme.example',
    domainId,
    sendingEnabled: true,
    caps: { daily: 5, monthly: null },
    dkimSelector: 'posthorn1',
    hasKey: false,
    sendingStop: null,
    emailsPerMonth: null,
    tracking: { opens: false, clicks: false },
  });
  for (const domain of ['pending.example', 'theirs.example', 'nobody.example']) {
    assert.equal(await findSenderDomain(ctx, domain), undefined, domain);
  }
});

test('a domain of the instance counts for every workspace when self-hosted, in the cloud only for the home one', async () => {
  const guest = await aWorkspace(t.db);
  const found = async (workspaceId: string, settings: typeof cloud) =>
    (await findSenderDomain({ db: t.db, workspaceId, settings }, 'house.example'))?.domainId;
  assert.equal(await found(home, cloud), null);
  assert.equal(await found(guest, cloud), undefined);
  const another = await aWorkspace(t.db);
  assert.equal(await found(another, selfHosted), null);
});

test('a refused domain names what verifies it: the setting only where the reader is its operator', async () => {
  const guest = await aWorkspace(t.db);
  const remedy = (workspaceId: string, settings: typeof cloud) =>
    howToVerify({ db: t.db, workspaceId, settings }, 'other.example');
  assert.match(await remedy(home, cloud), /POST \/v1\/domains .* POSTHORN_SENDER_DOMAINS/);
  assert.equal(
    await remedy(guest, cloud),
    'Add your domain in the dashboard under Domains or with POST /v1/domains, and verify it.',
  );
  assert.match(await remedy(guest, selfHosted), /^The operator of Posthorn names domains in POSTHORN_SENDER_DOMAINS/);
});

test('a withdrawn domain is refused after a second', async (c) => {
  const workspaceId = await aWorkspace(t.db);
  await aDomain(t.db, workspaceId, 'brief.example');
  const ctx = { db: t.db, workspaceId, settings: cloud };
  c.mock.timers.enable({ apis: ['setTimeout'] });
  assert.ok(await findSenderDomain(ctx, 'brief.example'));
  await sql`update domains set sending_enabled = false where workspace_id = ${workspaceId}`.execute(t.db);
  const now = performance.now.bind(performance);
  c.mock.method(performance, 'now', () => now() + 1_001);
  c.mock.timers.tick(1); // the cache keeps the time it read for a millisecond
  assert.equal(await findSenderDomain(ctx, 'brief.example'), undefined);
});

test('look-ups that come together share one read; one after a change does not get what was read before', async () => {
  const workspaceId = await aWorkspace(t.db);
  await aDomain(t.db, workspaceId, 'shared.example');
  let reads = 0;
  let gate = Promise.resolve();
  const gates = new WeakMap<object, Promise<void>>();
  const counting = t.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      reads += 1;
      gates.set(queryId, gate);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      await gates.get(queryId);
      return result;
    },
  });
  const find = () => findSenderDomain({ db: counting, workspaceId, settings: cloud }, 'shared.example');
  const together = await Promise.all([find(), find(), find()]);
  assert.deepEqual([reads, together.every((found) => found === together[0] && found !== undefined)], [1, true]);
  forgetSenderDomain(workspaceId, 'shared.example');
  const { promise, resolve: open } = Promise.withResolvers<void>();
  gate = promise;
  const early = find();
  gate = Promise.resolve();
  forgetSenderDomain(workspaceId, 'shared.example');
  const late = await find();
  open();
  assert.notEqual(await early, late);
  assert.equal(await find(), late, 'what was read before the change is not kept, though it came later');
  assert.equal(reads, 3);
});

test('the sandbox domain is made once, however many starters race, and signs with the key that was stored', async () => {
  const workspaceId = await aWorkspace(t.db);
  await Promise.all([1, 2, 3].map(() => createSandboxDomain(t.db, secrets, workspaceId)));
  await createSandboxDomain(t.db, secrets, workspaceId);
  const { rows } = await sql<{ status: string; enabled: boolean; public: string }>`
    select dkim_status as status, sending_enabled as enabled, dkim_public_key as public from domains
     where workspace_id = ${workspaceId}`.execute(t.db);
  assert.equal(rows.length, 1);
  assert.deepEqual({ status: rows[0]?.status, enabled: rows[0]?.enabled }, { status: 'verified', enabled: true });
  const ctx = { db: t.db, workspaceId, settings: cloud };
  assert.equal((await findSenderDomain(ctx, 'posthorn.test'))?.hasKey, true);
  const key = await createSigning({ db: t.db, secrets, serviceSigns: false }).loadDkimKey(workspaceId, 'posthorn.test');
  assert.equal(key?.selector, 'posthorn1');
  assert.equal(key?.privateKey.asymmetricKeyDetails?.modulusLength, 2048);
  assert.equal(
    await createSigning({ db: t.db, secrets, serviceSigns: false }).loadDkimKey(workspaceId, 'house.example'),
    null,
  );
});
