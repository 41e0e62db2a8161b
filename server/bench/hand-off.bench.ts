/**
 * How fast finished messages leave through the SMTP provider: 4 KB each, one process, against Postfix's smtp-sink (our
 * own sink as a process where it is not installed). Beside it, in the same run, nodemailer's pooled sendMail with the
 * same bytes ready-made, and composing them each time, which is what most senders do.
 *
 *   npm run bench -- hand-off [messages] [connections]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { createLog } from '#platform/log.ts';
import { createSmtpProvider } from '#providers/smtp/smtp-provider.ts';
import { anOutgoingMessage } from '../test/harness/outgoing-message.ts';
import { smtpSinkMissing, startDebianSmtpSink } from '../test/harness/postfix.ts';

const [messages = 20_000, connections = 10] = process.argv.slice(2).map(Number);
const html = `<p>${'lorem ipsum dolor sit amet, '.repeat(140)}</p>`;
const mime = Buffer.from(
  `From: shop@example.com\r\nTo: ada@example.net\r\nSubject: Bench\r\nMIME-Version: 1.0\r\n` +
    `Content-Type: text/html; charset=utf-8\r\n\r\n${html.replace(/.{70}/g, '$&\r\n')}\r\n`,
);
const envelope = { from: 'shop@example.com', to: ['ada@example.net'] };

async function startSink(): Promise<{ name: string; port: number; stop(): unknown }> {
  if (smtpSinkMissing === false) return { name: 'Postfix smtp-sink', ...(await startDebianSmtpSink()) };
  const program = path.join(import.meta.dirname, '../test/harness/smtp-sink-process.ts');
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const { port } = JSON.parse(String(line)) as { port: number }; // what our own program prints
  return { name: 'our own sink', port, stop: () => child.kill() };
}

/**
 * Messages a second, and CPU milliseconds of this process for a thousand, with twice as many in hand as connections.
 */
async function measure(count: number, send: () => Promise<unknown>): Promise<{ rate: number; cpuMs: number }> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: connections * 2 }, lane));
  const seconds = (performance.now() - startedMs) / 1000;
  const used = process.cpuUsage(cpu);
  return { rate: count / seconds, cpuMs: (used.user + used.system) / count };
}

const sink = await startSink();
const provider = createSmtpProvider(
  {
    host: '127.0.0.1',
    port: sink.port,
    tls: 'none',
    auth: null,
    connections,
    messagesPerConnection: 5_000,
    ehloName: null,
  },
  { log: createLog({ level: 'warn' }) },
);
await provider.start();
const pool = createTransport({
  pool: true,
  host: '127.0.0.1',
  port: sink.port,
  ignoreTLS: true,
  maxConnections: connections,
  maxMessages: 5_000,
});

const message = anOutgoingMessage({ mime, envelope });
const ours = await measure(messages, async () => {
  const verdict = await provider.send(message, { deadlineMs: 30_000 });
  if (verdict.kind !== 'accepted') throw new Error(verdict.response);
});
const raw = await measure(messages / 4, () => pool.sendMail({ envelope, raw: mime }));
const composed = await measure(messages / 8, () =>
  pool.sendMail({ from: envelope.from, to: envelope.to, subject: 'Bench', html, text: html }),
);
await provider.stop();
pool.close();
await sink.stop();

const row = (name: string, result: { rate: number; cpuMs: number }): string =>
  `${name.padEnd(38)} ${Math.round(result.rate).toString().padStart(7)}/s ${result.cpuMs.toFixed(0).padStart(6)} ms CPU per 1,000 ${(ours.rate / result.rate).toFixed(1).padStart(6)}`;
process.stdout.write(
  [
    `${messages} messages of ${mime.length} bytes to ${sink.name} over ${connections} connections; last column: ours ÷ it`,
    row('SMTP provider, finished bytes', ours),
    row('nodemailer pool, finished bytes', raw),
    row('nodemailer pool, composing html and text', composed),
    '',
  ].join('\n'),
);
