/**
 * wait: how long a transactional email waits while 50,000 bulk emails of three workspaces are queued, at 12 a second:
 * from the 202 to the moment the SMTP server has it, one send a second. Beside it, the same with an empty queue, and
 * while 5,000 people sign up at a newsletter of another workspace and are asked to confirm, and when they have and
 * their confirmation emails wait.
 *
 *   npm run bench -- wait [bulk emails] [sends] [sends with an empty queue] [sign-ups]
 */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { type PosthornProcess, startProcess } from '../test/harness/posthorn-process.ts';
import { type SmtpSink, startSmtpSink } from '../test/harness/smtp-sink.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const [BULK = 50_000, SENDS = 60, EMPTY_SENDS = 20, SIGN_UPS = 5_000] = process.argv.slice(2).map(Number);

/** Straight into the queue: what a broadcast leaves there. */
async function queueBulk(db: Db, emails: number): Promise<void> {
  const workspace = newId();
  const content = newId();
  await sql`insert into workspaces (id, name, slug) values (${workspace}, 'Bulk', ${workspace})`.execute(db);
  await sql`insert into contents (workspace_id, id, from_address, from_domain, subject, html)
    values (${workspace}, ${content}, 'news@bench.example', 'bench.example', 'News', ${'<p>News</p>'.repeat(300)})`.execute(
    db,
  );
  await sql`insert into emails (workspace_id, id, content_id, recipient, lane, turn, status)
    select ${workspace}, ph_uuidv7(), ${content}, 'bulk' || n || '@example.com', 2, n, 'queued'
      from generate_series(1, ${emails}::integer) as n where ${workspace}::uuid is not null`.execute(db);
}

/** Signs people up, with our key, at a newsletter with double opt-in. */
async function signUp(app: PosthornProcess, people: number): Promise<void> {
  const made = await app.fetch('/v1/newsletters', {
    body: { name: 'News', slug: 'news', from_email: 'news@bench.example' },
  });
  const { id } = made.body as { id: string };
  let next = 0;
  const signUpOthers = async (): Promise<void> => {
    for (let n = (next += 1); n <= people; n = next += 1) {
      const body = { email: `reader${n}@example.com` };
      const { status } = await app.fetch(`/v1/newsletters/${id}/subscribers`, { body });
      if (status !== 201) throw new Error(`a sign-up answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, signUpOthers));
}

/** The token of somebody who signed up for a workspace of their own. */
async function anotherWorkspace(app: PosthornProcess): Promise<string> {
  const account = { email: 'b@example.com', password: `A pass ${newId()}`, name: 'B', workspace_name: 'B' };
  const { status, body } = await app.fetch('/auth/register', { body: account });
  if (status !== 201) throw new Error(`registering answered ${status}: ${JSON.stringify(body)}`);
  return (body as { token: string }).token;
}

async function waits(
  app: PosthornProcess,
  sink: SmtpSink,
  { name, sends, token }: { name: string; sends: number; token: string },
): Promise<number[]> {
  const answered = new Map<string, number>();
  const startedMs = performance.now();
  for (let n = 0; n < sends; n += 1) {
    const at = startedMs + n * 1_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, at - performance.now())));
    const to = `${name}${n}@example.com`;
    const { status } = await app.fetch('/v1/send', {
      headers: { authorization: `Bearer ${token}` },
      body: { from: 'shop@bench.example', to: [to], subject: 'Your receipt', html: '<p>Thank you</p>' },
    });
    if (status !== 202) throw new Error(`answered ${status}`);
    answered.set(to, performance.now());
  }
  const arrivals = () => sink.messages.filter((message) => answered.has(message.to[0] ?? ''));
  for (let tries = 0; arrivals().length < sends; tries += 1) {
    if (tries > 600) throw new Error(`${arrivals().length} of ${sends} arrived`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return arrivals()
    .map((message) => Math.max(0, message.monotonicMs - (answered.get(message.to[0] ?? '') ?? 0)))
    .toSorted((a, b) => a - b);
}

const quantile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

await using stack = new AsyncDisposableStack();
const database = await startBenchDatabase();
stack.defer(() => database.close());
const sink = await startSmtpSink();
stack.defer(() => sink.stop());
const app = await startProcess({
  databaseUrl: database.url,
  env: {
    POSTHORN_SEND_RATE: '12',
    POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    POSTHORN_SENDER_DOMAINS: 'bench.example',
    POSTHORN_EDITION: 'self-hosted',
    POSTHORN_SIGNUP: 'open',
  },
});
stack.defer(async () => void (await app.stop()));
const token = await anotherWorkspace(app);
await waits(app, sink, { name: 'first', sends: 2, token });
const empty = await waits(app, sink, { name: 'empty', sends: EMPTY_SENDS, token });
const beganMs = performance.now();
const signingUp = signUp(app, SIGN_UPS);
const beside = await waits(app, sink, { name: 'beside', sends: Math.ceil(SENDS / 2), token });
await signingUp;
const { rows: asked } = await sql<{ waiting: number; sent: number }>`
  select count(*) filter (where e.status = 'queued')::integer as waiting,
         count(*) filter (where e.sent_at is not null)::integer as sent
    from emails e join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
   where r.source = 'confirmation'`.execute(database.db);
const askedSeconds = (performance.now() - beganMs) / 1_000;
const behind = await waits(app, sink, { name: 'behind', sends: SENDS, token });
await sql`delete from emails where status in ('queued', 'deferred')`.execute(database.db);
for (let workspace = 0; workspace < 3; workspace += 1) await queueBulk(database.db, Math.ceil(BULK / 3));
const busy = await waits(app, sink, { name: 'busy', sends: SENDS, token });
const bulk = sink.messages.filter((message) => message.to[0]?.startsWith('bulk')).length;
report(
  'wait',
  `p50 ${quantile(busy, 0.5).toFixed(0)} ms, p99 ${quantile(busy, 0.99).toFixed(0)} ms from 202 to arrival with ${BULK} bulk emails queued (${bulk} of them left meanwhile); ` +
    `empty queue p50 ${quantile(empty, 0.5).toFixed(0)} ms, p99 ${quantile(empty, 0.99).toFixed(0)} ms: p99 ratio ${(quantile(busy, 0.99) / quantile(empty, 0.99)).toFixed(1)}`,
  'p99 < 300 ms',
);
report(
  'wait behind confirmations',
  `p50 ${quantile(behind, 0.5).toFixed(0)} ms, p99 ${quantile(behind, 0.99).toFixed(0)} ms behind those of ${SIGN_UPS} sign-ups of another workspace; ` +
    `p50 ${quantile(beside, 0.5).toFixed(0)} ms, p99 ${quantile(beside, 0.99).toFixed(0)} ms while these people signed up; ` +
    `after ${askedSeconds.toFixed(0)} s ${asked[0]?.sent} of their emails had left and ${asked[0]?.waiting} waited`,
  'p99 < 300 ms',
);
