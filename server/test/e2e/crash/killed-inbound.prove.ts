/**
 * A process is killed around the commits of received mail: while it stores a message and while it reads one. 250 is a
 * promise: every message is there once, was read, and was forwarded.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { aDomain } from '../../harness/builders.ts';
import { createTestDatabase } from '../../harness/database.ts';
import { deliverMail, wire } from '../../harness/deliver-mail.ts';
import { undoAfter } from '../../harness/undo.ts';
import { until } from '../../harness/until.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';
import { arm, createRig, steadyPort } from './rig.ts';

const BOUNDARIES = [
  // The server that hands the mail over has no answer, and delivers once more.
  { at: 'inbound.store.before-commit', isAnswered: false },
  { at: 'inbound.store.after-commit', isAnswered: false },
  { at: 'inbound.read.before-commit', isAnswered: true },
  { at: 'inbound.read.after-commit', isAnswered: true },
];

const messageOf = (subject: string): Buffer =>
  wire(`From: ada@example.net\nTo: help@reply.acme.example\nSubject: ${subject}\n\nHello\n`);

test('killed at any boundary, received mail is stored once, read, and forwarded', { timeout: 300_000 }, async (t) => {
  const database = await createTestDatabase({ poolMax: 2 });
  undoAfter(t, database.close);
  const receiver = await startReceiver();
  undoAfter(t, receiver.close);
  const mailPort = await steadyPort();
  const rig = await createRig({
    databaseUrl: database.url,
    env: {
      POSTHORN_BOUNCE_DOMAIN: 'bounces.acme.example',
      POSTHORN_INBOUND_SMTP_PORT: String(mailPort),
      POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
      POSTHORN_WEBHOOK_RETRY_SECONDS: '1,1,1',
      // A server that gives no answer: the sender of a message cannot be checked, and that stops nothing.
      POSTHORN_DNS_SERVERS: '127.0.0.1:9',
    },
  });
  undoAfter(t, rig.close);
  const supervised = rig.supervise(
    'all',
    BOUNDARIES.map(({ at }) => [{ at, pass: 1, act: 'kill' as const }]),
  );
  const first = await supervised.life(0);
  const home = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const workspaceId = home.rows[0]?.id ?? '';
  const domainId = await aDomain(database.db, workspaceId, 'reply.acme.example');
  await sql`update domains set receiving_enabled = true where workspace_id = ${workspaceId}`.execute(database.db);
  const set = await first.fetch(`/v1/domains/${domainId}/webhook`, {
    method: 'PATCH',
    body: { webhookUrl: receiver.url },
  });
  assert.equal(set.status, 200, JSON.stringify(set.body));

  for (const [round, { at, isAnswered }] of BOUNDARIES.entries()) {
    await arm(await supervised.life(round));
    const raw = messageOf(`killed ${round}`);
    const deliver = (): Promise<string> => deliverMail(mailPort, { to: 'help@reply.acme.example' }, raw);
    const answer = await deliver();
    if (isAnswered) assert.match(answer, /^250 /, at);
    else assert.equal(answer, '', at);
    await supervised.life(round + 1);
    assert.match(supervised.deaths[round] ?? '', new RegExp(`^fault: kill at ${at},`));
    if (!isAnswered) assert.match(await deliver(), /^250 /);
    // The process that was killed had taken the message for two minutes.
    await sql`update inbound_emails set next_try_at = now()
               where workspace_id = ${workspaceId} and read_at is null`.execute(database.db);
    await until(`the event of ${at}`, async () =>
      receiver.received.find(({ raw: body }) => body.includes(`"subject":"killed ${round}"`)),
    );
  }

  const { rows } = await sql<{ subject: string; messages: number; isRead: boolean; events: number }>`
    select e.subject, count(*)::integer as messages, bool_and(e.read_at is not null) as "isRead",
           count(distinct e.event_id)::integer as events
      from inbound_emails e where e.workspace_id = ${workspaceId} group by e.subject order by e.subject`.execute(
    database.db,
  );
  assert.deepEqual(
    rows,
    BOUNDARIES.map((_, round) => ({ subject: `killed ${round}`, messages: 1, isRead: true, events: 1 })),
  );
});
