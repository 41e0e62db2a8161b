/**
 * Two processes are killed around the commit that starts a scheduled email, with others due beside it. Each of them
 * reaches the mail server once, whoever starts it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoAfter } from '../../harness/undo.ts';
import { until } from '../../harness/until.ts';
import { arm, createRig } from './rig.ts';

const EMAILS = 8;
const BEFORE = 'scheduled.start.before-commit';
const AFTER = 'scheduled.start.after-commit';

test('killed while due emails are started, each scheduled email is sent once', { timeout: 300_000 }, async (t) => {
  // With the shortest lease, a worker that the machine lets stand would lose what it holds.
  const rig = await createRig({ env: { POSTHORN_LEASE_SECONDS: '6' } });
  undoAfter(t, rig.close);
  const killedAt = (at: string) => [{ at, pass: 2, act: 'kill' as const }];
  const first = await rig.start('all', killedAt(BEFORE));
  const second = await rig.start('worker', killedAt(AFTER));
  for (let index = 0; index < EMAILS; index += 1) {
    const made = await first.fetch('/scheduled', {
      method: 'POST',
      body: {
        from: 'hello@posthorn.test',
        to: `person-${index}@example.com`,
        subject: `scheduled ${index}`,
        text: 'Hello',
        scheduled_for: 'in 1 hour',
      },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
  }
  await arm(first);
  await arm(second);
  await rig.query('update scheduled_emails set scheduled_for = now()');
  // The process that looks first dies at its second email, and leaves the rest to the other.
  await Promise.all([first.ended, second.ended]);
  assert.match(first.output(), new RegExp(`fault: kill at ${BEFORE},`));
  assert.match(second.output(), new RegExp(`fault: kill at ${AFTER},`));
  await rig.start('worker');
  await until('every email is sent', async () => {
    const rows = await rig.query(`select from scheduled_emails where status <> 'sent'`);
    return rows.length === 0 ? true : undefined;
  });
  await rig.untilQuiet();

  // A hand-off that the kill cut off is repeated under its Message-ID, as with every email.
  const received = new Map(rig.sink.messages.map((one) => [one.header('message-id'), one.header('subject')]));
  assert.deepEqual(
    [...received.values()].toSorted(),
    Array.from({ length: EMAILS }, (_, index) => `scheduled ${index}`),
  );
  const [sends] = await rig.query(
    'select count(*)::integer as sends, count(distinct scheduled_id)::integer as emails from send_requests where scheduled_id is not null',
  );
  assert.deepEqual(sends, { sends: EMAILS, emails: EMAILS });
});
