/**
 * A copy of a database that waits for its time, as after a restore (listmonk #1801): the original sends, the copy
 * starts, and sends nothing until an operator confirms. Real starts of the program, against a server that takes mail.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { adminCommand } from '../../src/main/admin/admin-command.ts';
import { type Db, openDatabase } from '#platform/db/database.ts';
import { createTestDatabase } from '../harness/database.ts';
import {
  afterManyLooks,
  aMachine,
  EMAIL,
  makeDue,
  post,
  recipients,
  silent,
  startMachine,
} from '../harness/restored-machine.ts';
import { onServer, withDatabase } from '../harness/template.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

/** A copy of a database that nobody uses, and a look into it. */
async function copyOf(t: TestContext, url: string): Promise<{ url: string; db: Db }> {
  const name = `test_copy_${process.pid}_${randomBytes(4).toString('hex')}`;
  const original = /\/(\w+)(\?|$)/.exec(url)?.[1];
  const server = withDatabase(url, 'postgres');
  await onServer(server, (client) => client.query(`create database ${name} template ${original}`));
  undoAfter(t, async () => {
    await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
  });
  const copy = { url: withDatabase(url, name), poolMax: 2, applicationName: 'test', log: silent };
  const { db, close } = openDatabase(copy);
  undoAfter(t, close);
  return { url: copy.url, db };
}

test('a copy of a database sends 0 emails before an operator confirms, and afterwards what it should once', async (t) => {
  const database = await createTestDatabase({ poolMax: 2 });
  undoAfter(t, () => database.close()); // its own pool never connects: a database in use cannot be copied
  const original = await aMachine(t, database.url);
  const first = await startMachine(t, original);
  assert.doesNotMatch(first.said(), /HELD/, 'a first start');
  for (const [to, subject] of [
    ['due@example.com', 'due'],
    ['late@example.com', 'late'],
  ])
    await post(first, '/scheduled', { ...EMAIL, to: [to], subject, scheduled_for: 'in 1 hour' });
  await first.stop();
  const copy = await copyOf(t, database.url);

  const again = await startMachine(t, original);
  assert.doesNotMatch(again.said(), /HELD/, 'an ordinary restart');
  await post(again, '/v1/send', { ...EMAIL, to: ['ada@example.com'] });
  await original.sink.waitFor(1);
  await again.stop();

  const restored = await aMachine(t, copy.url);
  await makeDue(copy.db, 'due', 2);
  await makeDue(copy.db, 'late', 25);
  const held = await startMachine(t, restored);
  assert.match(held.said(), /SENDING IS HELD\. This is a copy of the database/);
  await post(held, '/v1/send', { ...EMAIL, to: ['bob@example.com'] });
  await afterManyLooks(copy.db);
  assert.equal(restored.sink.count, 0);

  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  await adminCommand({ name: 'resume-sending' }, { settings: restored.settings, log: silent, say });
  assert.match(said.join(), /Sending goes on/);
  await restored.sink.waitFor(2);
  await until('the end of the late one', async () => {
    const { rows } =
      await sql`select from scheduled_emails where status = 'failed' and error like 'missed_window%'`.execute(copy.db);
    return rows.length === 1 ? true : undefined;
  });
  await until('the end of what waits', async () => {
    const { rows } = await sql`select from emails where status <> 'sent'`.execute(copy.db);
    return rows.length === 0 ? true : undefined;
  });
  assert.deepEqual(recipients(restored), ['bob@example.com', 'due@example.com']);
});
