/** Runs beside the shared test server: ends and deletes it when no test has been connected for ten minutes. */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { takeOwnerLock } from '#platform/postgres/owner-lock.ts';
import { IDLE_LOCK, SHARED_DIR, startOrAdopt } from './shared-server.ts';

const LOOK_EVERY_MS = 30_000;
const IDLE_LOOKS_MAX = 20;

async function othersConnected(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

const mine = takeOwnerLock(IDLE_LOCK);
for (let idleLooks = 0; mine.held && idleLooks <= IDLE_LOOKS_MAX; ) {
  await pause(LOOK_EVERY_MS);
  // Holding the data directory while looking keeps a test from adopting a server that is about to end.
  const server = await startOrAdopt();
  idleLooks = (await othersConnected(server.url)) === 0 ? idleLooks + 1 : 0;
  if (idleLooks > IDLE_LOOKS_MAX || !server.adopted) {
    await server.stop();
    rmSync(SHARED_DIR, { recursive: true, force: true });
    break;
  }
  server.leaveRunning();
}
