/**
 * pace: one send to 1,000 recipients at 12 a second, with one worker process and with four on the same database. Its
 * yardstick is arithmetic: the last message is due 999 twelfths of a second after the first. A message counts when the
 * SMTP server has it.
 *
 *   npm run bench -- pace [recipients] [processes, processes, …]
 */
import { startProcess } from '../test/harness/posthorn-process.ts';
import { mostInWindow, startSmtpSink } from '../test/harness/smtp-sink.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const RATE = 12;
const RECIPIENTS = Number(process.argv[2] ?? 1_000);
const PROCESSES = (process.argv[3] ?? '1,4').split(',').map(Number);

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
  const to = Array.from({ length: RECIPIENTS }, (_, n) => `u${n}@example.com`);
  const { status } = await api.fetch('/v1/send', {
    body: { from: 'shop@bench.example', to, subject: 'Pace', text: 'One of many.' },
  });
  if (status !== 202) throw new Error(`answered ${status}`);
  await sink.waitFor(RECIPIENTS, (RECIPIENTS / RATE) * 2_000 + 10_000);
  const times = sink.messages.map((message) => message.monotonicMs).toSorted((a, b) => a - b);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
  const due = (RECIPIENTS - 1) / RATE;
  report(
    `pace, ${processes} worker${processes === 1 ? '' : 's'}`,
    `${RECIPIENTS} in ${seconds.toFixed(2)} s, due in ${due.toFixed(2)} s: ratio ${(seconds / due).toFixed(4)}; at most ${mostInWindow(times)} in any second`,
    'ratio 0.99 to 1.01, at most 13 in any second',
  );
}
