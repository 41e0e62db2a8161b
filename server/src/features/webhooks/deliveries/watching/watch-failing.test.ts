import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import type { SystemMail } from '#features/workspaces';
import { systemClock } from '#platform/clock.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { type DisablePorts, disableEndpoint } from './disable-endpoint.ts';
import { aWebhook, endpointOf, secrets, type TestWebhook } from '../test-kit.ts';
import { watchFailing } from './watch-failing.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const { settings } = loadSettings({ POSTHORN_SECRET_KEY: 'a master secret for tests, 32 bytes or more' });

interface Watched {
  ports: DisablePorts;
  mails: SystemMail[];
  errors: string[];
}

function watched(send?: (mail: SystemMail) => Promise<void>): Watched {
  const mails: SystemMail[] = [];
  const errors: string[] = [];
  const ports: DisablePorts = {
    db: t.db,
    clock: systemClock,
    log: createLog({ level: 'error', destination: { write: (line) => void errors.push(line) } }),
    settings,
    secrets,
    sendSystemMail: async (_ctx, mail) => {
      await send?.(mail);
      mails.push(mail);
    },
  };
  return { ports, mails, errors };
}

async function aMember(workspaceId: string, name: string, role: string): Promise<string> {
  const [id, email] = [newId(), `${name}-${newId()}@example.com`];
  await sql`insert into users (id, email) values (${id}, ${email})`.execute(t.db);
  await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${id}, ${role})`.execute(t.db);
  return email;
}

interface Failing {
  since: string;
  last: string;
  attempts?: number;
}

/** An endpoint of a workspace with two owners and a developer. */
async function aFailing(given: Failing): Promise<TestWebhook & { owners: string[] }> {
  const workspaceId = await aWorkspace(t.db, { name: 'Acme <shop>' });
  const owners = [await aMember(workspaceId, 'first', 'owner'), await aMember(workspaceId, 'second', 'owner')];
  await aMember(workspaceId, 'developer', 'developer');
  const webhook = await aWebhook(t.db, workspaceId, 'https://receiver.test/hook?key=not-for-mail');
  await sql`update webhooks set failing_since = now() - ${given.since}::interval,
      last_failure_at = now() - ${given.last}::interval, failed_attempts = ${given.attempts ?? 50}
    where workspace_id = ${workspaceId} and id = ${webhook.id}`.execute(t.db);
  return { ...webhook, owners };
}

const logOf = async (workspaceId: string): Promise<{ action: string; actor: string; target: string }[]> => {
  const { rows } = await sql<{ action: string; actor: string; target: string }>`
    select action, actor_type as actor, target_id as target from security_log where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  return rows;
};

test('five days of nothing but failures disable an endpoint: on record, and every owner is told once', async () => {
  const webhook = await aFailing({ since: '5 days 1 hour', last: '1 minute' });
  const { ports, mails } = watched();
  assert.deepEqual(await watchFailing(ports), { noticed: 0, disabled: 1 });
  const endpoint = await endpointOf(t.db, webhook);
  assert.equal(endpoint.enabled, false);
  assert.match(endpoint.disabledReason ?? '', /five days/);
  assert.deepEqual(await logOf(webhook.workspaceId), [
    { action: 'webhook.disabled', actor: 'system', target: webhook.id },
  ]);
  assert.deepEqual(mails.map((mail) => mail.to).sort(), [...webhook.owners].sort());
  assert.match(mails[0]?.subject ?? '', /Acme <shop>/);
  assert.doesNotMatch(mails[0]?.html ?? '', /<shop>/);
  assert.deepEqual(await watchFailing(ports), { noticed: 0, disabled: 0 });
  assert.equal(mails.length, 2);
});

test('the query of a URL, which may be a credential, is in no log and no mail', async () => {
  const webhook = await aFailing({ since: '5 days 1 hour', last: '1 minute' });
  const { ports, mails } = watched();
  await watchFailing(ports);
  const { rows } = await sql<{ details: { url: string } }>`
    select details from security_log where workspace_id = ${webhook.workspaceId}`.execute(t.db);
  assert.deepEqual(
    rows.map((row) => row.details.url),
    ['https://receiver.test/hook'],
  );
  assert.equal(mails.length, 2);
  assert.doesNotMatch(JSON.stringify(mails), /not-for-mail/);
});

test('after a day of failures the owners are told, once, and the endpoint goes on', async () => {
  const webhook = await aFailing({ since: '25 hours', last: '1 minute' });
  const { ports, mails } = watched();
  assert.deepEqual(await watchFailing(ports), { noticed: 1, disabled: 0 });
  assert.deepEqual(mails.map((mail) => mail.to).sort(), [...webhook.owners].sort());
  assert.deepEqual(await watchFailing(ports), { noticed: 0, disabled: 0 });
  assert.equal((await endpointOf(t.db, webhook)).enabled, true);
  // It worked in between, and fails again: that is news.
  await sql`update webhooks set failing_notice_at = now() - interval '3 days'
    where workspace_id = ${webhook.workspaceId} and id = ${webhook.id}`.execute(t.db);
  assert.deepEqual(await watchFailing(ports), { noticed: 1, disabled: 0 });
  await sql`delete from webhooks where workspace_id = ${webhook.workspaceId}`.execute(t.db);
});

const patient: readonly [string, Failing][] = [
  ['that has failed for less than five days', { since: '4 days 23 hours', last: '0 seconds' }],
  ['that failed five days ago and has had nothing to do since', { since: '8 days', last: '4 days' }],
  ['that has failed a few times only', { since: '6 days', last: '1 minute', attempts: 4 }],
];
for (const [which, given] of patient) {
  test(`an endpoint ${which} is not disabled`, async () => {
    const webhook = await aFailing(given);
    const { ports } = watched();
    assert.equal((await watchFailing(ports)).disabled, 0);
    assert.equal((await endpointOf(t.db, webhook)).enabled, true);
    assert.deepEqual(await logOf(webhook.workspaceId), []);
    await sql`delete from webhooks where workspace_id = ${webhook.workspaceId}`.execute(t.db);
  });
}

test('one that worked again since it was looked at is not disabled, and nobody is told', async () => {
  const webhook = await aFailing({ since: '6 days', last: '1 minute' });
  const { ports, mails } = watched();
  await sql`update webhooks set failing_since = null
    where workspace_id = ${webhook.workspaceId} and id = ${webhook.id}`.execute(t.db);
  const stale = {
    workspaceId: webhook.workspaceId,
    id: webhook.id,
    url: 'https://receiver.test/',
    failingSince: null,
    forwardsDomainId: null,
  };
  assert.equal(await disableEndpoint(ports, stale, { reason: 'late', stillFailing: true }), false);
  assert.equal((await endpointOf(t.db, webhook)).enabled, true);
  assert.deepEqual([mails, await logOf(webhook.workspaceId)], [[], []]);
});

test('mail that cannot be queued undoes nothing: the endpoint is disabled and on record', async () => {
  const webhook = await aFailing({ since: '6 days', last: '1 minute' });
  const { ports, errors } = watched(async () => {
    throw new Error('the home workspace cannot send');
  });
  assert.deepEqual(await watchFailing(ports), { noticed: 0, disabled: 1 });
  assert.equal((await endpointOf(t.db, webhook)).enabled, false);
  assert.equal((await logOf(webhook.workspaceId)).length, 1);
  assert.equal(errors.length, 1);
});
