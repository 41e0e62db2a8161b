import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { anOutgoingMessage } from '../../../test/harness/outgoing-message.ts';
import type { FaultRule } from '../../../test/harness/smtp-faults.ts';
import { type SinkOptions, type SmtpSink, startSmtpSink } from '../../../test/harness/smtp-sink.ts';
import { conformance } from '../email-provider.conformance.ts';
import type { EmailProvider, Verdict } from '../email-provider.ts';
import { createSmtpProvider, type SmtpProviderOptions } from './smtp-provider.ts';
import type { SmtpSettings } from './smtp-settings.ts';

const logged: string[] = [];
const log = createLog({ level: 'debug', destination: { write: (line) => void logged.push(line) } });
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const settingsFor = (port: number, change: Partial<SmtpSettings> = {}): SmtpSettings => ({
  host: '127.0.0.1',
  port,
  tls: 'none',
  auth: null,
  connections: 4,
  messagesPerConnection: 100,
  ehloName: null,
  ...change,
});

interface Scene {
  sink: SmtpSink;
  provider: EmailProvider;
}

async function scene(
  options: SinkOptions & { settings?: Partial<SmtpSettings>; provider?: Partial<SmtpProviderOptions> } = {},
): Promise<Scene> {
  const sink = await startSmtpSink(options);
  const provider = createSmtpProvider(settingsFor(sink.port, options.settings), { log, ...options.provider });
  await provider.start();
  closing.push(
    () => sink.stop(),
    () => provider.stop(),
  );
  return { sink, provider };
}

const DEADLINE = { deadlineMs: 5_000 };
const deliver = ({ provider }: Scene, to: string[] = ['ada@example.net'], deadlineMs = DEADLINE.deadlineMs) =>
  provider.send(anOutgoingMessage({ envelope: { from: 'shop@example.com', to } }), { deadlineMs });

async function verdictWith(rule: FaultRule, to?: string[]): Promise<{ verdict: Verdict; sink: SmtpSink }> {
  const stage = await scene({ faults: { rules: [rule] } });
  return { verdict: await deliver(stage, to), sink: stage.sink };
}

conformance('smtp', async () => {
  const sink = await startSmtpSink();
  return {
    provider: createSmtpProvider(settingsFor(sink.port), { log }),
    message: anOutgoingMessage,
    received: () => Promise.resolve([...sink.messages]),
    stall: () => {
      sink.setFaults({ rules: [{ at: 'dot', act: 'hang' }] });
      return Promise.resolve(() => Promise.resolve(sink.setFaults(undefined)));
    },
    close: () => sink.stop(),
  };
});

test('a message that found no free connection has not begun: its server is only busy', async () => {
  const stage = await scene({
    settings: { connections: 1 },
    faults: { rules: [{ at: 'dot', act: 'hang' }] },
  });
  const slow = deliver(stage, ['slow@example.net'], 1_000);
  const asked: string[] = [];
  const gate = {
    mayBegin: async () => (asked.push('may begin'), null),
    isOnRecord: async () => true,
  };
  const verdict = await stage.provider.send(anOutgoingMessage(), { deadlineMs: 200, gate });
  assert.deepEqual(verdict, { kind: 'not-begun', response: 'no connection came free within the deadline' });
  assert.deepEqual(asked, []);
  assert.equal((await slow).kind, 'unknown');
});

after(() => {
  assert.ok(!logged.some((line) => line.includes('Hello Ada')), 'message bytes were logged');
});

test('a 4xx at any stage is temporary: the message was certainly not taken', async () => {
  for (const at of ['ehlo', 'mail', 'rcpt', 'data', 'dot'] as const) {
    const { verdict, sink } = await verdictWith({ at, act: 'reply', reply: '451 4.3.0 try later' });
    // A 4xx to EHLO makes the client fall back to HELO, as RFC 5321 §3.2 wishes: the message goes through.
    if (at === 'ehlo') assert.equal(verdict.kind, 'accepted');
    else {
      assert.partialDeepStrictEqual(verdict, { kind: 'temporary', code: 451, throttled: false });
      assert.equal(sink.count, 0);
    }
  }
});

test('421 is temporary wherever it comes, and the next message uses a new connection', async () => {
  for (const at of ['connect', 'ehlo', 'mail', 'rcpt', 'data', 'dot'] as const) {
    const stage = await scene({
      faults: { rules: [{ at, act: 'reply', reply: '421 4.3.2 shutting down', times: 1 }] },
    });
    assert.partialDeepStrictEqual(await deliver(stage), { kind: 'temporary', code: 421, throttled: false });
    assert.equal((await deliver(stage)).kind, 'accepted');
    assert.equal(stage.sink.count, 1);
  }
});

test('"Maximum sending rate exceeded" is a throttle answer', async () => {
  for (const at of ['mail', 'rcpt', 'data', 'dot'] as const) {
    const { verdict } = await verdictWith({
      at,
      act: 'reply',
      reply: '454 Throttling failure: Maximum sending rate exceeded.',
    });
    assert.partialDeepStrictEqual(verdict, { kind: 'temporary', code: 454, throttled: true });
  }
});

test('a 5xx about the message is refused, and the connection goes on', async () => {
  for (const at of ['mail', 'rcpt', 'data', 'dot'] as const) {
    const rules: FaultRule[] = [{ at, act: 'reply', reply: '550 5.6.0 not this one', times: 1 }];
    const stage = await scene({ faults: { rules }, settings: { connections: 1 } });
    assert.deepEqual(await deliver(stage), { kind: 'refused', response: '550 5.6.0 not this one', code: 550 });
    assert.equal(stage.sink.count, 0);
    assert.equal((await deliver(stage)).kind, 'accepted');
    assert.equal(stage.sink.connections, 1, `one connection served both (${at})`);
  }
});

test('the same verdicts from a server without PIPELINING', async () => {
  for (const at of ['mail', 'rcpt', 'data', 'dot'] as const) {
    const stage = await scene({
      extensions: ['no-pipelining'],
      faults: { rules: [{ at, act: 'reply', reply: '550 5.6.0 not this one', times: 1 }] },
    });
    assert.partialDeepStrictEqual(await deliver(stage), { kind: 'refused', code: 550 });
    assert.equal((await deliver(stage)).kind, 'accepted');
  }
});

test('whatever the lines of a message are, they arrive as they were', async () => {
  const stage = await scene();
  const piece = fc.constantFrom('.', '..', '.\0', ' ', 'a', 'é', 'x'.repeat(300), '\t', '-', '\u{1f4e8}');
  const line = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 400 }), async (lines) => {
      const mime = Buffer.from(`${lines.join('\r\n')}\r\n`);
      assert.equal((await stage.provider.send(anOutgoingMessage({ mime }), DEADLINE)).kind, 'accepted');
      assert.ok(stage.sink.messages.at(-1)?.mime.equals(mime));
    }),
    { numRuns: 100 },
  );
});

test('MAIL, RCPT and DATA leave in one go where the server allows it', async () => {
  // The server answers nothing before it has DATA: only a client that does not wait gets on.
  const stage = await scene({ faults: { rules: [{ at: 'mail', act: 'slow', ms: 50 }] } });
  assert.equal((await deliver(stage)).kind, 'accepted');
  assert.deepEqual(
    stage.sink.commands.map((line) => line.slice(0, 4)),
    ['EHLO', 'MAIL', 'RCPT', 'DATA'],
  );
});

test('trouble before the first message is the operator’s: refused connection, EHLO, nobody listening', async () => {
  const greeting = await verdictWith({ at: 'connect', act: 'reply', reply: '554 5.7.1 no service for you' });
  assert.partialDeepStrictEqual(greeting.verdict, { kind: 'temporary', code: 554, throttled: false });

  const stage = await scene();
  await stage.sink.disappear();
  assert.partialDeepStrictEqual(await deliver(stage), { kind: 'temporary', code: null, throttled: false });
});

test('a host name that does not resolve is temporary', async () => {
  const provider = createSmtpProvider(settingsFor(25, { host: 'no-such-host.invalid' }), { log });
  await provider.start();
  closing.push(() => provider.stop());
  assert.partialDeepStrictEqual(await provider.send(anOutgoingMessage(), DEADLINE), { kind: 'temporary', code: null });
});

test('wrong credentials never mark a message failed', async () => {
  const auth = { user: 'ann', pass: 'right' };
  const stage = await scene({ auth, settings: { auth: { user: 'ann', pass: 'wrong' } } });
  assert.partialDeepStrictEqual(await deliver(stage), { kind: 'temporary', code: 535, throttled: false });
  const none = await scene({ auth });
  assert.partialDeepStrictEqual(await deliver(none), { kind: 'temporary', code: 530, throttled: false });
  const right = await scene({ auth, settings: { auth } });
  assert.equal((await deliver(right)).kind, 'accepted');
  const unasked = await scene({ settings: { auth } });
  assert.partialDeepStrictEqual(await deliver(unasked), { kind: 'temporary', code: null });
});

test('credentials are said to be wrong once in the log, not with every message, and never shown', async () => {
  logged.length = 0;
  const auth = { user: 'ann', pass: 'right' };
  const stage = await scene({ auth, settings: { auth: { user: 'ann', pass: 'hunter2' } } });
  for (let count = 0; count < 3; count += 1) await deliver(stage);
  assert.equal(logged.filter((line) => line.includes('does not let us in')).length, 1);
  assert.ok(!logged.some((line) => line.includes('hunter2')));
});

test('a connection lost before the server asked for the message is temporary', async () => {
  for (const at of ['connect', 'ehlo', 'mail', 'rcpt', 'data'] as const) {
    const { verdict, sink } = await verdictWith({ at, act: 'drop' });
    assert.partialDeepStrictEqual(verdict, { kind: 'temporary', code: null, throttled: false });
    assert.equal(sink.count, 0);
  }
});

test('a connection lost after the final dot, without an answer, is unknown: taken or not', async () => {
  for (const [act, taken] of [
    ['drop', 0],
    ['take-and-drop', 1],
  ] as const) {
    const { verdict, sink } = await verdictWith({ at: 'dot', act });
    assert.equal(verdict.kind, 'unknown');
    assert.equal(sink.count, taken, 'it was not offered a second time');
  }
});

test('a time-out after the final dot is unknown, and the connection is destroyed', async () => {
  for (const act of ['hang', 'take-and-hang'] as const) {
    const stage = await scene({ faults: { rules: [{ at: 'dot', act, times: 1 }] } });
    assert.equal((await deliver(stage, ['ada@example.net'], 1_000)).kind, 'unknown');
    assert.equal((await deliver(stage)).kind, 'accepted');
    assert.equal(stage.sink.connections, 2);
  }
});

test('a time-out before the message was asked for is temporary', async () => {
  for (const at of ['connect', 'ehlo', 'mail', 'rcpt', 'data'] as const) {
    const stage = await scene({ faults: { rules: [{ at, act: 'hang' }] } });
    const verdict = await deliver(stage, ['ada@example.net'], 200);
    assert.partialDeepStrictEqual(verdict, { kind: 'temporary', code: null });
    await stage.provider.stop(); // leaves no attempt behind
  }
});

test('a connection lost in the middle of a large message, whose end never left, is temporary', async () => {
  const stage = await scene({ faults: { rules: [{ at: 'body', act: 'hang' }] } });
  const mime = Buffer.concat([
    Buffer.from('Subject: x\r\n\r\n'),
    Buffer.alloc(64 * 1024 * 1024, 'a'),
    Buffer.from('\r\n'),
  ]);
  const sending = stage.provider.send(anOutgoingMessage({ mime }), { deadlineMs: 5_000 });
  while (!stage.sink.commands.includes('DATA')) await new Promise(setImmediate);
  await stage.sink.disappear();
  assert.partialDeepStrictEqual(await sending, { kind: 'temporary', code: null });
});

test('an answer in the middle of the message counts, and the rest of the message is not read as commands', async () => {
  const rules: FaultRule[] = [{ at: 'body', act: 'reply', reply: '552 5.3.4 too large', times: 1 }];
  const stage = await scene({ faults: { rules }, settings: { connections: 1 } });
  const mime = Buffer.alloc(64 * 1024 * 1024, 'a');
  const verdict = await stage.provider.send(anOutgoingMessage({ mime }), DEADLINE);
  assert.partialDeepStrictEqual(verdict, { kind: 'refused', code: 552 });
  assert.equal((await deliver(stage)).kind, 'accepted');
  assert.equal(stage.sink.connections, 2);
  assert.deepEqual(
    stage.sink.messages.map((message) => message.size),
    [anOutgoingMessage().mime.length],
  );
});

test('a process that was frozen before the first byte does not begin after its deadline', async () => {
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const stage = await scene({ provider: { clock }, faults: { rules: [{ at: 'data', act: 'slow', ms: 20 }] } });
  const sending = deliver(stage);
  while (!stage.sink.commands.includes('DATA')) await new Promise(setImmediate);
  nowMs = DEADLINE.deadlineMs + 1; // time passed, and the timers of the deadline have not run yet
  assert.partialDeepStrictEqual(await sending, { kind: 'temporary', code: null });
  assert.equal(stage.sink.count, 0);
});

test('an answer to the message that is no SMTP reply is unknown, not sent', async () => {
  for (const reply of ['<html>please sign in</html>', 'OK', '2', '354 go on', '']) {
    const stage = await scene({ faults: { rules: [{ at: 'dot', act: 'reply', reply, times: 1 }] } });
    assert.equal((await deliver(stage, ['ada@example.net'], 1_000)).kind, 'unknown', JSON.stringify(reply));
  }
});

test('garbage before the message is temporary', async () => {
  for (const at of ['connect', 'mail', 'rcpt', 'data'] as const) {
    const { verdict } = await verdictWith({ at, act: 'reply', reply: 'HTTP/1.1 400 Bad Request' });
    assert.equal(verdict.kind, 'temporary', at);
  }
});

test('some recipients refused: the message is accepted and says which', async () => {
  const { verdict, sink } = await verdictWith(
    { at: 'rcpt', act: 'reply', reply: '550 5.1.1 no such user', address: 'bob@example.net' },
    ['ada@example.net', 'bob@example.net', 'cleo@example.net'],
  );
  assert.partialDeepStrictEqual(verdict, {
    kind: 'accepted',
    refusedRecipients: [{ address: 'bob@example.net', response: '550 5.1.1 no such user' }],
  });
  assert.deepEqual(sink.messages[0]?.to, ['ada@example.net', 'cleo@example.net']);
});

test('all recipients refused: refused, but temporary while one of them may be taken later', async () => {
  const rules: FaultRule[] = [
    { at: 'rcpt', act: 'reply', reply: '550 5.1.1 no such user', address: 'bob@example.net' },
    { at: 'rcpt', act: 'reply', reply: '450 4.2.1 busy', address: 'ada@example.net' },
  ];
  const stage = await scene({ faults: { rules } });
  assert.partialDeepStrictEqual(await deliver(stage, ['bob@example.net']), { kind: 'refused', code: 550 });
  assert.partialDeepStrictEqual(await deliver(stage, ['bob@example.net', 'ada@example.net']), {
    kind: 'temporary',
    code: 450,
  });
  assert.equal(stage.sink.count, 0);
});

test('a message larger than the server takes is refused without being offered', async () => {
  const stage = await scene({ sizeMax: 100 });
  const verdict = await stage.provider.send(anOutgoingMessage({ mime: Buffer.alloc(200, 'a') }), DEADLINE);
  assert.partialDeepStrictEqual(verdict, { kind: 'refused', code: null });
  assert.ok(!stage.sink.commands.some((line) => line.startsWith('MAIL')));
});

const aMessageSaying = (text: string) => anOutgoingMessage({ mime: Buffer.from(`Subject: x\r\n\r\n${text}\r\n`) });

test('a message in 8 bits says so before it is offered, and one in 7 bits does not', async () => {
  const stage = await scene();
  for (const text of ['Hello', 'Grüße'])
    assert.equal((await stage.provider.send(aMessageSaying(text), DEADLINE)).kind, 'accepted');
  const commands = stage.sink.commands.filter((line) => line.startsWith('MAIL'));
  assert.deepEqual(
    commands.map((line) => line.includes(' BODY=8BITMIME')),
    [false, true],
  );
});

test('a server without 8BITMIME gets no byte of a message in 8 bits, which is refused; other mail goes on', async () => {
  const stage = await scene({ extensions: ['no-8bitmime'], settings: { connections: 1 } });
  assert.equal((await stage.provider.send(aMessageSaying('Hello'), DEADLINE)).kind, 'accepted');
  const verdict = await stage.provider.send(aMessageSaying('Grüße'), DEADLINE);
  assert.equal(verdict.kind, 'refused');
  assert.match(verdict.response, /does not offer 8BITMIME/);
  assert.equal((await stage.provider.send(aMessageSaying('Hello again'), DEADLINE)).kind, 'accepted');
  assert.deepEqual([stage.sink.count, stage.sink.connections], [2, 1]);
  assert.equal(stage.sink.commands.filter((line) => line.startsWith('MAIL')).length, 2);
});

test('an address cannot smuggle a command', async () => {
  const stage = await scene();
  for (const to of ['a@example.net>\r\nRSET\r\nMAIL FROM:<x@y', 'a@example.net> NOTIFY=NEVER <b@example.net']) {
    assert.equal((await deliver(stage, [to])).kind, 'refused');
  }
  assert.equal(stage.sink.count, 0);
  assert.ok(!stage.sink.commands.includes('RSET') || !stage.sink.commands.some((line) => line.includes('x@y')));
});
