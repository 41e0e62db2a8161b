/**
 * large: 5,000 emails of 100 KB, each with a content of its own, accepted while no worker runs and then sent by one
 * worker process into Postfix's smtp-sink with the pacing out of the way; unsigned and signed. Beside it, to the same
 * sink in the same run, a loop of nodemailer's sendMail over its pool with messages of the same size.
 *
 *   npm run bench -- large [emails] [emails of the loop]
 */
import { startDebianSmtpSink } from '../test/harness/postfix.ts';
import type { PosthornProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { drainQueue } from './drain-queue.ts';
import { nodemailerLoop } from './nodemailer-loop.ts';
import { requireSink } from './require-sink.ts';
import { report } from './results.ts';

const EMAILS = Number(process.argv[2] ?? 5_000);
const LOOP = Number(process.argv[3] ?? EMAILS / 5);
const AT_ONCE = 8;
const LINE = '<p>Thank you for your order. We packed it today, and it is on its way to you.</p>\n';
const text = 'Thank you for your order.';
const htmlOf = (n: number): string => `<h1>Order ${n}</h1>\n${LINE.repeat(Math.ceil(100_000 / LINE.length))}`;

async function fill(api: PosthornProcess, from: string): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < EMAILS; n = next++) {
      const message = { from, to: `u${n}@example.com`, subject: `Order ${n}`, html: htmlOf(n), text };
      const { status, body } = await api.fetch('/v1/send', { body: message });
      if (status !== 202) throw new Error(JSON.stringify(body));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

requireSink();
await using stack = new AsyncDisposableStack();
const database = await startBenchDatabase();
stack.defer(() => database.close());
const sink = await startDebianSmtpSink();
stack.defer(() => sink.stop());
for (const [name, from, isSigned] of [
  ['unsigned', 'shop@bench.example', false],
  ['DKIM-signed', 'shop@posthorn.test', true],
] as const) {
  const messageTo = (n: number): object => ({
    from: 'a@posthorn.test',
    to: `u${n}@example.com`,
    subject: `Order ${n}`,
    html: htmlOf(n),
    text,
  });
  const ours = await drainQueue(stack, {
    database,
    sinkPort: sink.port,
    emails: EMAILS,
    fill: (api) => fill(api, from),
  });
  const theirs = await nodemailerLoop({ port: sink.port, emails: LOOP, isSigned, messageTo });
  report(
    `large, ${name}`,
    `${EMAILS} emails of 100 KB: ${ours.perSecond.toFixed(0)}/s; nodemailer loop ${theirs.perSecond.toFixed(0)}/s: ` +
      `ratio ${(ours.perSecond / theirs.perSecond).toFixed(2)}; CPU per 1,000: worker ${ours.nodeMs.toFixed(2)} s, ` +
      `PostgreSQL ${ours.postgresMs.toFixed(2)} s, loop ${theirs.nodeMs.toFixed(2)} s`,
    isSigned ? '≥ 400/s on 2 cores' : 'none',
  );
}
