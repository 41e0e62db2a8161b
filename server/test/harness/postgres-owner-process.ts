/**
 * A process that owns an embedded PostgreSQL, for tests that kill it. Says in one line of JSON how the start ended,
 * then stays until SIGTERM.
 */
import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';

const dataDir = process.argv[2] ?? '';
try {
  const server = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined } });
  const { url, adopted, cluster } = server;
  const stay = setInterval(() => undefined, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(stay);
    void server.stop();
  });
  console.log(JSON.stringify({ started: true, pid: process.pid, url, adopted, cluster }));
} catch (error) {
  console.log(
    JSON.stringify({
      started: false,
      pid: process.pid,
      message: error instanceof Error ? error.message : String(error),
    }),
  );
}
