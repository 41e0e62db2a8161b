// inbound: messages of 4 KB and of 1 MB over SMTP from 20 senders at a time, each stored before its 250, then read by
// one worker without a DNS that answers; beside it the same messages to a listener that keeps nothing. Memory is that
// of the process that stores and reads. A greeting takes 100 ms, so 20 senders are at most 200/s.
import { sql } from 'kysely';
import { createSmtpListener } from '#platform/smtp/smtp-listener.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { aDomain } from '../test/harness/builders.ts';
import { deliverMail, wire } from '../test/harness/deliver-mail.ts';
import { freePort, startProcess } from '../test/harness/posthorn-process.ts';
import { until } from '../test/harness/until.ts';
import { readFileSync } from 'node:fs';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const MESSAGES = Number(process.argv[2] ?? 600);
const SENDERS = 20;
const TO = 'support+42@reply.acme.example';

const database = await startBenchDatabase();
const mailPort = await freePort();
const ours = await startProcess({
  databaseUrl: database.url,
  env: {
    POSTHORN_INBOUND_SMTP_PORT: String(mailPort),
    POSTHORN_INBOUND_PER_MINUTE: '0',
    POSTHORN_INBOUND_MB: '0',
    POSTHORN_DNS_SERVERS: '127.0.0.1:9',
  },
});
const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
const workspaceId = rows[0]?.id ?? '';
const domainId = await aDomain(database.db, workspaceId, 'reply.acme.example');
await sql`update domains set receiving_enabled = true where workspace_id = ${workspaceId} and id = ${domainId}`.execute(
  database.db,
);

const message = (number: number, bytes: number): Buffer =>
  wire(`From: Ada <ada@example.net>\nTo: ${TO}\nSubject: Re: your mail ${number}\nMessage-ID: <${number}.${bytes}@example.net>
Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nThanks!\n\nOn Friday Shop wrote:\n> Hello\n--b
Content-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: base64\n\n${`${'QUJD'.repeat(19)}\n`.repeat(bytes / 77)}\n--b--`);

async function deliverAll(port: number, count: number, bytes: number): Promise<number> {
  const startedMs = performance.now();
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      const answer = await deliverMail(port, { to: TO }, message(number, bytes));
      if (!answer.startsWith('250')) throw new Error(answer);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return count / ((performance.now() - startedMs) / 1_000);
}

const read = async (): Promise<number> => {
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from inbound_emails
     where workspace_id = ${workspaceId} and read_at is not null`.execute(database.db);
  return counted[0]?.count ?? 0;
};
const peakMb = (): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${ours.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);

const bare = createSmtpListener({
  name: 'bare',
  log: createLog({ level: 'silent' }),
  clock: systemClock,
  host: '127.0.0.1',
  port: 0,
  hostname: 'mx.example.com',
  certificate: null,
  messageBytes: 26_214_400,
  destinationOf: async () => ({
    key: 'bare',
    recipientsMax: 100,
    messageBytes: 26_214_400,
    keepBytes: 26_214_400,
    accept: async () => undefined,
  }),
});
await bare.start();
await deliverAll(mailPort, SENDERS, 770); // warm, and the port is open

for (const [name, count, bytes] of [
  ['4 KB', MESSAGES, 4_004],
  ['1 MB', Math.ceil(MESSAGES / 10), 1_048_586],
] as const) {
  const yardstick = await deliverAll(bare.port, count, bytes);
  const before = await read();
  const startedMs = performance.now();
  const stored = await deliverAll(mailPort, count, bytes);
  const all = before + count;
  await until('all to be read', async () => ((await read()) >= all ? true : undefined));
  const readPerSecond = count / ((performance.now() - startedMs) / 1_000);
  report(
    `inbound, ${name}`,
    `${count} messages: stored ${stored.toFixed(0)}/s, read ${readPerSecond.toFixed(0)}/s; a listener that keeps nothing ${yardstick.toFixed(0)}/s: ratio ${(stored / yardstick).toFixed(2)}; memory at most ${peakMb()} MB`,
    'none',
  );
}
await bare.stop();
await ours.stop();
await database.close();
