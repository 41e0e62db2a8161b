/**
 * Databases copied ahead of their tests. A copy takes 20 to 100 ms, which each test file waited for; the run makes them
 * while tests run, and a test takes one by giving it a name of its own.
 */
import pg from 'pg';
import { onServer } from './template.ts';

const READY_EACH = 6;
/** Each look costs two statements; a file takes a few seconds, and two run at once. */
const TOP_UP_MS = 250;
const prefixOf = (template: string): string => `ready_${template}_`;

export interface DatabasePool {
  /** Ends with the copy under way, if there is one. */
  stop(): Promise<void>;
}

/** Keeps a few copies of each template ready, over a connection of its own, until it is stopped. */
export async function keepDatabasesReady(serverUrl: string, templates: readonly string[]): Promise<DatabasePool> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  let isStopped = false;
  let made = 0;
  const topUp = async (): Promise<void> => {
    while (!isStopped) {
      for (const template of templates) {
        const { rows } = await client.query<{ ready: number }>(
          'select count(*)::int as ready from pg_database where starts_with(datname, $1)',
          [prefixOf(template)],
        );
        if ((rows[0]?.ready ?? 0) >= READY_EACH || isStopped) continue;
        await copy(client, `${prefixOf(template)}${(made += 1)}`, template);
      }
      await new Promise((resolve) => setTimeout(resolve, TOP_UP_MS));
    }
  };
  const ended = topUp().finally(() => client.end());
  // A run whose pool has died goes on without it: tests then make their own copies.
  ended.catch((error: unknown) => console.error('the pool of test databases ended:', error));
  return {
    async stop() {
      isStopped = true;
      await ended.catch(() => undefined);
    },
  };
}

/** Makes `name` a copy of `template`: a ready one when there is one, otherwise a new copy. */
export async function takeDatabase(serverUrl: string, name: string, template: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefixOf(template)],
    );
    for (const { datname } of rows) if (await rename(client, datname, name)) return;
    await copy(client, name, template);
  });
}

// file_copy clones files; wal_log, the default, would write every page of the template to the WAL.
const copy = (client: pg.ClientBase, name: string, template: string): Promise<unknown> =>
  client.query(`create database ${name} template ${template} strategy file_copy`);

/** False when another test has taken it in between. */
async function rename(client: pg.ClientBase, from: string, to: string): Promise<boolean> {
  try {
    await client.query(`alter database ${from} rename to ${to}`);
    return true;
  } catch {
    return false;
  }
}
