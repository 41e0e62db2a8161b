/**
 * pace: one send to 1,000 recipients at 12 a second, with one worker process and with four on the same database. Its
 * yardstick is arithmetic: the last message is due 999 twelfths of a second after the first. A message counts when the
 * SMTP server sees MAIL FROM. Afterwards the server stands still for 6 s in the middle of 240 more: it holds its
 * answers to the messages that it has, and gives them all at once.
 *
 *   npm run bench -- pace [recipients] [processes, processes, …] [recipients around the standstill]
 */
import { type PosthornProcess, startProcess } from '../test/harness/posthorn-process.ts';
import { mostInWindow, type SmtpSink, startSmtpSink } from '../test/harness/smtp-sink.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const RATE = 12;
const RECIPIENTS = Number(process.argv[2] ?? 1_000);
const PROCESSES = (process.argv[3] ?? '1,4').split(',').map(Number);
const AROUND = Number(process.argv[4] ?? 240);
const HELD_MS = 6_000;
// Mail flows evenly by then.
const HOLDS_AFTER = 36;

for (const processes of PROCESSES) {
  await using stack = new AsyncDisposableStack();
  const database = await startBenchDatabase();
  stack.defer(() => database.close());
  const sink = await startSmtpSink();
  stack.defer(() => sink.stop());
  const env = {
    POSTHORN_SEND_RATE: String(RATE),
    POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    POSTHORN_SENDER_DOMAINS: 'bench.example',
  };
  const api = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'], env });
  stack.defer(async () => void (await api.stop()));
  const workers = await Promise.all(
    Array.from({ length: processes }, () =>
      startProcess({ databaseUrl: database.url, args: ['--role', 'worker'], listens: false, env }),
    ),
  );
  for (const worker of workers) stack.defer(async () => void (await worker.stop()));
  const name = `pace, ${processes} worker${processes === 1 ? '' : 's'}`;

  const even = await begunAt(sink, RECIPIENTS, () => send(api, 'even', RECIPIENTS));
  const seconds = ((even.at(-1) ?? 0) - (even[0] ?? 0)) / 1_000;
  const due = (RECIPIENTS - 1) / RATE;
  report(
    name,
    `${RECIPIENTS} in ${seconds.toFixed(2)} s, due in ${due.toFixed(2)} s: ratio ${(seconds / due).toFixed(4)}; at most ${mostInWindow(even)} in any second`,
    'ratio 0.99 to 1.01, at most 13 in any second',
  );

  const stalled = await begunAt(sink, AROUND, async () => {
    const { count } = sink;
    await send(api, 'stalled', AROUND);
    await sink.waitFor(count + HOLDS_AFTER);
    const until = new Promise((resolve) => setTimeout(resolve, HELD_MS));
    sink.setFaults({ rules: [{ at: 'dot', act: 'hold', until }] });
    await until;
    sink.setFaults(undefined);
  });
  report(
    `${name}, after it stood still for ${HELD_MS / 1_000} s`,
    `most in any second: ${mostInWindow(stalled)}, of ${AROUND}`,
    'at most 13 in any second',
  );
}

/** Sends, and waits until the server has so many more messages; the moments at which it saw each MAIL FROM, sorted. */
async function begunAt(sink: SmtpSink, messages: number, act: () => Promise<void>): Promise<number[]> {
  const { count } = sink;
  await act();
  await sink.waitFor(count + messages, (messages / RATE) * 2_000 + 2 * HELD_MS);
  return sink.messages
    .slice(count)
    .map(({ begunMs }) => begunMs)
    .sort((a, b) => a - b);
}

async function send(api: PosthornProcess, name: string, recipients: number): Promise<void> {
  const to = Array.from({ length: recipients }, (_, n) => `${name}-${n}@example.com`);
  const body = { from: 'shop@bench.example', to, subject: 'Pace', text: 'One of many.' };
  const { status } = await api.fetch('/v1/send', { body });
  if (status !== 202) throw new Error(`answered ${status}`);
}
