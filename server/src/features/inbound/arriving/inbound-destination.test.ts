import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { openDatabase } from '#platform/db/database.ts';
import { BodyBudget } from '#platform/http/body/body-budget.ts';
import { createLog } from '#platform/log.ts';
import type { SmtpListener } from '#platform/smtp/smtp-listener.ts';
import { startBreakableProxy } from '../../../../test/harness/breakable-proxy.ts';
import { aDomain, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { deliverMail, wire } from '../../../../test/harness/deliver-mail.ts';
import { aMailListener } from '../../../../test/harness/mail-listener.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { inboundDestination } from './inbound-destination.ts';

const secrets = createSecrets('a master key of thirty-two characters or more');
const to = 'x@reply.acme.example';
const clock = createTestClock({ held: true });
const message = (subject: string, bytes = 10): Buffer => wire(`Subject: ${subject}\n\n${'x'.repeat(bytes)}`);

let t: TestDatabase;
let workspaceId: string;
const running: SmtpListener[] = [];
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
  const id = await aDomain(t.db, workspaceId, 'reply.acme.example');
  await sql`update domains set receiving_enabled = true where workspace_id = ${workspaceId} and id = ${id}`.execute(
    t.db,
  );
});
beforeEach(async () => {
  clock.advance(60_000);
  await sql`truncate inbound_emails cascade`.execute(t.db);
});
after(async () => {
  for (const one of running) await one.stop();
  await t.close();
});

async function listening({
  db = t.db,
  perMinute = 0,
  budget = new BodyBudget({ bytesMax: 100_000_000, bodyBytesMax: 30_000_000 }),
}: {
  db?: TestDatabase['db'];
  perMinute?: number;
  budget?: BodyBudget;
} = {}): Promise<number> {
  const settings = { inboundMessageMb: 25, inboundPerMinute: perMinute, inboundMb: 0 };
  const listener = aMailListener([inboundDestination({ db, clock, secrets, settings, bodyBudget: budget })]);
  running.push(listener);
  await listener.start();
  return listener.port;
}
const stored = async (): Promise<number> => {
  const { rows } = await sql`select id from inbound_emails where workspace_id = ${workspaceId}`.execute(t.db);
  return rows.length;
};

test('451 for more messages in a minute than a domain takes, and 250 in the next', async () => {
  const port = await listening({ perMinute: 2 });
  for (const subject of ['1', '2']) assert.match(await deliverMail(port, { to }, message(subject)), /^250 /);
  assert.match(await deliverMail(port, { to }, message('3')), /^451 4\.7\.1 /);
  assert.equal(await stored(), 2);
  clock.advance(60_000);
  assert.match(await deliverMail(port, { to }, message('3')), /^250 /);
});

test('452 while other bodies take the room of messages, and all room is given back', async () => {
  const budget = new BodyBudget({ bytesMax: 4_000_000, bodyBytesMax: 2_000_000 });
  const port = await listening({ budget });
  const other = budget.take('a request', 3_000_000);
  assert.match(await deliverMail(port, { to }, message('large', 1_200_000)), /^452 4\.3\.1 /);
  assert.equal(await stored(), 0);
  other?.release();
  assert.match(await deliverMail(port, { to }, message('large', 1_200_000)), /^250 /);
  assert.equal(budget.held, 0);
});

test('451 while the database is away, and 250 with one copy when it is back', async () => {
  const proxy = await startBreakableProxy(t.url);
  const log = createLog({ level: 'silent' });
  const away = openDatabase({ url: proxy.url, poolMax: 1, applicationName: 'away', log });
  try {
    const port = await listening({ db: away.db });
    await proxy.breakDown();
    assert.match(await deliverMail(port, { to }, message('away')), /^451 4\.3\.0 /);
    assert.equal(await stored(), 0);
    await proxy.mend();
    for (let time = 0; time < 2; time += 1) assert.match(await deliverMail(port, { to }, message('away')), /^250 /);
    assert.equal(await stored(), 1);
  } finally {
    await away.close();
    await proxy.close();
  }
});

test('senders at once store one copy of one message, and the room is counted once', async () => {
  const port = await listening();
  await sql`delete from inbound_usage where workspace_id = ${workspaceId}`.execute(t.db);
  const answers = await Promise.all(Array.from({ length: 8 }, () => deliverMail(port, { to }, message('at once'))));
  assert.deepEqual([answers.every((one) => one.startsWith('250')), await stored()], [true, 1]);
  const { rows } = await sql<{ emails: number }>`
    select emails from inbound_usage where workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(rows, [{ emails: 1 }]);
});
