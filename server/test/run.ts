/**
 * `npm test` and `npm run prove`: tests with one PostgreSQL for the whole run. `npm test` is everything but the long
 * proofs, which are the files named `*.prove.ts`: processes killed at each boundary, long random runs, browsers.
 * Arguments are passed on to `node --test`. Files or folders replace the usual ones, and may name both kinds:
 *
 *     npm test
 *     npm test -- src/features/outbox --test-name-pattern=^409
 *     npm run prove -- test/e2e/crash/killed-issue.prove.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { keepDatabasesReady } from './harness/database-pool.ts';
import { memoryFolder } from './harness/memory-folder.ts';
import { TEST_SETTINGS } from './harness/shared-server.ts';
import { makeStartedTemplate } from './harness/started-template.ts';
import { tellOfPages } from './harness/tell-of-pages.ts';
import { ensureTemplate } from './harness/template.ts';
import { judgeTime, sampleSlowness } from './test-time.ts';

const SERVER = join(import.meta.dirname, '..');
const PROVE = '--prove';
const GLOBS = {
  test: [
    'src/**/*.test.ts',
    'test/**/*.test.ts',
    'checks/**/*.test.ts',
    'test/e2e/**/*.e2e.ts',
    '../dashboard/src/**/*.test.ts',
  ],
  prove: ['{src,test}/**/*.prove.ts', '{src,test}/**/*.test.ts', '../dashboard/test/e2e/**/*.prove.ts'],
};
/**
 * More than two cores: three files of tests at once left 26 % of two cores without work (November 2026). Proofs start
 * processes and browsers of their own. Four of them at once held each other up for seconds on a slow virtual machine,
 * where clients gave up that had nothing to do with what was proved.
 */
const FILES_AT_ONCE = { test: 4, prove: 3 };
/**
 * Files that share a process load the application once, which takes about 1 s of a core. The first groups are large and
 * the last ones small, so that all processes end at about the same time.
 */
const SMALLEST_GROUP = 10;
/** They start processes, servers and browsers, and take long. In a whole run three share a process and come first. */
const STARTS_PROCESSES = /\.(e2e|prove)\.ts$/;
/** A browser needs a whole core. A proof of killed processes waits for a lease most of its time. */
const NEEDS_A_CORE = /\b(startDashboard|startBrowser)\(/;
const OF_THOSE_IN_A_GROUP = 3;

const { files, flags } = sortArguments(process.argv.slice(2).filter((argument) => argument !== PROVE));
const kind = process.argv.includes(PROVE) ? 'prove' : 'test';
const begun = performance.now();
const said = (what: string) => console.log(`${what} (${((performance.now() - begun) / 1000).toFixed(1)} s).`);

// Whatever the tests make in the temporary folder is made in memory, and deleted with the folder.
const dir = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'posthorn-test-run-'));
chmodSync(dir, 0o755); // As root, the server runs as another user and has to pass through.
const temporary = join(dir, 'tmp');
mkdirSync(temporary);
chmodSync(temporary, 0o1777); // As that of the system: some tests are run by another user.
const timings = join(dir, 'timings.jsonl');
const postgres = await startEmbeddedPostgres({ dataDir: dir, log: console, settings: TEST_SETTINGS });
let exitCode = 1;
try {
  exitCode = await runAll();
} finally {
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
  said('Done');
}
process.exitCode = exitCode;

async function runAll(): Promise<number> {
  const bundling = bundlePosthorn();
  const migrated = await ensureTemplate(postgres.url);
  const started = await makeStartedTemplate(postgres.url);
  const pool = await keepDatabasesReady(postgres.url, [migrated, started]);
  const bundle = await bundling;
  said('The test databases are ready; running the tests');
  const slowness = sampleSlowness();
  const exitCode = await runTests({
    TMPDIR: temporary,
    POSTHORN_TEST_DATABASE_URL: postgres.url,
    POSTHORN_TEST_STARTED_TEMPLATE: started,
    ...(kind === 'prove' ? { POSTHORN_PROVE: '1' } : {}),
    ...(bundle === undefined ? {} : { POSTHORN_TEST_BUNDLE: bundle }),
  }).finally(() => pool.stop());
  const isWhole = files.length === 0 && flags.length === 0;
  const { report, isOverBudget } = judgeTime(timings, { slowness: slowness.stop(), kind: isWhole ? kind : undefined });
  console.log(report);
  return isOverBudget ? exitCode || 1 : exitCode;
}

/** Most proofs start processes, and the rest do not wait long for the bundle. Returns its folder. */
async function bundlePosthorn(): Promise<string | undefined> {
  if (kind !== 'prove' || !(files.length === 0 || files.some((file) => file.endsWith('.prove.ts')))) return undefined;
  const bundle = join(dir, 'bundle');
  const child = spawn(process.execPath, [join(SERVER, 'test/harness/bundle-process.ts'), bundle], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('Posthorn could not be bundled');
  return bundle;
}

async function runTests(env: Record<string, string>): Promise<number> {
  const concurrency = flags.some((flag) => flag.startsWith('--test-concurrency'))
    ? []
    : [`--test-concurrency=${FILES_AT_ONCE[kind]}`];
  const reporters = flags.some((flag) => flag.startsWith('--test-reporter'))
    ? []
    : [
        '--test-reporter=spec',
        '--test-reporter-destination=stdout',
        '--test-reporter=./test/timings-reporter.ts',
        `--test-reporter-destination=${timings}`,
      ];
  const child = spawn(process.execPath, ['--test', ...concurrency, ...reporters, ...flags, ...writeGroups()], {
    cwd: SERVER,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  // The child ends by the same signal; we stay to stop the server.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Writes one small module for each process and returns their paths, in the order in which they start: the longest
 * first, so that no long file begins when everything else has ended. Each test file is a suite of its process.
 */
function writeGroups(): string[] {
  const all = files.length > 0 ? files : globSync(GLOBS[kind], { cwd: SERVER }).filter(belongsToRun);
  const sorted = [...new Set(all)].map((file) => join(SERVER, file)).sort();
  const long = sorted.filter((file) => STARTS_PROCESSES.test(file));
  const together = sorted.filter((file) => !STARTS_PROCESSES.test(file));
  const dealt = dealGroups(together, FILES_AT_ONCE[kind]);
  const folder = join(dir, 'groups');
  mkdirSync(folder);
  const size = files.length > 0 ? 1 : OF_THOSE_IN_A_GROUP;
  const needsCore = (file: string) => NEEDS_A_CORE.test(readFileSync(file, 'utf8'));
  const mixed = spread(
    chunks(long.filter(needsCore), size),
    chunks(
      long.filter((file) => !needsCore(file)),
      size,
    ),
  );
  return [...mixed, ...dealt].map((group, index) => {
    const path = join(folder, `${String(index).padStart(3, '0')}.test.mjs`);
    const urlOf = (file: string) => JSON.stringify(pathToFileURL(file).href);
    const suites = group.map((file) => {
      const name = JSON.stringify(relative(SERVER, file));
      return `suite(${name}, async () => { afterEach(${tellOfPages.name}); await import(${urlOf(file)}); });`;
    });
    const imports = [
      "import { afterEach, suite } from 'node:test';",
      `import { ${tellOfPages.name} } from ${urlOf(join(SERVER, 'test/harness/tell-of-pages.ts'))};`,
    ];
    writeFileSync(path, `${[...imports, ...suites].join('\n')}\n`);
    return path;
  });
}

function chunks(files: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, n) => files.slice(n * size, (n + 1) * size));
}

/** The groups of both lists, each list spread evenly over the whole. */
function spread<T>(...lists: readonly (readonly T[])[]): T[] {
  return lists
    .flatMap((list) => list.map((item, index) => ({ item, at: (index + 0.5) / list.length })))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/**
 * Groups of falling size: each is the share of one process in two thirds of the files that are left. The files of a
 * group stand far apart in `sorted`, so that the slow files of one feature do not end up in one process.
 */
function dealGroups(sorted: readonly string[], processes: number): string[][] {
  const groups: string[][] = [];
  for (let left = [...sorted]; left.length > 0; ) {
    const share = Math.max(SMALLEST_GROUP, Math.ceil(left.length / (1.5 * processes)));
    const size = left.length < 2 * SMALLEST_GROUP ? left.length : share;
    const step = left.length / size;
    const taken = new Set(Array.from({ length: size }, (_, place) => Math.floor(place * step)));
    groups.push(left.filter((_file, index) => taken.has(index)));
    left = left.filter((_file, index) => !taken.has(index));
  }
  return groups;
}

/** Random tests try few cases in `npm test`, and many in `npm run prove`, where other tests are not repeated. */
function belongsToRun(file: string): boolean {
  if (kind === 'test' || file.endsWith('.prove.ts')) return true;
  return /\b(propertyRuns\(\{|proof\(')/.test(readFileSync(join(SERVER, file), 'utf8'));
}

/** Files may be written from the project's root or from server/; a folder means all tests or all proofs below it. */
function sortArguments(args: string[]): { files: string[]; flags: string[] } {
  const kinds = process.argv.includes(PROVE) ? 'prove' : '{test,e2e}';
  const flags = args.filter((arg) => arg.startsWith('-'));
  const files = args
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) =>
      arg
        .replace(/^server\//, '')
        .replace(/^dashboard\//, '../dashboard/')
        .replace(/\/$/, ''),
    )
    .flatMap((arg) => {
      const path = join(SERVER, arg);
      const isFolder = existsSync(path) && statSync(path).isDirectory();
      const found = globSync(isFolder ? `${arg}/**/*.${kinds}.ts` : arg, { cwd: SERVER });
      // Without a file, everything would run.
      if (found.length === 0) throw new Error(`There is no test in ${arg}`);
      return found;
    });
  return { files, flags };
}
