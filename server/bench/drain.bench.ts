/**
 * drain: a queue of emails of 4 KB html, filled through POST /v1/send while no worker runs, then emptied by one
 * worker process into Postfix's smtp-sink with the pacing out of the way; unsigned and signed. Beside it, to the same
 * sink in the same run, what most senders do: a loop of nodemailer's sendMail over its pool with html and text of the
 * same size.
 *
 *   npm run bench -- drain [emails] [emails of the loop]
 */
import { startDebianSmtpSink } from '../test/harness/postfix.ts';
import type { PosthornProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { drainQueue } from './drain-queue.ts';
import { nodemailerLoop } from './nodemailer-loop.ts';
import { requireSink } from './require-sink.ts';
import { report } from './results.ts';

const EMAILS = Number(process.argv[2] ?? 20_000);
const LOOP = Number(process.argv[3] ?? EMAILS / 5);
const CALL_MAX = 1_000;
const html = `<p>${'Hello, this is your receipt. '.repeat(140)}</p>`;
const text = 'Hello, this is your receipt. '.repeat(140);

async function fill(api: PosthornProcess, from: string): Promise<void> {
  for (let first = 0; first < EMAILS; first += CALL_MAX) {
    const to = Array.from({ length: Math.min(CALL_MAX, EMAILS - first) }, (_, n) => `u${first + n}@example.com`);
    const { status, body } = await api.fetch('/v1/send', { body: { from, to, subject: 'Your receipt', html } });
    if (status !== 202) throw new Error(JSON.stringify(body));
  }
}

const loop = (port: number, isSigned: boolean): Promise<{ perSecond: number; nodeMs: number }> =>
  nodemailerLoop({
    port,
    emails: LOOP,
    isSigned,
    messageTo: (n) => ({ from: 'a@posthorn.test', to: `u${n}@example.com`, subject: 'Your receipt', html, text }),
  });

requireSink();
await using stack = new AsyncDisposableStack();
const database = await startBenchDatabase();
stack.defer(() => database.close());
const sink = await startDebianSmtpSink();
stack.defer(() => sink.stop());
for (const [name, from, dkim] of [
  ['unsigned', 'shop@bench.example', false],
  ['DKIM-signed', 'shop@posthorn.test', true],
] as const) {
  const before = await loop(sink.port, dkim);
  const ours = await drainQueue(stack, {
    database,
    sinkPort: sink.port,
    emails: EMAILS,
    fill: (api) => fill(api, from),
  });
  const after = await loop(sink.port, dkim);
  const theirs = (before.perSecond + after.perSecond) / 2;
  report(
    `drain, ${name}`,
    `${ours.perSecond.toFixed(0)}/s; nodemailer loop ${theirs.toFixed(0)}/s: ratio ${(ours.perSecond / theirs).toFixed(2)}; ` +
      `CPU per 1,000: worker ${ours.nodeMs.toFixed(2)} s, PostgreSQL ${ours.postgresMs.toFixed(2)} s, loop ${after.nodeMs.toFixed(2)} s`,
    '≥ 4 times the loop',
  );
}
