/**
 * The mail server misbehaves in every way there is, and the whole service answers as promised: what it certainly did
 * not take is tried again, what it refused for good has failed, what nobody knows is on record before it is sent once
 * more with the same Message-ID.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../harness/posthorn-process.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { FLAWLESS, tally } from './compare-records.ts';
import { sendAll } from './requests.ts';
import { createRig, type Rig, untilTrue } from './rig.ts';

/** Here every answer comes: nobody is to lose what it holds because the machine let it stand. */
const PATIENT = { POSTHORN_LEASE_SECONDS: '20' };

const people = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.net`);

/** One send to each, so that each is an email of its own request. */
const sendTo = (rig: Rig, recipients: readonly string[]): Promise<void> =>
  sendAll(
    recipients.map((recipient) => ({ key: `to-${recipient}`, sends: [[recipient]] })),
    4,
    (request) => rig.client.sendUntilAccepted(request),
  );

/** How often each kind of attempt is on record, of all emails to addresses that begin so. */
async function attemptsOf(rig: Rig, name: string): Promise<Record<string, number>> {
  const rows = await rig.query(`select a.outcome, count(*)::int as n from email_attempts a
    join emails e on e.workspace_id = a.workspace_id and e.id = a.email_id
    where e.recipient like '${name}%' group by a.outcome`);
  return Object.fromEntries(rows.map(({ outcome, n }) => [String(outcome), Number(n)]));
}

const statesOf = (rig: Rig, name: string): Promise<Record<string, unknown>[]> =>
  rig.query(`select status, attempts::int, count(*)::int as n from emails where recipient like '${name}%'
    group by status, attempts order by status, attempts`);

test('a provider in trouble', { concurrency: true, timeout: 300_000 }, async (t) => {
  await Promise.all([
    t.test('an unknown outcome is on record, and sent once more with the same Message-ID', async (t) => {
      // A delay by the machine is no answer of a provider: six seconds are more than it lets one stand.
      const rig = await createRig({ env: { POSTHORN_LEASE_SECONDS: '8' } });
      undoAfter(t, rig.close);
      await rig.start('all');

      await t.test('the connection drops after DATA: message taken or not', async () => {
        rig.sink.setFaults({
          rules: [
            { at: 'dot', act: 'take-and-drop', times: 3 },
            { at: 'dot', act: 'drop', times: 2 },
          ],
        });
        await sendTo(rig, people(12, 'dropped'));
        await rig.untilQuiet();
        assert.deepEqual(await attemptsOf(rig, 'dropped'), { unconfirmed: 5, resent: 5 });
        assert.deepEqual(await statesOf(rig, 'dropped'), [
          { status: 'sent', attempts: 1, n: 7 },
          { status: 'sent', attempts: 2, n: 5 },
        ]);
        const found = await rig.compare();
        assertFound(found, { ...FLAWLESS, accepted: 12, received: 15, explained: 3, handOffsMax: 2 });
      });

      await t.test('the answer never comes', async () => {
        rig.sink.setFaults({ rules: [{ at: 'dot', act: 'take-and-hang', times: 2 }] });
        await sendTo(rig, people(6, 'unanswered'));
        await rig.untilQuiet();
        assert.deepEqual(await attemptsOf(rig, 'unanswered'), { unconfirmed: 2, resent: 2 });
        const found = await rig.compare();
        assertFound(found, { ...FLAWLESS, accepted: 18, explained: 5, handOffsMax: 2 });
      });

      await t.test('unknown twice is left to a person: never a third time', async (t) => {
        rig.sink.setFaults({ rules: [{ at: 'dot', act: 'take-and-drop', times: 2 }] });
        await sendTo(rig, people(1, 'twice'));
        await rig.untilQuiet();
        const found = await rig.compare();
        t.diagnostic(tally(found));
        assert.equal(found.leftUnconfirmed.length, 1);
        assert.deepEqual(await attemptsOf(rig, 'twice'), { unconfirmed: 2, resent: 1 });
        assertFound(found, { ...FLAWLESS, leftUnconfirmed: found.leftUnconfirmed, handOffsMax: 2 });
      });
    }),

    t.test('a refusal in good order is no doubt: tried again when temporary, failed when permanent', async (t) => {
      const rig = await createRig({ env: PATIENT });
      undoAfter(t, rig.close);
      await rig.start('all');

      await t.test('too fast: everybody slows down, and no attempt is counted', async () => {
        const reply = '454 4.7.0 Throttling failure: Maximum sending rate exceeded.';
        rig.sink.setFaults({ rules: [{ at: 'mail', act: 'reply', reply, times: 4 }] });
        await sendTo(rig, people(10, 'throttled'));
        await rig.untilQuiet();
        assert.deepEqual(await attemptsOf(rig, 'throttled'), { throttled: 4 });
        assert.deepEqual(await statesOf(rig, 'throttled'), [{ status: 'sent', attempts: 1, n: 10 }]);
        const [pace] = await rig.query('select stretch > 1 as slower from send_pace');
        assert.equal(pace?.['slower'], true);
      });

      await t.test('4xx at every stage: certainly not taken, tried again', async () => {
        rig.sink.setFaults({
          rules: [
            { at: 'mail', act: 'reply', reply: '421 4.3.2 closing down', times: 2 },
            { at: 'rcpt', act: 'reply', reply: '452 4.3.1 no space', times: 1 },
            { at: 'data', act: 'reply', reply: '451 4.3.0 trouble here', times: 1 },
            { at: 'dot', act: 'reply', reply: '452 4.3.1 no space after all', times: 1 },
            { at: 'data', act: 'drop', times: 1 },
          ],
        });
        await sendTo(rig, people(12, 'deferred'));
        await rig.untilQuiet();
        const { temporary, ...others } = await attemptsOf(rig, 'deferred');
        // A 421 or a drop on a kept connection is tried at once on another one, and is no attempt then; and of commands
        // that travel together, two may meet their fault at once.
        assert.ok(temporary !== undefined && temporary >= 2 && temporary <= 6, `${temporary} temporary`);
        assert.deepEqual(others, {});
        const sent = await statesOf(rig, 'deferred');
        assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set(['sent']));
      });

      await t.test('5xx: failed at once, with a reject event that says why, and never offered again', async () => {
        rig.sink.setFaults({
          rules: [
            { at: 'rcpt', act: 'reply', reply: '550 5.1.1 no such user', address: 'refused0@example.net' },
            { at: 'rcpt', act: 'reply', reply: '553 5.1.8 not with us', address: 'refused1@example.net' },
            { at: 'dot', act: 'reply', reply: '554 5.6.0 we do not like it', times: 1 },
          ],
        });
        await sendTo(rig, people(5, 'refused'));
        await rig.untilQuiet();
        assert.deepEqual(await attemptsOf(rig, 'refused'), { refused: 3 });
        assert.deepEqual(await statesOf(rig, 'refused'), [
          { status: 'failed', attempts: 1, n: 3 },
          { status: 'sent', attempts: 1, n: 2 },
        ]);
        const events = await rig.query(`select ev.event_data->'reject'->>'message' as reason from email_events ev
          join emails e on e.workspace_id = ev.workspace_id and e.id = ev.email_id
          where ev.type = 'reject' and e.status = 'failed' and e.error = ev.event_data->'reject'->>'message' order by 1`);
        assert.deepEqual(
          events.map(({ reason }) => reason),
          ['550 5.1.1 no such user', '553 5.1.8 not with us', '554 5.6.0 we do not like it'],
        );
        const offers = rig.sink.commands.filter((line) => line.startsWith('RCPT TO:<refused0@'));
        assert.equal(offers.length, 1);
      });

      const found = await rig.compare();
      t.diagnostic(tally(found));
      assertFound(found, { ...FLAWLESS, accepted: 27, received: 24, explained: 0, handOffsMax: 1 });
    }),

    t.test('a provider that is away: accepting goes on, and all of it leaves by itself afterwards', async (t) => {
      const rig = await createRig({ env: PATIENT, sinkPort: await freePort() });
      undoAfter(t, rig.close);
      const service = await rig.start('all');
      await sendTo(rig, people(5, 'before'));
      await rig.untilQuiet();

      await rig.sink.disappear();
      await sendTo(rig, people(20, 'meanwhile'));
      assert.deepEqual(new Set(rig.client.answers.map(({ status }) => status)), new Set([202]));
      let deferred = 0;
      const count = async (): Promise<void> => {
        deferred = (await attemptsOf(rig, 'meanwhile'))['temporary'] ?? 0;
      };
      const counting = setInterval(() => void count(), 100);
      await untilTrue(() => deferred >= 20, 'not every email met the outage').finally(() => clearInterval(counting));
      await rig.sink.comeBack();
      await sendTo(rig, people(5, 'after'));
      await rig.untilQuiet();

      const found = await rig.compare();
      t.diagnostic(tally(found));
      assertFound(found, { ...FLAWLESS, accepted: 30, received: 30, explained: 0 });
      assert.equal(service.child.exitCode, null);
    }),
  ]);
});
