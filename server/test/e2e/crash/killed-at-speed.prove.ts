/** Workers are killed while they hand over 400 emails a second: only what had begun at the mail server is in doubt. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultRule } from '../../harness/smtp-faults.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { FLAWLESS } from './compare-records.ts';
import { createRig, untilTrue } from './rig.ts';

const SENDS = 6;
/** The answer to an accept names so many emails of a send. */
const NAMED = 100;
const KILL_AFTER = 60;
/** The mail server before each kill: it answers at once, and as one that is far away. */
const MANNERS: FaultRule[][] = [[], [{ at: 'dot', act: 'slow', ms: 15 }]];

test('killed at 400 a second: every email in doubt had begun at the server, and each is there once or repeated on record', {
  timeout: 600_000,
}, async (t) => {
  // Long leases: a worker that the machine lets stand for seconds leaves no doubts, only the kills do. Nothing in doubt
  // is sent again before the last kill: an email in doubt twice would be left to a person.
  const rig = await createRig({
    env: { POSTHORN_SEND_RATE: '400', POSTHORN_LEASE_SECONDS: '60', POSTHORN_UNCONFIRMED_SECONDS: '600' },
  });
  undoAfter(t, rig.close);
  await rig.start('api');
  const to = (send: number): string[] => Array.from({ length: NAMED }, (_, n) => `to-${send}-${n}@example.net`);
  await rig.client.sendUntilAccepted({ key: 'all', sends: Array.from({ length: SENDS }, (_, send) => to(send)) });
  let doubted = 0;
  for (const rules of MANNERS) {
    rig.sink.setFaults({ rules });
    const { length: from } = rig.sink.commands;
    const { count: before } = rig.sink;
    const worker = await rig.start('worker');
    await rig.sink.waitFor(before + KILL_AFTER, 120_000);
    await worker.kill();
    await untilTrue(() => rig.sink.open === 0, 'the server still reads');
    const { begun, unnamed } = begunOf(rig.sink.commands.slice(from));
    const inHand = await rig.query(`
      update emails set lease_until = now() where status = 'sending'
      returning recipient, handoff_at is not null as begun`);
    const inDoubt = inHand.filter((row) => row['begun']).map(({ recipient }) => String(recipient));
    const unknown = inDoubt.filter((recipient) => !begun.has(recipient));
    t.diagnostic(`${inHand.length} in hand, ${inDoubt.length} in doubt`);
    assert.ok(unknown.length <= unnamed, `${unknown.length} in doubt of which no byte had left, but for ${unnamed}`);
    doubted += inDoubt.length;
  }
  assert.ok(doubted > 0, 'nothing was under way');
  await rig.start('worker', [], { POSTHORN_UNCONFIRMED_SECONDS: '1' });
  await rig.untilQuiet();

  const found = await rig.compare();
  const accepted = SENDS * NAMED;
  t.diagnostic(`${accepted} accepted, ${doubted} in doubt, ${found.explained} second copies on record`);
  assertFound(found, { ...FLAWLESS, accepted, received: accepted + found.explained });
  assert.ok(found.explained <= doubted, `${found.explained} second copies`);
});

/** The recipients of the transactions in these commands, and how many of them ended before they named theirs. */
function begunOf(commands: readonly string[]): { begun: Set<string>; unnamed: number } {
  const named = commands.flatMap((line) => /^RCPT TO:<(.*)>/.exec(line)?.[1] ?? []);
  const transactions = commands.filter((line) => line.startsWith('MAIL FROM')).length;
  return { begun: new Set(named), unnamed: transactions - named.length };
}
