/**
 * contacts: pages of contacts, lists and segments, and previews of filters, over HTTP in one process, in a workspace
 * with many contacts; and a bulk job on some of them.
 *
 *   npm run bench -- contacts [contacts]
 */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const CONTACTS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 3;
const PAGE = 100_000;

const all = (...conditions: object[]) => ({ match: 'all', conditions });
const FILTERS: Record<string, object> = {
  'a domain': all({ field: 'domain', op: 'equals', value: 'd7.test' }),
  'a property of half of all': all({ field: 'property:plan', op: 'equals', value: 'pro' }),
  'a property that none has': all({ field: 'property:seats', op: 'gt', value: 1_000_000 }),
  'opened within 30 days': all({ field: 'opened', op: 'at_least', count: 1, within: '30 days' }),
  'opened never, and a property': all(
    { field: 'opened', op: 'none' },
    { field: 'property:plan', op: 'equals', value: 'pro' },
  ),
};

/** Contacts with two properties, a list with every fourth, and an email to every tenth that every second opened. */
async function fill(db: Db, workspaceId: string): Promise<string> {
  const listId = newId();
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into contact_lists (workspace_id, id, name, contact_count)
      values (${workspaceId}, ${listId}, 'A quarter', ${Math.floor(CONTACTS / 4)})`.execute(tx);
    await sql`insert into contact_properties (workspace_id, id, key, type)
      values (${workspaceId}, ph_uuidv7(), 'plan', 'string'), (${workspaceId}, ph_uuidv7(), 'seats', 'number')`.execute(
      tx,
    );
    for (let from = 1; from <= CONTACTS; from += PAGE) {
      await sql`
      insert into contacts (workspace_id, id, email, first_name, properties)
      select ${workspaceId}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
             'p' || n || '@d' || n % 100 || '.test', 'Ada',
             jsonb_build_object('plan', case n % 2 when 0 then 'pro' else 'free' end, 'seats', n % 50)
        from generate_series(${from}::integer, ${Math.min(CONTACTS, from + PAGE - 1)}::integer) n`.execute(tx);
    }
    await sql`
      insert into contact_list_members (workspace_id, list_id, contact_id)
      select workspace_id, ${listId}, id from contacts where workspace_id = ${workspaceId}
         and right(id::text, 1) in ('0', '4', '8', 'c')`.execute(tx);
    await sql`
      insert into emails (workspace_id, id, content_id, recipient, lane, turn, status, sent_at, first_opened_at)
      select ${workspaceId}, ph_uuidv7(), ph_uuidv7(), 'p' || n || '@d' || n % 100 || '.test', 1, 1, 'delivered', now(),
             case n % 20 when 0 then now() end
        from generate_series(10, ${CONTACTS}::integer, 10) n`.execute(tx);
  });
  for (const table of ['contacts', 'contact_list_members', 'emails']) {
    await sql`analyze ${sql.table(table)}`.execute(db);
  }
  return listId;
}

const database = await startBenchDatabase();
try {
  const first = await startProcess({ databaseUrl: database.url, startTimeoutMs: 180_000 });
  await first.stop(); // it has made the tables and the home workspace
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const filling = performance.now();
  const listId = await fill(database.db, rows[0]?.id ?? '');
  report('contacts, filling', `${CONTACTS} in ${((performance.now() - filling) / 1_000).toFixed(0)} s`, 'none');
  const posthorn = await startProcess({
    databaseUrl: database.url,
    startTimeoutMs: 180_000,
    env: { POSTHORN_API_KEY: first.key },
  });
  const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await posthorn.fetch(path, body === undefined ? {} : { method: 'POST', body });
    if (answer.status >= 300)
      throw new Error(`${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return Object(answer.body);
  };
  const measure = async (name: string, target: string, work: () => Promise<string>): Promise<void> => {
    const times: number[] = [];
    let told = '';
    for (let run = -1; run < RUNS; run += 1) {
      const from = performance.now();
      told = await work();
      if (run >= 0) times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): string => (times[Math.floor(RUNS * share)] ?? 0).toFixed(0);
    report(`contacts, ${name}`, `p50/p95 ${at(0.5)}/${at(0.95)} ms of ${CONTACTS}${told}`, target);
  };
  try {
    const page = (path: string) => async () => {
      await ask(path);
      return '';
    };
    await measure('a page', '200 ms', page('/v1/contacts'));
    await measure('a page of a list', '200 ms', page(`/v1/contacts?list_id=${listId}`));
    await measure('a search that finds nothing', '200 ms', page('/v1/contacts?search=nobody-here'));
    for (const [name, filter] of Object.entries(FILTERS)) {
      const { id } = await ask('/v1/segments', { name, filter });
      await measure(`a page of a segment: ${name}`, '200 ms', page(`/v1/segments/${String(id)}/contacts`));
      await measure(`a preview: ${name}`, '1,500 ms', async () => {
        const { count, looked_at, complete } = await ask('/v1/segments/preview', { filter });
        return `; ${String(count)} found among ${String(looked_at)}${complete === true ? ', all' : ''}`;
      });
    }
    const from = performance.now();
    const { id } = await ask('/v1/contacts/bulk', {
      filter: FILTERS['a domain'] ?? {},
      action: { type: 'unsubscribe' },
    });
    let job: Record<string, unknown> = {};
    while (job['status'] !== 'completed') job = await ask(`/v1/contacts/bulk/${String(id)}`);
    const seconds = (performance.now() - from) / 1_000;
    report('contacts, bulk job', `${String(job['changed'])} of ${CONTACTS} in ${seconds.toFixed(1)} s`, 'none');
  } finally {
    await posthorn.stop();
  }
} finally {
  await database.close();
}
