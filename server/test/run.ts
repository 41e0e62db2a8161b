/**
 * `npm test`: every test with one PostgreSQL for the whole run. Arguments are passed on to `node --test`; those that
 * name files or folders replace the usual globs:
 *
 *     npm test
 *     npm test -- src/features/outbox --test-name-pattern=^409
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { TEST_SETTINGS } from './harness/shared-server.ts';
import { ensureTemplate } from './harness/template.ts';

const SERVER = join(import.meta.dirname, '..');
const GLOBS = ['src/**/*.test.ts', 'test/**/*.test.ts', 'checks/**/*.test.ts', 'test/e2e/**/*.e2e.ts'];

const { files, flags } = sortArguments(process.argv.slice(2));
const begun = performance.now();
const said = (what: string) => console.log(`${what} (${((performance.now() - begun) / 1000).toFixed(1)} s).`);

const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-test-run-'));
chmodSync(dataDir, 0o755); // As root, the server runs as another user and has to pass through.
const postgres = await startEmbeddedPostgres({ dataDir, log: console, settings: TEST_SETTINGS });
let exitCode = 1;
try {
  await ensureTemplate(postgres.url);
  said('The test database is ready; running the tests');
  exitCode = await runTests(postgres.url);
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
  said('Done');
}
process.exitCode = exitCode;

function runTests(databaseUrl: string): Promise<number> {
  const concurrency = flags.some((flag) => flag.startsWith('--test-concurrency')) ? [] : ['--test-concurrency=2'];
  const child = spawn(process.execPath, ['--test', ...concurrency, ...flags, ...(files.length > 0 ? files : GLOBS)], {
    cwd: SERVER,
    stdio: 'inherit',
    env: { ...process.env, POSTHORN_TEST_DATABASE_URL: databaseUrl },
  });
  // The child ends by the same signal; we stay to stop the server.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/** Files may be written from the project's root or from server/; a folder means all tests below it. */
function sortArguments(args: string[]): { files: string[]; flags: string[] } {
  const flags = args.filter((arg) => arg.startsWith('-'));
  const files = args
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) => arg.replace(/^server\//, '').replace(/\/$/, ''))
    .map((arg) => {
      const path = join(SERVER, arg);
      return existsSync(path) && statSync(path).isDirectory() ? `${arg}/**/*.{test,e2e}.ts` : arg;
    });
  return { files, flags };
}
