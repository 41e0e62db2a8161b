import pg from 'pg';

/** A machine that is busy with its own start takes longer than one that serves. */
export const START_PATIENCE_MS = 15_000;

/** Makes one connection and ends it. A failure names the setting and the remedy, and never the password. */
export async function reachDatabase(url: string, setting: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: START_PATIENCE_MS });
  client.on('error', () => undefined); // the one that matters rejects below
  try {
    await client.connect();
  } catch (error) {
    throw new Error(explain(error, client, setting), { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function explain(error: unknown, { host, port, user, database }: pg.Client, setting: string): string {
  const reason = error instanceof Error ? error.message : String(error);
  const { code = reason } = Object(error) as { code?: string }; // system errors and those of PostgreSQL have one
  const server = `${host}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No PostgreSQL listens at ${server}. Start it, or correct host and port in ${setting}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} of ${setting} has no address. Correct the host name, or check the DNS of this machine.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'timeout expired':
      return `PostgreSQL at ${server} did not answer. Correct host and port in ${setting}, or open the firewall for this machine.`;
    case '28P01':
      return `PostgreSQL at ${server} refused the password of the user ${user}. Correct user and password in ${setting}; write special characters percent-encoded (@ is %40, / is %2F).`;
    case '28000':
      return `PostgreSQL at ${server} does not let the user ${user} in from here (${reason}). Correct the user in ${setting}, or allow this machine in pg_hba.conf.`;
    case '3D000':
      return `PostgreSQL at ${server} has no database ${database}. Create it (createdb ${database}), or correct the name in ${setting}.`;
    case '53300':
      return `PostgreSQL at ${server} has no connection left. Raise its max_connections, or lower POSTHORN_DATABASE_POOL of the processes that use it.`;
    default:
      return `PostgreSQL at ${server} could not be used: ${reason}. Check ${setting}.`;
  }
}
