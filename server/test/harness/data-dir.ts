import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '#platform/postgres/embedded-postgres.ts';
import { undoAfter } from './undo.ts';

/** A folder that is removed after the test. Other users may pass through it: as root, PostgreSQL is one of them. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-test-'));
  chmodSync(folder, 0o755);
  undoAfter(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A real server of this test alone, stopped after it, and the lines it printed. */
export async function startServer(
  t: TestContext,
  options: Omit<EmbeddedPostgresOptions, 'log'>,
): Promise<{ server: EmbeddedPostgres; lines: string[] }> {
  const lines: string[] = [];
  const server = await startEmbeddedPostgres({ ...options, log: { info: (line) => lines.push(line) } });
  undoAfter(t, () => server.stop());
  return { server, lines };
}
