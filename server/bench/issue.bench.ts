/**
 * issue: a newsletter of 5 KB with 37 links, tracked and signed, frozen and sent by one worker process into Postfix's
 * smtp-sink with the pacing out of the way; with the name of each subscriber, and the same text for all. Beside it, to
 * the same sink in the same run, what a program of one's own does: for each recipient a loop renders with liquidjs,
 * replaces each link by one with a signature, adds the pixel and the headers of a list, and hands the message to
 * nodemailer, which signs it.
 *
 *   npm run bench -- issue [subscribers] [emails of the loop]
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Liquid } from 'liquidjs';
import type { Db } from '#platform/db/database.ts';
import { startDebianSmtpSink } from '../test/harness/postfix.ts';
import { type PosthornProcess, startProcess } from '../test/harness/posthorn-process.ts';
import { type BenchDatabase, startBenchDatabase } from './bench-database.ts';
import { nodemailerLoop } from './nodemailer-loop.ts';
import { postgresMeter, processorMs } from './processor-time.ts';
import { requireSink } from './require-sink.ts';
import { report } from './results.ts';

const SUBSCRIBERS = Number(process.argv[2] ?? 10_000);
const LOOP = Number(process.argv[3] ?? 2_000);
const KEY = 'bench_key_that_every_process_here_knows';
const LINKS = 37;
const FROM = 'news@posthorn.test';

/** 5 KB, as an editor writes it. */
const bodyOf = (greeting: string): string =>
  `<h1>${greeting}</h1>${Array.from(
    { length: LINKS },
    (_, n) =>
      `<p>Something happened here, <a href="https://news.example/posts/${n}?from=mail">read more</a> today.</p>`,
  ).join('\n')}`;

interface Sent {
  perSecond: number;
  /** Milliseconds of processor time for one email. */
  nodeMs: number;
  postgresMs: number;
}

async function post(api: PosthornProcess, path: string, body: object): Promise<Record<string, string>> {
  const answer = await api.fetch(path, { method: 'POST', body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body as Record<string, string>; // the answers that are used here have an id, or nothing that is read
}

const addSubscribers = (db: Db, newsletterId: string): Promise<unknown> =>
  sql`
  insert into subscribers (workspace_id, id, newsletter_id, email, name, status, confirmed_at)
  select l.workspace_id, ph_uuidv7(), l.id, 'u' || n || '@example.com', 'Reader ' || n, 'active', now()
    from newsletters l cross join generate_series(1, ${SUBSCRIBERS}::integer) as n
   where l.id = ${newsletterId}`.execute(db);

async function sendIssue(
  stack: AsyncDisposableStack,
  database: BenchDatabase,
  sinkPort: number,
  greeting: string,
): Promise<Sent> {
  const env = {
    POSTHORN_API_KEY: KEY,
    POSTHORN_SEND_RATE: '100000',
    POSTHORN_PROVIDER_CEILING: '100000',
    POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${sinkPort}?tls=none`,
  };
  const api = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'], env });
  stack.defer(async () => void (await api.stop()));
  const { id } = await post(api, '/v1/newsletters', {
    name: 'Bench',
    slug: `bench-${greeting.length}`,
    from_email: FROM,
    postal_address: '1 Bench Street',
  });
  await addSubscribers(database.db, String(id));
  const issue = await post(api, `/v1/newsletters/${id}/issues`, { subject: 'News', html_body: bodyOf(greeting) });
  await post(api, `/v1/newsletters/${id}/issues/${issue['id']}/send`, {});
  await api.stop();
  await sql`vacuum analyze`.execute(database.db);
  const postgres = await postgresMeter(database.db);
  const postgresBefore = postgres();
  const worker = await startProcess({ databaseUrl: database.url, args: ['--role', 'worker'], listens: false, env });
  stack.defer(async () => void (await worker.stop()));
  const nodeBefore = processorMs(worker.pid);
  for (let sent = 0; sent < SUBSCRIBERS; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { rows } = await sql<{ sent: number }>`
      select count(*)::integer as sent from emails where status = 'sent'`.execute(database.db);
    sent = rows[0]?.sent ?? 0;
  }
  const nodeMs = (processorMs(worker.pid) - nodeBefore) / SUBSCRIBERS;
  const postgresMs = (postgres() - postgresBefore) / SUBSCRIBERS;
  await worker.stop();
  // Measured where it is written: from the first hand-off to the last outcome; freezing is before it.
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from max(sent_at) - min(handoff_at))::double precision as seconds from emails`.execute(
    database.db,
  );
  await sql`truncate emails, contents, send_requests, email_events, email_attempts, attachments`.execute(database.db);
  return { perSecond: SUBSCRIBERS / (rows[0]?.seconds ?? 0), nodeMs, postgresMs };
}

/** Renders, tracks and signs for each recipient. */
function loop(port: number, greeting: string): Promise<{ perSecond: number; nodeMs: number }> {
  const secret = createSecretKey(randomBytes(32));
  const liquid = new Liquid({ outputEscape: 'escape' });
  const html = liquid.parse(`${bodyOf(greeting)}<p><a href="{{ leave }}">Unsubscribe</a></p>`);
  const text = liquid.parse(`${greeting}\n${'Something happened here, read more today.\n'.repeat(LINKS)}{{ leave }}`);
  const signed = (path: string, what: string): string =>
    `https://t.example/${path}/${Buffer.from(what).toString('base64url')}.${createHmac('sha256', secret).update(what).digest('base64url')}`;
  const messageTo = async (n: number): Promise<object> => {
    const leave = signed('u', `u${n}`);
    const values = { subscriber: { name: `Reader ${n}` }, leave };
    const page: string = await liquid.render(html, values);
    const tracked = page.replace(
      /href="(https:\/\/news[^"]*)"/g,
      (_, url: string) => `href="${signed('c', `${n} ${url}`)}"`,
    );
    return {
      from: FROM,
      to: `u${n}@example.com`,
      subject: 'News',
      html: `${tracked}<img src="${signed('o', String(n))}" width="1" height="1" alt="">`,
      text: (await liquid.render(text, values)) as string,
      headers: { 'List-Unsubscribe': `<${leave}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    };
  };
  return nodemailerLoop({ port, emails: LOOP, isSigned: true, messageTo });
}

requireSink();
await using stack = new AsyncDisposableStack();
const database = await startBenchDatabase();
stack.defer(() => database.close());
const sink = await startDebianSmtpSink();
stack.defer(() => sink.stop());
for (const [name, greeting, target] of [
  ['with a name', 'Hello {{ subscriber.name }}', '≥ 2.5 times the loop'],
  ['the same for all', 'Hello', '≥ 3 times the loop'],
] as const) {
  const before = await loop(sink.port, greeting);
  const ours = await sendIssue(stack, database, sink.port, greeting);
  const after = await loop(sink.port, greeting);
  const theirs = (before.perSecond + after.perSecond) / 2;
  report(
    `issue, ${name}`,
    `${SUBSCRIBERS} subscribers: ${ours.perSecond.toFixed(0)}/s; loop ${theirs.toFixed(0)}/s: ratio ${(ours.perSecond / theirs).toFixed(2)}; ` +
      `CPU per 1,000: worker ${ours.nodeMs.toFixed(2)} s, PostgreSQL ${ours.postgresMs.toFixed(2)} s, loop ${after.nodeMs.toFixed(2)} s`,
    `${target}, ≤ 0.9 s of processor time per 1,000`,
  );
}
