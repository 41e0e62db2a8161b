/**
 * automations: events over HTTP that each start a run, one after another and from many connections; and how fast the
 * emails of waiting runs are accepted. One process, nothing else.
 *
 *   npm run bench -- automations [events]
 */
import { sql } from 'kysely';
import { until } from '../test/harness/until.ts';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const EVENTS = Number(process.argv[2] ?? 1_000);
const CONNECTIONS = 16;

const database = await startBenchDatabase();
try {
  const posthorn = await startProcess({ databaseUrl: database.url, startTimeoutMs: 180_000 });
  const ask = async (path: string, body: object): Promise<string> => {
    const answer = await posthorn.fetch(path, { method: 'POST', body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return String(Reflect.get(Object(answer.body), 'id'));
  };
  const enabled = async (name: string, steps: object[]): Promise<string> => {
    const id = await ask('/v1/automations', { name, trigger: { type: `event:${name}` }, reentry: 'every', steps });
    await ask(`/v1/automations/${id}/enable`, {});
    return id;
  };
  let told = 0;
  const tell = (name: string): Promise<string> =>
    ask('/v1/events', { name, email: `p${(told += 1)}@bench.test`, payload: { name: 'Ada' } });
  try {
    const template = await ask('/v1/templates', {
      name: 'T',
      subject: 'Hello {{ name }}',
      text: 'Hello {{ name }}, it is {{ payload.name }}.',
      from: 'Acme <hello@posthorn.test>',
    });
    await enabled('waits', [{ key: 'wait', type: 'delay', config: { duration: '1 day' } }]);
    for (let count = 0; count < 100; count += 1) await tell('waits');
    const sequence = performance.now();
    for (let count = 0; count < EVENTS / 2; count += 1) await tell('waits');
    const perSecond = (count: number, from: number): string =>
      ((count * 1_000) / (performance.now() - from)).toFixed(0);
    report('automations, events in sequence', `${perSecond(EVENTS / 2, sequence)}/s, each starts a run`, 'none');
    const together = performance.now();
    const connection = async (): Promise<void> => {
      for (let count = 0; count < EVENTS / CONNECTIONS; count += 1) await tell('waits');
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
    report(`automations, events from ${CONNECTIONS} connections`, `${perSecond(EVENTS, together)}/s`, 'none');
    const mails = await enabled('mails', [
      { key: 'mail', type: 'send_email', config: { template_id: template, transactional: true } },
    ]);
    await posthorn.fetch(`/v1/automations/${mails}/disable`, { method: 'POST', body: {} });
    // Runs that all wait for the same moment, as after a pause.
    await sql`
      with runs as (
        insert into automation_runs (workspace_id, id, automation_id, version, email, payload, is_test, sandbox, started_at)
        select workspace_id, ph_uuidv7(), id, 1, 'm' || n || '@bench.test', '{"name":"Ada"}', false, false, now()
          from automations, generate_series(1, ${EVENTS}::integer) n where id = ${mails}
        returning workspace_id, id, automation_id, email
      )
      insert into automation_due (workspace_id, run_id, automation_id, email, kind, due_at, step)
      select workspace_id, id, automation_id, email, 'hold', now(), 'mail' from runs`.execute(database.db);
    const from = performance.now();
    await posthorn.fetch(`/v1/automations/${mails}/enable`, { method: 'POST', body: {} });
    await until('the end of all runs', async () => {
      const { rows } = await sql<{ left: number }>`
        select count(*)::integer as left from automation_runs where automation_id = ${mails} and status = 'active'`.execute(
        database.db,
      );
      return rows[0]?.left === 0 ? true : undefined;
    });
    report('automations, emails of due runs', `${perSecond(EVENTS, from)}/s accepted`, 'none');
  } finally {
    await posthorn.stop();
  }
} finally {
  await database.close();
}
