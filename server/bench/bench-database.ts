import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '#platform/db/database.ts';
import type { Db } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';

export interface BenchDatabase {
  url: string;
  db: Db;
  close(): Promise<void>;
}

/** A PostgreSQL of this bench alone, as a user has it: fsync on, our settings, a fresh directory. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-bench-'));
  chmodSync(folder, 0o755); // as root, the database runs as another user and has to pass through
  const log = createLog({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  const database = openDatabase({ url: postgres.url, poolMax: 4, applicationName: 'bench', log });
  return {
    url: postgres.url,
    db: database.db,
    async close() {
      await database.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
