/**
 * The sink as a process of its own, for tests that kill what sends to it and for benches:
 *
 *   node test/harness/smtp-sink-process.ts --port 2525 --out messages.jsonl [--seed 7] [--bytes]
 *     [--fault '{"at":"dot","act":"take-and-drop","share":0.05}']…
 *
 * Prints one JSON line `{"port":…}` when it listens. Each message is one JSON line in the file, written before the
 * message is answered: at and begun_at (milliseconds since the epoch, of
 * the last byte and of MAIL FROM), connection, from, to, size, message_id, email_id (the
 * X-Posthorn-Email-Id header, when there is one), subject, and mime (base64) with --bytes. SIGTERM prints
 * `{"count":…}` and ends it; SIGUSR2 makes the server vanish, or come back.
 */
import { openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { FaultRule } from './smtp-faults.ts';
import { startSmtpSink } from './smtp-sink.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    fault: { type: 'string', multiple: true, default: [] },
    bytes: { type: 'boolean', default: false },
  },
});
const file = values.out === undefined ? undefined : openSync(values.out, 'a');
const rules = values.fault.map((text) => JSON.parse(text) as FaultRule); // a tool for ourselves: trusted input

const sink = await startSmtpSink({
  port: Number(values.port),
  faults: { seed: Number(values.seed), rules },
  keepMessages: false,
  keepBytes: values.bytes,
  onMessage(message) {
    if (file === undefined) return;
    const line = {
      at: message.at,
      begun_at: performance.timeOrigin + message.begunMs,
      connection: message.connection,
      from: message.from,
      to: message.to,
      size: message.size,
      message_id: message.header('message-id'),
      email_id: message.header('x-posthorn-email-id'),
      subject: message.header('subject'),
      ...(values.bytes ? { mime: message.mime.toString('base64') } : {}),
    };
    writeSync(file, `${JSON.stringify(line)}\n`);
  },
});

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
// A server that vanished has nothing left to keep the process alive for.
const alive = setInterval(() => undefined, 60_000);
let away = false;
process.on('SIGUSR2', () => {
  away = !away;
  void (away ? sink.disappear() : sink.comeBack());
});
process.on('SIGTERM', () => {
  void sink.stop().then(() => {
    say({ count: sink.count });
    clearInterval(alive);
  });
});
say({ port: sink.port });
