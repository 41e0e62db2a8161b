/**
 * import: a file of subscribers sent to a process that does everything else too, until its rows are in the list; then
 * the same file out again. Watched meanwhile: the memory of the process, its event loop, and how long a small read
 * takes. Beside it, in the same run, what the database needs by itself to take as many rows into the same table, 500
 * at a time.
 *
 *   npm run bench -- import [rows]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { once } from 'node:events';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aNewsletter } from '../test/harness/builders.ts';
import { type PosthornProcess, startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const PAGE = 500;
const MB = 1_048_576;

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

/** The most it has had since `forgetPeak`: Linux counts, so nothing between two looks is missed. */
const peakMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

const lineOf = (n: number): string =>
  `reader.${n}@mail${n % 97}.example,Reader ${n},subscribed,2026-0${1 + (n % 9)}-11 10:00:00,"{""plan"":""${n % 5 === 0 ? 'pro' : 'free'}"",""n"":${n}}"\n`;

/** Sends the file as fast as it is taken. */
async function send(posthorn: PosthornProcess, newsletterId: string): Promise<{ id: string; bytes: number }> {
  const upload = request(
    `${posthorn.url}/v1/newsletters/${newsletterId}/subscribers/import?consent=already_confirmed`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${posthorn.key}`, 'content-type': 'text/csv' },
    },
  );
  const answered = once(upload, 'response');
  let bytes = 0;
  const write = async (text: string): Promise<void> => {
    bytes += Buffer.byteLength(text);
    if (!upload.write(text)) await once(upload, 'drain');
  };
  await write('Email Address,Name,Status,Created,Attributes\n');
  for (let n = 0; n < ROWS; n += 1_000) {
    await write(Array.from({ length: Math.min(1_000, ROWS - n) }, (_, i) => lineOf(n + i)).join(''));
  }
  upload.end();
  const [response] = await answered;
  let text = '';
  for await (const part of response) text += String(part);
  if (response.statusCode !== 202) throw new Error(`the upload was answered with ${response.statusCode}: ${text}`);
  return { id: JSON.parse(text).id, bytes };
}

/** Looks five times a second until `isDone` says so. */
async function watch(posthorn: PosthornProcess, isDone: () => Promise<boolean>) {
  const reads: number[] = [];
  while (!(await isDone())) {
    const from = performance.now();
    await posthorn.fetch('/v1/newsletters');
    reads.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  reads.sort((a, b) => a - b);
  return { readMs: reads[Math.floor(reads.length * 0.99)] ?? 0 };
}

async function loopLagP99Ms(posthorn: PosthornProcess): Promise<number> {
  const text = await (await fetch(`${posthorn.url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1] ?? 0) * 1_000;
}

const database = await startBenchDatabase();
const posthorn = await startProcess({
  databaseUrl: database.url,
  startTimeoutMs: 180_000,
});
try {
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const workspaceId = rows[0]?.id ?? '';
  const { id } = await aNewsletter(database.db, workspaceId);
  const idle = residentMb(posthorn.pid);
  await loopLagP99Ms(posthorn); // begins a new window

  forgetPeak(posthorn.pid);
  const sending = performance.now();
  const { id: importId, bytes } = await send(posthorn, id);
  const sentMs = performance.now() - sending;
  const sentMb = peakMb(posthorn.pid);
  forgetPeak(posthorn.pid);
  let counts: Record<string, number> = {};
  const working = performance.now();
  const seen = await watch(posthorn, async () => {
    const { body } = await posthorn.fetch(`/v1/imports/${importId}`);
    const row = body as { status: string; counts: Record<string, number>; error: string | null };
    counts = row.counts;
    if (row.status === 'failed') throw new Error(row.error ?? 'failed');
    return row.status === 'completed';
  });
  const seconds = (performance.now() - working) / 1_000;
  const importedMb = peakMb(posthorn.pid);
  const lagMs = await loopLagP99Ms(posthorn);
  if (counts['created'] !== ROWS) throw new Error(`only ${counts['created']} rows were created`);

  forgetPeak(posthorn.pid);
  const exporting = performance.now();
  const answer = await fetch(`${posthorn.url}/v1/newsletters/${id}/subscribers/export`, {
    headers: { authorization: `Bearer ${posthorn.key}` },
  });
  let exported = 0;
  for await (const part of answer.body ?? []) exported += part.length;
  const exportedMb = peakMb(posthorn.pid);
  const exportSeconds = (performance.now() - exporting) / 1_000;

  // The yardstick: the same table with the same indexes and triggers, and nothing around it.
  const { id: other } = await aNewsletter(database.db, workspaceId);
  const bare = Math.min(ROWS, 50_000);
  const inserting = performance.now();
  for (let n = 0; n < bare; n += PAGE) {
    const ids = Array.from({ length: PAGE }, () => newId());
    await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, metadata, status)
      select ${workspaceId}, id, ${other}, 'reader.' || (${n}::integer + n) || '@mail' || (n % 97) || '.example', 'Reader ' || n,
             '{"plan":"free"}', 'active'
        from unnest(${ids}::uuid[]) with ordinality as r (id, n)`.execute(database.db);
  }
  const barePerSecond = bare / ((performance.now() - inserting) / 1_000);

  report(
    'import',
    `${ROWS} rows (${Math.round(bytes / MB)} MB): sent in ${(sentMs / 1_000).toFixed(1)} s, in the list ${seconds.toFixed(0)} s later (${Math.round(ROWS / seconds)} rows/s; bare inserts of 500: ${Math.round(barePerSecond)} rows/s); memory at most ${Math.round(sentMb)} MB while it was sent and ${Math.round(importedMb)} MB after that (idle ${Math.round(idle)}); a list read p99 ${Math.round(seen.readMs)} ms, event loop p99 ${Math.round(lagMs)} ms`,
    '< 200 MB, event loop p99 < 100 ms',
  );
  report(
    'export',
    `${ROWS} rows (${Math.round(exported / MB)} MB) in ${exportSeconds.toFixed(1)} s, memory at most ${Math.round(exportedMb)} MB`,
    'memory < 200 MB',
  );
} finally {
  await posthorn.stop();
  await database.close();
}
