import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { findPostmaster } from '#platform/postgres/postmaster.ts';

/** A PostgreSQL of one test that goes away and comes back under the same URL. Its settings are those of production. */
export interface RestartablePostgres {
  readonly url: string;
  /** SIGINT: the fast shutdown that an operator or a package upgrade does. */
  shutDown(): Promise<void>;
  /** SIGKILL of the postmaster: no shutdown, and recovery from the log at the next start. */
  crash(): Promise<void>;
  /** Resolves when it takes connections again. */
  startAgain(): Promise<void>;
  close(): Promise<void>;
}

const START_TRIES_MS = 60_000;

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'posthorn-restartable-'));
  chmodSync(dataDir, 0o755); // As root, the server runs as another user and has to pass through.
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir, log: { info: () => undefined } });
  let server = await start();
  return {
    url: server.url,
    shutDown: () => server.stop(),
    async crash() {
      const postmaster = findPostmaster(server.cluster);
      if (postmaster === undefined) throw new Error('there is no postmaster to crash');
      process.kill(postmaster.pid, 'SIGKILL');
      while (findPostmaster(server.cluster) !== undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      server.leaveRunning();
    },
    async startAgain() {
      // Sessions of a killed postmaster notice it a moment later; until then PostgreSQL refuses to start.
      const until = performance.now() + START_TRIES_MS;
      for (;;) {
        try {
          server = await start();
          return;
        } catch (error) {
          if (performance.now() > until) throw error;
        }
      }
    },
    async close() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
