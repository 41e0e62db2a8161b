/**
 * lists: what filters without an index cost in long lists, over HTTP in one process: emails by sender, subject and tag,
 * the audit log by actor and action, events by type. All in one workspace, and spread over several.
 *
 *   npm run bench -- lists [rows] [workspaces]
 */
import { sql } from 'kysely';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { fillLists } from './fill-lists.ts';
import { report } from './results.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const WORKSPACES = Number(process.argv[3] ?? 1);
const RUNS = 15;

const PATHS: Record<string, string> = {
  'all emails': '/v1/emails',
  'emails from a common sender': '/v1/emails?from=news@posthorn.test',
  'emails from a rare sender': '/v1/emails?from=rare@posthorn.test',
  'emails from nobody': '/v1/emails?from=nobody@posthorn.test',
  'emails by a common part of the subject': '/v1/emails?subject=receipt',
  'emails by a subject that none has': '/v1/emails?subject=nothing',
  'emails by a tag': '/v1/emails?tag=kind:login',
  'emails by a tag that none has': '/v1/emails?tag=kind:nothing',
  'emails of a source that none has': '/v1/emails?source=batch',
  'bounced emails by subject': '/v1/emails?status=bounced&subject=nothing',
  'audit log': '/audit',
  'audit log by actor': '/audit?actor=ada@example.com',
  'audit log by an actor who did nothing': '/audit?actor=nobody@example.com',
  'audit log by a common action': '/audit?action=suppression.added',
  'audit log by an action that is none': '/audit?action=nothing.done',
  events: '/v1/events',
  'events by a common type': '/v1/events?type=delivery',
  'events by a type that does not occur': '/v1/events?type=complaint',
};

const database = await startBenchDatabase();
try {
  const first = await startProcess({ databaseUrl: database.url, startTimeoutMs: 180_000 });
  await first.stop(); // it has made the tables and the home workspace
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const filling = performance.now();
  await fillLists(database.db, rows[0]?.id ?? '', { rows: ROWS, workspaces: WORKSPACES });
  const seconds = ((performance.now() - filling) / 1_000).toFixed(0);
  report('lists, filling', `${ROWS} emails, entries and events in ${WORKSPACES} workspaces in ${seconds} s`, 'none');
  const posthorn = await startProcess({
    databaseUrl: database.url,
    startTimeoutMs: 180_000,
    env: { POSTHORN_API_KEY: first.key },
  });
  try {
    for (const [name, path] of Object.entries(PATHS)) {
      const times: number[] = [];
      for (let run = -1; run < RUNS; run += 1) {
        const from = performance.now();
        const { status, body } = await posthorn.fetch(path);
        if (status !== 200) throw new Error(`${path} was answered with ${status}: ${JSON.stringify(body)}`);
        if (run >= 0) times.push(performance.now() - from);
      }
      times.sort((a, b) => a - b);
      const at = (share: number): string => (times[Math.floor(RUNS * share)] ?? 0).toFixed(1);
      report(
        `lists, ${name}`,
        `p50/p95 ${at(0.5)}/${at(0.95)} ms of ${ROWS} rows in ${WORKSPACES} workspaces`,
        '50 ms',
      );
    }
  } finally {
    await posthorn.stop();
  }
} finally {
  await database.close();
}
