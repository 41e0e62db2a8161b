/**
 * webhooks: deliveries to one healthy endpoint (200 at once, loopback http) by one worker process, from the first
 * attempt to the last record: alone, and while the same number is due to an endpoint that never answers. Beside it,
 * to the same receiver in the same run, a bare loop of undici: five connections, the same bodies, signed in the same
 * way, nothing kept. Bodies are rendered from events, as they are for a first delivery. Then the same to a receiver
 * that answers after 200 ms, beside a loop of fifty connections.
 *
 *   npm run bench -- webhooks [deliveries]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { freePort, startProcess, TEST_SECRET } from '../test/harness/posthorn-process.ts';
import { generateSecret, sealSecret } from '../src/features/webhooks/endpoint-secret.ts';
import { signatureHeaders } from '../src/features/webhooks/signature.ts';
import { accepted } from '../test/harness/accepted-send.ts';
import { type BenchDatabase, startBenchDatabase } from './bench-database.ts';
import { postgresMeter, processorMs } from './processor-time.ts';
import { report } from './results.ts';

const DELIVERIES = Number(process.argv[2] ?? 6_000);
const PAGE = 1_000;
const CONNECTIONS = 5;
/** As many as an endpoint gets that answers well. */
const FAR_CONNECTIONS = 50;

interface Endpoint {
  id: string;
  url: string;
  secret: string;
}

async function anEndpoint(database: BenchDatabase, workspaceId: string, url: string): Promise<Endpoint> {
  const [id, secret] = [newId(), generateSecret()];
  await sql`insert into webhooks (workspace_id, id, url, secret, events, enabled)
    values (${workspaceId}, ${id}, ${url}, ${sealSecret(createSecrets(TEST_SECRET), secret)}, '{send}', false)`.execute(
    database.db,
  );
  return { id, url, secret };
}

/** Events of as many emails, delivered to every endpoint that is enabled. The emails themselves are settled. */
async function acceptEmails(database: BenchDatabase, workspaceId: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += PAGE) {
    await inTransaction(database.db, async (tx) => {
      const to = Array.from({ length: PAGE }, (_, n) => `u${first + n}@example.com`);
      await accepted(tx, workspaceId, to);
      await sql`update emails set status = 'sent', sent_at = now()
        where workspace_id = ${workspaceId} and status = 'queued'`.execute(tx);
    });
  }
}

async function settled(database: BenchDatabase, workspaceId: string, endpoint: Endpoint): Promise<void> {
  for (let open = 1; open > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from (select from webhook_deliveries
       where workspace_id = ${workspaceId} and webhook_id = ${endpoint.id} and status = 'pending' limit 1)`.execute(
      database.db,
    );
    open = rows[0]?.open ?? 0;
  }
}

interface Measured {
  perSecond: number;
  /** Milliseconds of processor time for one delivery. */
  nodeMs: number;
  postgresMs: number;
}

async function startReceiverProcess(stack: AsyncDisposableStack): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL('./webhook-receiver-server.ts', import.meta.url))], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stack.defer(() => void child.kill());
  await once(child.stdout, 'data');
  return `http://127.0.0.1:${port}`;
}

/** The bodies that were sent, signed and posted again by a loop that does nothing else. */
async function loop(origin: string, bodies: readonly string[], secret: string, far = false): Promise<Measured> {
  const connections = far ? FAR_CONNECTIONS : CONNECTIONS;
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < bodies.length; n = next++) {
      const body = bodies[n] ?? '';
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const headers = signatureHeaders({
        body,
        secrets: [secret],
        timestampSeconds,
        eventId: newId(),
        eventType: 'send',
        deliveryId: newId(),
        attempt: 1,
      });
      const answer = await pool.request({ path: far ? '/far' : '/ok', method: 'POST', headers, body });
      await answer.body.text();
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  const perSecond = (bodies.length / (performance.now() - startedMs)) * 1_000;
  const used = process.cpuUsage(cpu);
  await pool.close();
  return { perSecond, nodeMs: (used.user + used.system) / 1_000 / bodies.length, postgresMs: 0 };
}

await using stack = new AsyncDisposableStack();
const database = await startBenchDatabase();
stack.defer(() => database.close());
const origin = await startReceiverProcess(stack);
const worker = await startProcess({
  databaseUrl: database.url,
  args: ['--role', 'worker'],
  listens: false,
  env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' },
});
stack.defer(async () => void (await worker.stop()));
const workspaceId = newId();
await sql`insert into workspaces (id, name, slug) values (${workspaceId}, 'Bench', 'bench')`.execute(database.db);
const postgres = await postgresMeter(database.db);

async function deliver(withDead: boolean, path = '/ok'): Promise<Measured> {
  const healthy = await anEndpoint(database, workspaceId, `${origin}${path}`);
  const dead = withDead ? await anEndpoint(database, workspaceId, `${origin}/never`) : undefined;
  const enabled = [healthy, ...(dead === undefined ? [] : [dead])];
  // Due since before the worker may see them: the rate is that of a backlog.
  await sql`update webhooks set enabled = true where workspace_id = ${workspaceId}
    and id = any (${enabled.map((one) => one.id)}::uuid[])`.execute(database.db);
  await sql`insert into webhook_leases (workspace_id, webhook_id, token, until)
    select ${workspaceId}, id, gen_random_uuid(), now() + interval '1 hour'
      from unnest(${enabled.map((one) => one.id)}::uuid[]) as id`.execute(database.db);
  await acceptEmails(database, workspaceId, DELIVERIES);
  await sql`vacuum analyze`.execute(database.db);
  const [nodeBefore, postgresBefore] = [processorMs(worker.pid), postgres()];
  await sql`update webhook_leases set until = now() where workspace_id = ${workspaceId}`.execute(database.db);
  await settled(database, workspaceId, healthy);
  const nodeMs = (processorMs(worker.pid) - nodeBefore) / DELIVERIES;
  const postgresMs = (postgres() - postgresBefore) / DELIVERIES;
  const { rows } = await sql<{ succeeded: number; seconds: number }>`
    select count(*) filter (where status = 'succeeded' and attempt = 1) as succeeded,
           extract(epoch from max(delivered_at) - min((attempts -> 0 ->> 'at')::timestamptz))::double precision as seconds
      from webhook_deliveries where workspace_id = ${workspaceId} and webhook_id = ${healthy.id}`.execute(database.db);
  const [{ succeeded, seconds } = { succeeded: 0, seconds: 0 }] = rows;
  if (succeeded !== DELIVERIES) throw new Error(`${succeeded} of ${DELIVERIES} were delivered at the first attempt`);
  await sql`update webhooks set enabled = false where workspace_id = ${workspaceId}`.execute(database.db);
  return { perSecond: DELIVERIES / seconds, nodeMs, postgresMs };
}

const mean = (all: readonly Measured[], pick: (one: Measured) => number): number =>
  all.reduce((sum, one) => sum + pick(one), 0) / all.length;

await deliver(false); // everything is compiled and every plan is made
const { rows: bodyRows } = await sql<{ body: string }>`
  select body from webhook_bodies where workspace_id = ${workspaceId} limit ${DELIVERIES}`.execute(database.db);
const bodies = bodyRows.map((row) => row.body);
const secret = generateSecret();
await loop(origin, bodies, secret);
const alone: Measured[] = [];
const beside: Measured[] = [];
const loops: Measured[] = [];
for (let round = 0; round < 3; round += 1) {
  loops.push(await loop(origin, bodies, secret));
  alone.push(await deliver(false));
  beside.push(await deliver(true));
}
const far = await deliver(false, '/far');
const farBeside = await deliver(true, '/far');
const farLoop = await loop(origin, bodies, secret, true);
const rate = (all: readonly Measured[]): number => mean(all, (one) => one.perSecond);
const cost = 1 - rate(beside) / rate(alone);
report(
  'webhooks',
  `${rate(alone).toFixed(0)}/s to a healthy endpoint, ${rate(beside).toFixed(0)}/s beside a dead one (it costs ${(cost * 100).toFixed(1)} %); ` +
    `undici loop ${rate(loops).toFixed(0)}/s: ratio ${(rate(alone) / rate(loops)).toFixed(2)}; ` +
    `CPU per 1,000: worker ${mean(alone, (one) => one.nodeMs).toFixed(2)} s, ` +
    `PostgreSQL ${mean(alone, (one) => one.postgresMs).toFixed(2)} s, loop ${mean(loops, (one) => one.nodeMs).toFixed(2)} s`,
  '≥ 300/s; a dead endpoint costs < 10 %',
);
report(
  'webhooks-far',
  `${far.perSecond.toFixed(0)}/s to an endpoint 200 ms away, ${farBeside.perSecond.toFixed(0)}/s beside a dead one ` +
    `(it costs ${((1 - farBeside.perSecond / far.perSecond) * 100).toFixed(1)} %); ` +
    `undici loop of ${FAR_CONNECTIONS} connections ${farLoop.perSecond.toFixed(0)}/s: ratio ${(far.perSecond / farLoop.perSecond).toFixed(2)}`,
  '≥ 200/s; a dead endpoint costs < 10 %',
);
