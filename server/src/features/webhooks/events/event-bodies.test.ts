import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { emailEvents } from '../../../../test/harness/email-events.ts';
import { ensureBodies } from './event-bodies.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

async function anEvent(emailId: string, type = 'send', data: object = { send: {} }): Promise<string> {
  const id = newId();
  await sql`insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
    values (${workspaceId}, ${id}, ${emailId}, ${type}, 'ada@example.com', ${JSON.stringify(data)}::jsonb)`.execute(
    t.db,
  );
  return id;
}

const bodyOf = async (eventId: string): Promise<string | undefined> =>
  (await ensureBodies({ db: t.db, emailEvents }, [{ workspaceId, eventId }])).get(`${workspaceId} ${eventId}`);

test('an event of an email has the envelope of the documentation, with the email as its record shows it', async () => {
  const { emailId, sendId } = await anEmail(t.db, workspaceId, {
    recipient: 'Ada@Example.com',
    subject: 'Hi \u2028 🎉',
  });
  const eventId = await anEvent(emailId, 'bounce', { bounce: { bounceType: 'Permanent' } });
  const body = (await bodyOf(eventId)) ?? '';
  const createdAt = new Date(Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16)).toISOString();
  const expected = {
    id: `evt_${eventId.replaceAll('-', '')}`,
    type: 'bounce',
    api_version: '2026-11-01',
    created_at: createdAt,
    workspace_id: workspaceId,
    test: false,
    sequence: 1,
    email: {
      id: emailId,
      job_id: sendId,
      message_id: `<${emailId}@posthorn.test>`,
      from: 'Acme <hello@posthorn.test>',
      to: ['Ada@Example.com'],
      recipient: 'ada@example.com',
      subject: 'Hi \u2028 🎉',
      source: 'api',
      tags: [],
      metadata: {},
      template_id: null,
      newsletter_id: null,
      issue_id: null,
      broadcast_id: null,
      scheduled_id: null,
      automation_run_id: null,
      domain_id: null,
    },
    event_data: { bounce: { bounceType: 'Permanent' } },
  };
  assert.equal(body, JSON.stringify(expected));
});

test('an event that belongs to no email has no email', async () => {
  const eventId = newId();
  await sql`insert into workspace_events (workspace_id, id, type, payload)
    values (${workspaceId}, ${eventId}, 'domain.verified', '{"domain":{"domain":"example.com"}}')`.execute(t.db);
  const body = JSON.parse((await bodyOf(eventId)) ?? '');
  assert.deepEqual(Object.keys(body), [
    'id',
    'type',
    'api_version',
    'created_at',
    'workspace_id',
    'test',
    'event_data',
  ]);
  assert.deepEqual(body.event_data, { domain: { domain: 'example.com' } });
});

test('the bytes of an event stay what they were when it was first asked for', async () => {
  const { emailId, contentId } = await anEmail(t.db, workspaceId);
  const eventId = await anEvent(emailId);
  const first = await bodyOf(eventId);
  await sql`update contents set subject = 'Changed' where workspace_id = ${workspaceId} and id = ${contentId}`.execute(
    t.db,
  );
  assert.equal(await bodyOf(eventId), first);
  const second = await anEvent(emailId);
  assert.match((await bodyOf(second)) ?? '', /"subject":"Changed"/);
  await sql`delete from email_events where workspace_id = ${workspaceId} and id = ${eventId}`.execute(t.db);
  assert.equal(await bodyOf(eventId), first);
});

/** For what another transaction has written. */
async function somebodyWaits(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
  return rows.length > 0;
}

test('processes that render the same events at once all send what was stored first', async () => {
  const { emailId, contentId } = await anEmail(t.db, workspaceId, { subject: 'Before' });
  const keys: { workspaceId: string; eventId: string }[] = [];
  for (let n = 0; n < 30; n += 1) keys.push({ workspaceId, eventId: await anEvent(emailId) });
  const slow = inTransaction(t.db, async (tx) => {
    const bodies = await ensureBodies({ db: tx, emailEvents }, keys.slice(0, 15));
    await sql`update contents set subject = 'After' where workspace_id = ${workspaceId} and id = ${contentId}`.execute(
      t.db,
    );
    const other = ensureBodies({ db: t.db, emailEvents }, keys.toReversed());
    while (!(await somebodyWaits())) await new Promise(setImmediate);
    return { bodies, other };
  });
  const { bodies, other } = await slow;
  const found = await other;
  assert.equal(found.size, 30);
  for (const [key, body] of bodies) assert.equal(found.get(key), body);
  assert.equal([...found.values()].filter((body) => body.includes('"Before"')).length, 15);
});

test('more events than a page, of two workspaces, come in one map; one that is gone is missing', async () => {
  const { emailId } = await anEmail(t.db, workspaceId);
  await sql`insert into email_events (workspace_id, id, email_id, type, recipient)
    select ${workspaceId}, ph_uuidv7(), ${emailId}, 'send', 'ada@example.com' from generate_series(1, 450)`.execute(
    t.db,
  );
  const { rows } = await sql<{ eventId: string }>`
    select id as "eventId" from email_events where workspace_id = ${workspaceId} and email_id = ${emailId}`.execute(
    t.db,
  );
  const keys = rows.map(({ eventId }) => ({ workspaceId, eventId }));
  const elsewhere = { workspaceId: await aWorkspace(t.db), eventId: rows[0]?.eventId ?? '' };
  const bodies = await ensureBodies({ db: t.db, emailEvents }, [
    ...keys,
    elsewhere,
    { workspaceId, eventId: newId() },
    ...keys,
  ]);
  assert.equal(bodies.size, 450);
  for (const { eventId } of keys) {
    assert.match(bodies.get(`${workspaceId} ${eventId}`) ?? '', new RegExp(eventId.replaceAll('-', '')));
  }
});
