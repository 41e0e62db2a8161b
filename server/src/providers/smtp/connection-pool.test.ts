import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createLog } from '#platform/log.ts';
import { anOutgoingMessage } from '../../../test/harness/outgoing-message.ts';
import { type SinkOptions, startSmtpSink } from '../../../test/harness/smtp-sink.ts';
import type { Verdict } from '../email-provider.ts';
import { createSmtpProvider } from './smtp-provider.ts';

const log = createLog({ level: 'silent' });
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function scene(options: SinkOptions & { connections?: number; messages?: number; idleMs?: number } = {}) {
  const sink = await startSmtpSink(options);
  const provider = createSmtpProvider(
    {
      host: '127.0.0.1',
      port: sink.port,
      tls: 'none',
      auth: null,
      connections: options.connections ?? 4,
      messagesPerConnection: options.messages ?? 100,
      ehloName: null,
    },
    { log, ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }) },
  );
  await provider.start();
  closing.push(
    () => sink.stop(),
    () => provider.stop(),
  );
  const send = (deadlineMs = 5_000): Promise<Verdict> => provider.send(anOutgoingMessage(), { deadlineMs });
  const verdictsOf = (count: number): Promise<Verdict[]> => Promise.all(Array.from({ length: count }, () => send()));
  const sendMany = (count: number, deadlineMs?: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, async () => (await send(deadlineMs)).kind));
  return { sink, provider, send, sendMany, verdictsOf };
}

const until = async (holds: () => boolean): Promise<void> => {
  const startedMs = performance.now();
  while (!holds()) {
    assert.ok(performance.now() - startedMs < 30_000, 'it did not come about');
    await new Promise((resolve) => setImmediate(resolve));
  }
};
const count = (kinds: string[], kind: string): number => kinds.filter((each) => each === kind).length;

test('starting connects to nothing: the server may be down', async () => {
  const { sink } = await scene();
  assert.equal(sink.connections, 0);
});

test('one message after the other goes over one kept connection', async () => {
  const { sink, send } = await scene();
  for (let sent = 0; sent < 20; sent += 1) assert.equal((await send()).kind, 'accepted');
  assert.equal(sink.connections, 1);
});

test('work at once opens connections on demand, up to the configured number', async () => {
  const { sink, sendMany } = await scene({ connections: 3, faults: { rules: [{ at: 'dot', act: 'slow', ms: 20 }] } });
  assert.equal(count(await sendMany(2), 'accepted'), 2);
  assert.equal(sink.connections, 2);
  assert.equal(count(await sendMany(30), 'accepted'), 30);
  assert.equal(sink.connections, 3);
});

test('a connection is replaced after its share of messages', async () => {
  const { sink, send } = await scene({ messages: 5 });
  for (let sent = 0; sent < 12; sent += 1) assert.equal((await send()).kind, 'accepted');
  assert.equal(sink.connections, 3);
});

test('idle connections are closed with QUIT, and work opens new ones', async () => {
  const { sink, send } = await scene({ idleMs: 20 });
  await send();
  await until(() => sink.open === 0);
  assert.equal(sink.commands.at(-1), 'QUIT');
  assert.equal((await send()).kind, 'accepted');
  assert.equal(sink.connections, 2);
});

test('a kept connection that is dead when used again is replaced silently, and the message goes once', async () => {
  for (const fault of [
    { at: 'mail', act: 'drop', after: 1, times: 1 },
    { at: 'mail', act: 'reply', reply: '421 4.4.2 idle time-out', after: 1, times: 1 },
  ] as const) {
    const { sink, send } = await scene({ faults: { rules: [fault] } });
    await send();
    assert.equal((await send()).kind, 'accepted');
    assert.equal(sink.count, 2);
    assert.equal(sink.connections, 2);
  }
});

test('the silent second try happens once, and never after a throttle answer or a message', async () => {
  const dropping = await scene({ faults: { rules: [{ at: 'mail', act: 'drop', after: 1 }] } });
  await dropping.send();
  assert.equal((await dropping.send()).kind, 'temporary');
  assert.equal(dropping.sink.connections, 2);

  const reply = '421 4.7.0 Maximum sending rate exceeded';
  const throttling = await scene({ faults: { rules: [{ at: 'mail', act: 'reply', reply, after: 1, times: 1 }] } });
  await throttling.send();
  assert.partialDeepStrictEqual(await throttling.send(), { kind: 'temporary', throttled: true });
  assert.equal(throttling.sink.connections, 1);

  const closing = { at: 'dot', act: 'reply', reply: '421 4.3.2 shutting down', after: 1, times: 1 } as const;
  const after = await scene({ faults: { rules: [closing] } });
  await after.send();
  assert.partialDeepStrictEqual(await after.send(), { kind: 'temporary', code: 421 }, 'its bytes had gone out');
});

test('a server that vanishes and comes back is used again without a restart', async () => {
  const { sink, send, sendMany } = await scene();
  assert.equal(count(await sendMany(8), 'accepted'), 8);
  await sink.disappear();
  assert.equal((await send()).kind, 'temporary');
  await sink.comeBack();
  assert.equal(count(await sendMany(8), 'accepted'), 8);
  assert.equal(sink.count, 16);
});

test('a server that allows fewer connections than we would open slows nobody down', async () => {
  const { sink, sendMany } = await scene({ connections: 8, connectionsMax: 2, messages: 1_000 });
  await sendMany(1);
  assert.equal(count(await sendMany(100), 'accepted'), 100, 'no message meets the limit of connections');
  const attempts = sink.connections;
  await sendMany(100);
  assert.equal(sink.connections, attempts, 'the limit is remembered');
});

test('a message that finds no free connection within its deadline is temporary, and does not go out later', async () => {
  const { sink, send, sendMany } = await scene({
    connections: 1,
    faults: { rules: [{ at: 'dot', act: 'slow', ms: 300, times: 1 }] },
  });
  const first = send();
  const kinds = await sendMany(5, 50);
  assert.equal(count(kinds, 'temporary'), 5);
  assert.equal((await first).kind, 'accepted');
  assert.equal((await send()).kind, 'accepted');
  assert.equal(sink.count, 2);
});

test('stop refuses what waits, lets finish what is on its way, and leaves no connection', async () => {
  const { sink, provider, sendMany, verdictsOf } = await scene({
    connections: 2,
    faults: { rules: [{ at: 'dot', act: 'slow', ms: 50 }] },
  });
  await sendMany(2); // two connections stand
  const sending = verdictsOf(10);
  await until(() => sink.commands.filter((line) => line === 'DATA').length === 4);
  await provider.stop();
  const verdicts = await sending;
  assert.equal(verdicts.filter((verdict) => verdict.kind === 'accepted').length, 2);
  assert.equal(verdicts.filter((verdict) => verdict.response === 'the provider is stopped').length, 8);
  assert.equal(sink.count, 4);
  await until(() => sink.open === 0);
});

test('stop ends a connection attempt that hangs', async () => {
  const { provider, send } = await scene({ faults: { rules: [{ at: 'connect', act: 'hang' }] } });
  const sending = send();
  await provider.stop();
  assert.equal((await sending).kind, 'temporary');
});
