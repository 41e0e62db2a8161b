import type pg from 'pg';
import type { IndexStep } from './migration-files.ts';

/**
 * Lifts the limits of this session, which ends with the migration; the reader of `usesPooler` knows why no pooler may
 * be in between. No lock_timeout: `create index concurrently` waits for every transaction that is older than itself,
 * and blocks no reader and no writer while it waits. A limit of 2 s would make it begin anew for each longer
 * transaction. When this process dies, the server ends the statement within 5 s; a half-built index would make every
 * write slower.
 */
const SESSION = `set statement_timeout = 0; set lock_timeout = 0; set client_connection_check_interval = '5s'`;

/**
 * Runs one step that cannot be part of a transaction. A build that is cut off leaves an invalid index, which is dropped
 * here before the next try; an index that is complete, because only the note of it was lost, is left alone.
 */
export async function runIndexStep(client: pg.Client, step: IndexStep): Promise<void> {
  await client.query(SESSION);
  if (step.kind === 'drop') {
    await client.query(step.text);
    return;
  }
  const state = await stateOf(client, step.index);
  if (state === 'valid') return;
  if (state === 'invalid') await dropIndex(client, step.index);
  try {
    await client.query(step.text);
  } catch (error) {
    await dropIndex(client, step.index).catch(() => undefined); // the next try drops it; the first error is the one to tell
    throw error;
  }
}

const dropIndex = (client: pg.Client, index: string) => client.query(`drop index concurrently if exists ${index}`);

async function stateOf(client: pg.Client, index: string): Promise<'absent' | 'invalid' | 'valid'> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [index],
  );
  if (rows[0] === undefined) return 'absent';
  return rows[0].valid ? 'valid' : 'invalid';
}

/**
 * Whether something between us and PostgreSQL hands out its connections, as PgBouncer does: it invents the number of
 * the backend that it tells at the start. A `set` outside a transaction would stay with a connection that others use.
 */
export async function usesPooler(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // The driver keeps the number that the server told at the start; its types do not say so.
  const { processID } = client as pg.Client & { processID: number | null };
  return rows[0]?.pid !== processID;
}
