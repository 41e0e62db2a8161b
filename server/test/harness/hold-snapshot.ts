import pg from 'pg';

/**
 * Holds a snapshot of a database until it is disposed of, as a backup or a standby does: the index entries of rows that
 * change meanwhile stay, and every scan visits them.
 */
export async function holdSnapshot(url: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select from send_pace');
  return { [Symbol.asyncDispose]: () => client.end() };
}
