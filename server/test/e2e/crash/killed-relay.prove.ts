/** A process of the relay is killed around the commit of a message: 250 is a promise, and a repetition is no copy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../harness/posthorn-process.ts';
import { rawMime } from '../../harness/raw-messages.ts';
import { relayClient } from '../../harness/relay-client.ts';
import { undoAfter } from '../../harness/undo.ts';
import { createRig, untilTrue } from './rig.ts';

const LARGE = 'Too large to share a statement with others.\r\n'.repeat(2_000);
const message = (name: string, fields: readonly string[] = [], body = 'Hello\r\n'): Buffer =>
  Buffer.from(rawMime(body, { fields }).toString('latin1').replace('<4711@', `<${name}@`), 'latin1');

test('killed before or after the commit, a message that its client repeats is sent once; one that was answered is kept', {
  timeout: 300_000,
}, async (t) => {
  const rig = await createRig();
  undoAfter(t, rig.close);
  const relayPort = await freePort();
  const env = { POSTHORN_SMTP_RELAY_PORT: String(relayPort) };
  const boundaries = [
    'outbox.accept.before-statement',
    'outbox.accept.after-commit',
    // A large message has a transaction of its own, in which a process can die.
    'http.idempotent-before-commit',
  ];
  let victim = await rig.start('all', [{ at: boundaries[0] ?? '', pass: 1, act: 'kill' }], env);
  for (const [index, at] of boundaries.entries()) {
    const to = [`killed-${index}@example.com`];
    // The one is known by its bytes, the other by its key.
    const fields = index === 1 ? ['X-Idempotency-Key: order-1'] : [];
    const mime = message(`killed-${index}`, fields, at.startsWith('http.') ? LARGE : 'Hello\r\n');
    victim.child.kill('SIGUSR2');
    await untilTrue(() => victim.output().includes('fault plan armed'), 'the plan was not armed');
    assert.equal(await (await relayClient(relayPort, victim.key)).send(mime, to), '', `killed at ${at}`);
    assert.equal(await victim.ended, 'SIGKILL');
    const next = boundaries[index + 1];
    victim = await rig.start('all', next === undefined ? [] : [{ at: next, pass: 1, act: 'kill' }], env);
    const client = await relayClient(relayPort, victim.key);
    const reply = await client.send(mime, to);
    assert.match(reply, /^250 2\.0\.0 Queued as /);
    assert.equal(await client.send(mime, to), reply);
    client.socket.destroy();
    // The next death shall not come during its hand-off: a second copy would be sent, and recorded.
    await rig.untilQuiet();
  }

  const client = await relayClient(relayPort, victim.key);
  assert.match(await client.send(message('kept'), ['kept@example.com']), /^250/);
  await victim.kill();
  await rig.start('all');
  await untilTrue(() => rig.sink.messages.some(({ to }) => to.includes('kept@example.com')), 'a message was lost');
  await rig.untilQuiet();
  const rows = await rig.query(
    `select recipient, count(*)::int as n from emails group by recipient order by recipient`,
  );
  assert.deepEqual(
    rows,
    [
      ...boundaries.map((_at, index) => ({ recipient: `killed-${index}@example.com`, n: 1 })),
      { recipient: 'kept@example.com', n: 1 },
    ].toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1)),
  );
  for (const index of boundaries.keys())
    assert.equal(rig.sink.messages.filter(({ to }) => to.includes(`killed-${index}@example.com`)).length, 1);
});
