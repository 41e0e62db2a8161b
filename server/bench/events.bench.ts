// events: deliveries that Amazon SNS reports, posted over 16 connections to one process: the signature verified, the
// notification stored, read and applied, a webhook delivery written for one endpoint. From the first post to the last
// email that is delivered. Beside it a bare Fastify route that verifies the same signature and commits the raw message.
// The two take turns, so that the machine's moods even out.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { newId } from '#platform/ids.ts';
import { startFakeSns } from '../test/harness/fake-sns.ts';
import { freePort, startProcess } from '../test/harness/posthorn-process.ts';
import { deliveryEvent } from '../test/harness/ses-payloads.ts';
import { startBenchDatabase } from './bench-database.ts';
import { postgresMeter, processorMs } from './processor-time.ts';
import { report } from './results.ts';

const ROUNDS = Number(process.argv[2] ?? 3);
const EVENTS = Number(process.argv[3] ?? 6_000);
const WARM_EVENTS = 3_000;
const CONNECTIONS = 16;

const sns = await startFakeSns();
const database = await startBenchDatabase();
const ours = await startProcess({
  databaseUrl: database.url,
  env: {
    POSTHORN_SES_TOPIC_ARNS: sns.topicArn,
    POSTHORN_SNS_CERT_HOST: sns.origin,
    POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
  },
  nodeArgs: process.env['BENCH_NODE_ARGS']?.split(' ') ?? [],
});
const port = await freePort();
const bare = spawn(process.execPath, [fileURLToPath(new URL('./yardstick-events-server.ts', import.meta.url))], {
  env: { ...process.env, DATABASE_URL: database.url, PORT: String(port), CERTIFICATE: sns.certificate },
  stdio: ['ignore', 'pipe', 'inherit'],
});
await new Promise((resolve) => bare.stdout.once('data', resolve));

const { rows: homes } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
const workspaceId = homes[0]?.id ?? '';
await ours.fetch('/v1/webhooks', { body: { url: 'https://hooks.example.com/', events: ['delivery'] } });
// Somebody else delivers: what is measured ends with the rows.
await sql`
  insert into webhook_leases (workspace_id, webhook_id, token, until)
  select workspace_id, id, ${newId()}, now() + interval '1 day' from webhooks where workspace_id = ${workspaceId}
  on conflict (workspace_id, webhook_id) do update set token = excluded.token, until = excluded.until`.execute(
  database.db,
);

/** The notifications that so many emails were delivered. */
async function notifications(count: number): Promise<string[]> {
  const contentId = newId();
  await sql`
    insert into contents (workspace_id, id, from_address, from_domain, subject, html)
    values (${workspaceId}, ${contentId}, 'hello@posthorn.test', 'posthorn.test', 'Hello', '<p>Hello</p>')`.execute(
    database.db,
  );
  const { rows } = await sql<{ emailId: string; recipient: string; messageId: string }>`
    insert into emails (workspace_id, id, content_id, recipient, recipient_typed, lane, turn, status, attempts, sent_at,
      handoff_at, provider_message_id)
    select ${workspaceId}, ph_uuidv7(), ${contentId}, 'p' || n || '@example.com', 'p' || n || '@example.com', 1, 0, 'sent',
      1, now(), now(), ${contentId} || '-' || n
      from generate_series(1, ${count}::integer) as n
    returning id as "emailId", recipient, provider_message_id as "messageId"`.execute(database.db);
  return rows.map(({ emailId, recipient, messageId }) => {
    const mail = { messageId, workspaceId, emailId, destination: [recipient], sentAt: new Date(Date.now() - 10_000) };
    return JSON.stringify(sns.notification(deliveryEvent(mail)));
  });
}

interface Posted {
  ms: number;
  bad: number;
  p99: number;
}

async function postAll(url: string, bodies: readonly string[]): Promise<Posted> {
  const pool = new Pool(new URL(url).origin, { connections: CONNECTIONS });
  const waiting = [...bodies];
  const took: number[] = [];
  let bad = 0;
  const startedAt = performance.now();
  const connection = async (): Promise<void> => {
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
      const at = performance.now();
      const headers = { 'content-type': 'text/plain; charset=UTF-8' };
      const answer = await pool.request({ method: 'POST', path: new URL(url).pathname, headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) bad += 1;
      took.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  await pool.close();
  took.sort((a, b) => a - b);
  return { ms: performance.now() - startedAt, bad, p99: took[Math.floor(took.length * 0.99)] ?? 0 };
}

async function untilApplied(count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from webhook_deliveries where workspace_id = ${workspaceId}`.execute(database.db);
    if ((rows[0]?.n ?? 0) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

interface Run {
  perSecond: number;
  storedPerSecond: number;
  p99: number;
  bad: number;
  nodeMs: number;
  postgresMs: number;
}

const postgres = await postgresMeter(database.db);
let applied = 0;
async function runOurs(bodies: readonly string[]): Promise<Run> {
  const [nodeBefore, postgresBefore, startedAt] = [processorMs(ours.pid), postgres(), performance.now()];
  const posted = await postAll(`${ours.url}/events/ses`, bodies);
  applied += bodies.length;
  await untilApplied(applied);
  return {
    perSecond: (bodies.length / (performance.now() - startedAt)) * 1_000,
    storedPerSecond: (bodies.length / posted.ms) * 1_000,
    p99: posted.p99,
    bad: posted.bad,
    nodeMs: (processorMs(ours.pid) - nodeBefore) / bodies.length,
    postgresMs: (postgres() - postgresBefore) / bodies.length,
  };
}
async function runBare(bodies: readonly string[]): Promise<Run> {
  const pid = bare.pid ?? 0;
  const [nodeBefore, postgresBefore] = [processorMs(pid), postgres()];
  const posted = await postAll(`http://127.0.0.1:${port}/events`, bodies);
  const perSecond = (bodies.length / posted.ms) * 1_000;
  return {
    perSecond,
    storedPerSecond: perSecond,
    p99: posted.p99,
    bad: posted.bad,
    nodeMs: (processorMs(pid) - nodeBefore) / bodies.length,
    postgresMs: (postgres() - postgresBefore) / bodies.length,
  };
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
// Long enough for the compiler: a service runs for days, and a cold route costs three times a warm one.
const warm = await notifications(WARM_EVENTS);
await runOurs(warm);
await runBare(warm);
const mine: Run[] = [];
const theirs: Run[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const bodies = await notifications(EVENTS);
  mine.push(await runOurs(bodies));
  theirs.push(await runBare(bodies));
}
const of = (runs: Run[], name: keyof Run): number => median(runs.map((run) => run[name]));
const cpu = (runs: Run[]): string =>
  `${(of(runs, 'nodeMs') * 1_000).toFixed(0)} + ${(of(runs, 'postgresMs') * 1_000).toFixed(0)} µs`;
const bad = [...mine, ...theirs].reduce((sum, run) => sum + run.bad, 0);
report(
  'events',
  `${EVENTS} notifications over ${CONNECTIONS} connections: ${of(mine, 'perSecond').toFixed(0)}/s applied with a webhook row each (${of(mine, 'storedPerSecond').toFixed(0)}/s answered, p99 ${of(mine, 'p99').toFixed(0)} ms); bare route ${of(theirs, 'perSecond').toFixed(0)}/s, p99 ${of(theirs, 'p99').toFixed(0)} ms: ratio ${(of(mine, 'perSecond') / of(theirs, 'perSecond')).toFixed(2)}, ${bad} not 2xx; CPU of an event, Node + PostgreSQL: ${cpu(mine)}; bare ${cpu(theirs)}`,
  '≥ 2,500/s',
);
bare.kill();
await ours.stop();
await sns.stop();
await database.close();
