/**
 * `npm start` and its sisters before anything is installed: the scripts are copied into an empty project whose npm and
 * Node 24 are stand-ins that write down how they were called.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from './harness/data-dir.ts';
import { until } from './harness/until.ts';
import { undoAfter } from './harness/undo.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
const PLATFORM = `${process.platform}-${process.arch}`;

// Does what npm ci does, as far as the scripts look: an empty node_modules, then what the lockfile says. Its own files
// begin with a point: any other file in the folder would be a source of the dashboard, and change its hash.
const FAKE_NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
appendFileSync('.calls', process.argv.slice(2).join(' ') + '\\n');
if (existsSync('.running')) { console.error('two npm at once'); process.exit(9); }
mkdirSync('.running');
writeFileSync('.running/pid', String(process.pid));
rmSync('node_modules', { recursive: true, force: true });
const finish = () => {
  rmSync('.running', { recursive: true });
  if (process.cwd().endsWith('dashboard')) {
    mkdirSync('node_modules/vite/bin', { recursive: true });
    symlinkSync(process.env.FAKE_VITE, 'node_modules/vite/bin/vite.js');
    return;
  }
  if (process.env.FAKE_NPM_FAILS) { console.error('npm error network is unreachable'); process.exit(1); }
  mkdirSync('node_modules/node-${PLATFORM}/bin', { recursive: true });
  symlinkSync(process.execPath, 'node_modules/node-${PLATFORM}/bin/node');
};
// A busy npm takes a while to end.
const end = () => {
  appendFileSync('.calls', 'ended ' + (existsSync('../.cache/install.lock') ? 'under' : 'without') + ' the lock\\n');
  process.exit(1);
};
process.on('SIGTERM', () => setTimeout(end, 300));
const waiting = setInterval(() => {
  if (existsSync('fails')) process.exit(1);
  if (process.env.FAKE_NPM_WAITS && !existsSync('.go')) return;
  clearInterval(waiting);
  finish();
}, 10);
`;

// Builds what it finds in a file, as far as the scripts look.
const FAKE_VITE = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const folder = process.argv[process.argv.indexOf('--outDir') + 1];
appendFileSync('../builds', process.argv[2] + '\\n');
const page = readFileSync('src/page.html', 'utf8');
if (page === 'broken') { console.error('src/page.html: a planted fault'); process.exit(1); }
mkdirSync(folder + '/assets', { recursive: true });
writeFileSync(folder + '/assets/index.js', 'x'.repeat(2_000));
writeFileSync(folder + '/index.html', page);
`;

interface Project {
  root: string;
  start(env?: Record<string, string | undefined>, args?: string[], file?: string): Run;
  installs(): string[];
}
interface Run {
  child: ChildProcess;
  lines: AsyncIterator<string>;
  done: Promise<{ code: number; output: string }>;
}

function emptyProject(t: TestContext, program: string): Project {
  const root = temporaryFolder(t);
  cpSync(SCRIPTS, join(root, 'scripts'), { recursive: true });
  mkdirSync(join(root, 'server'));
  writeFileSync(
    join(root, 'server/package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } }),
  );
  writeFileSync(join(root, 'server/program.ts'), program);
  writeFileSync(join(root, 'npm-cli.mjs'), FAKE_NPM);
  return {
    root,
    start(env = {}, args = [], file = 'program.ts') {
      const child = spawn(process.execPath, ['scripts/run.mjs', file, ...args], {
        cwd: root,
        env: { ...process.env, npm_execpath: join(root, 'npm-cli.mjs'), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      undoAfter(t, () => child.kill('SIGKILL'));
      const done = once(child, 'close').then(([code]) => ({ code, output }));
      return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), done };
    },
    installs() {
      const file = join(root, 'server/.calls');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    },
  };
}

const PRINTS = `console.log('program', process.argv.slice(2).join(','), process.cwd());`;

test('the first start installs without package scripts, says so, then runs the program in the root of the project', async (t) => {
  const project = emptyProject(t, PRINTS);
  const { code, output } = await project.start({}, ['--role', 'api']).done;
  assert.equal(code, 0, output);
  assert.match(
    output,
    /^Installing the packages into server\/node_modules \(.+\) …\nInstalled into server in \d+ s\.\nprogram --role,api \S+\n$/,
  );
  assert.ok(output.includes(`program --role,api ${project.root}`));
  assert.deepEqual(project.installs(), ['ci --ignore-scripts --no-audit --no-fund --no-progress --loglevel=error']);
});

test('an unchanged lockfile is not installed twice; a changed one is', async (t) => {
  const project = emptyProject(t, PRINTS);
  await project.start().done;
  assert.match((await project.start().done).output, /^program/);
  assert.equal(project.installs().length, 1);
  appendFileSync(join(project.root, 'server/package-lock.json'), '\n');
  assert.match((await project.start().done).output, /^Installing/);
  assert.equal(project.installs().length, 2);
});

test('packages that `npm install` in server/ installed are not installed again', async (t) => {
  const project = emptyProject(t, PRINTS);
  const bin = join(project.root, `server/node_modules/node-${PLATFORM}/bin`);
  mkdirSync(bin, { recursive: true });
  symlinkSync(process.execPath, join(bin, 'node'));
  const own = join(project.root, 'server/node_modules/.package-lock.json');
  writeFileSync(own, JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }));
  assert.match((await project.start().done).output, /^program/);
  assert.deepEqual(project.installs(), []);
});

test('of two starts at once one installs and the other waits for it', async (t) => {
  const project = emptyProject(t, PRINTS);
  const first = project.start({ FAKE_NPM_WAITS: '1' });
  assert.match((await first.lines.next()).value, /^Installing/);
  const second = project.start();
  assert.match((await second.lines.next()).value, /^Process \d+ is installing already .*; waiting for it …$/);
  writeFileSync(join(project.root, 'server/.go'), '');
  for (const run of [first, second]) {
    const { code, output } = await run.done;
    assert.equal(code, 0, output);
    assert.match(output, /^program/m);
  }
  assert.equal(project.installs().length, 1);
});

test('an install that was killed is done again, and its lock is not waited for', async (t) => {
  const project = emptyProject(t, PRINTS);
  mkdirSync(join(project.root, '.cache'));
  writeFileSync(join(project.root, '.cache/install.lock'), String(2 ** 22 + 1)); // Above the largest pid of Linux.
  mkdirSync(join(project.root, 'server/node_modules/half-a-package'), { recursive: true });
  const { code, output } = await project.start().done;
  assert.equal(code, 0, output);
  assert.equal(project.installs().length, 1);
  assert.ok(!existsSync(join(project.root, '.cache/install.lock')));
});

test('a failing npm ends the start with its words and ours, and the next start tries again', async (t) => {
  const project = emptyProject(t, PRINTS);
  const { code, output } = await project.start({ FAKE_NPM_FAILS: '1' }).done;
  assert.equal(code, 1);
  assert.match(output, /npm error network is unreachable/);
  assert.match(
    output,
    /^posthorn: the packages could not be installed \(npm ci: exit 1, after \d+ s\); what npm says is above\.$/m,
  );
  assert.ok(!output.includes('program'));
  assert.equal((await project.start().done).code, 0);
});

test('without npm, and without a Node 24, the start says what to install', async (t) => {
  const project = emptyProject(t, PRINTS);
  const bare = join(project.root, 'bare-path');
  mkdirSync(bare);
  const noNpm = await project.start({ npm_execpath: '', PATH: bare }).done;
  assert.equal(noNpm.code, 1);
  assert.match(noNpm.output, /^posthorn: npm was not found\. Install Node\.js with npm/m);
  await project.start().done;
  const node = join(project.root, `server/node_modules/node-${PLATFORM}/bin/node`);
  rmSync(node);
  writeFileSync(node, '#!/bin/sh\necho "no loader" >&2; exit 127\n');
  chmodSync(node, 0o755);
  // This very Node is new enough to stand in for the one that does not run.
  const standIn = await project.start().done;
  assert.match(standIn.output, /the project's own Node does not run here \(no loader\)/);
  assert.match(standIn.output, /^program/m);
});

/** Says which signal it is, and that the start script no longer takes another for the same; ends as `end` says. */
const counting = (signal: string, end: string): string => `let count = 0;
  process.on('${signal}', () => {
    count += 1;
    console.log('signal', count);
    setTimeout(() => console.log('later'), 400);
    ${end}
  });
  setInterval(() => {}, 60_000);
  console.log('ready');`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} reaches the program once, however late npm passes it on, and its exit code comes back`, async (t) => {
    const project = emptyProject(t, counting(signal, 'setTimeout(() => process.exit(7), 800);'));
    const run = project.start({ npm_lifecycle_event: 'start' });
    await shows(run, 'ready');
    run.child.kill(signal); // The terminal's …
    await shows(run, 'later');
    run.child.kill(signal); // … and npm's, on a machine that is busy.
    const { code, output } = await run.done;
    assert.match(output, /ready\nsignal 1\nlater\n$/);
    assert.equal(code, 7);
  });

  test(`a second ${signal} reaches the program, below npm and without it`, async (t) => {
    const project = emptyProject(t, counting(signal, 'if (count === 2) setTimeout(() => process.exit(), 100);'));
    for (const npm_lifecycle_event of [undefined, 'start']) {
      const run = project.start({ npm_lifecycle_event });
      await shows(run, 'ready');
      run.child.kill(signal);
      await shows(run, 'later');
      // Signals of one moment may come as one: a person asks until it is heard.
      const asking = setInterval(() => run.child.kill(signal), 20);
      await shows(run, 'signal 2').finally(() => clearInterval(asking));
      await run.done;
    }
  });
}

async function shows({ lines }: Run, wanted: string): Promise<void> {
  for (let line = await lines.next(); line.value !== wanted; line = await lines.next()) assert.ok(!line.done);
}

test('a program that dies by a signal is reported like a shell does', async (t) => {
  const project = emptyProject(t, `process.kill(process.pid, 'SIGKILL');`);
  assert.equal((await project.start().done).code, 137);
});

/** A project with a dashboard, whose program prints where that is built. */
function withDashboard(t: TestContext) {
  const project = emptyProject(t, '');
  const { root } = project;
  mkdirSync(join(root, 'server/src/main'), { recursive: true });
  writeFileSync(
    join(root, 'server/src/main/posthorn.ts'),
    `import { readdirSync, readFileSync } from 'node:fs';
     const folder = process.env.POSTHORN_DASHBOARD_FILES;
     console.log('dashboard', folder && folder !== 'none'
       ? readFileSync(folder + '/index.html', 'utf8') + ' ' + readdirSync(folder + '/assets').join() : folder);`,
  );
  mkdirSync(join(root, 'dashboard/src'), { recursive: true });
  writeFileSync(join(root, 'dashboard/package.json'), '{ "type": "module" }');
  writeFileSync(join(root, 'dashboard/package-lock.json'), '{ "packages": { "": {}, "node_modules/b": {} } }');
  const vite = join(root, 'vite.mjs');
  writeFileSync(vite, FAKE_VITE);
  const write = (page: string): void => writeFileSync(join(root, 'dashboard/src/page.html'), page);
  write('one');
  const builds = (): number => {
    const file = join(root, 'builds');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  };
  const start = (args: string[] = [], env: Record<string, string> = {}) =>
    project.start({ FAKE_VITE: vite, ...env }, args, 'src/main/posthorn.ts');
  const kept = (): string[] => readdirSync(join(root, '.cache/dashboard'));
  return { root, start, write, builds, kept };
}

test('the first start builds the dashboard with compressed copies; the next starts use it, without packages and network', async (t) => {
  const { root, start, builds } = withDashboard(t);
  const first = await start().done;
  assert.equal(first.code, 0, first.output);
  assert.match(
    first.output,
    /^Building the dashboard …\nBuilt in \d+ s\.\ndashboard one index\.js,index\.js\.br,index\.js\.gz$/m,
  );
  rmSync(join(root, 'dashboard/node_modules'), { recursive: true });
  assert.equal(
    (await start([], { FAKE_NPM_FAILS: '1' }).done).output,
    'dashboard one index.js,index.js.br,index.js.gz\n',
  );
  assert.equal(builds(), 1);
});

test('a start that has to build installs both packages at once, and ends both when one cannot be installed', async (t) => {
  const { root, start } = withDashboard(t);
  const installing = start([], { FAKE_NPM_WAITS: '1' });
  const pids = ['server', 'dashboard'].map((name) => join(root, name, '.running/pid'));
  await until('both installs', async () => pids.every((file) => existsSync(file)) || undefined);
  const ofDashboard = Number(readFileSync(pids[1] ?? '', 'utf8'));
  undoAfter(t, () => hasEnded(ofDashboard) || process.kill(ofDashboard));
  writeFileSync(join(root, 'server/fails'), '');
  assert.deepEqual(await once(installing.child, 'exit'), [1, null]);
  assert.ok(hasEnded(ofDashboard));
  assert.match(readFileSync(join(root, 'dashboard/.calls'), 'utf8'), /\nended under the lock\n$/);
  assert.ok(!existsSync(join(root, 'dashboard/node_modules')));
});

function hasEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

test('changed sources are built again, and the two newest builds are kept', async (t) => {
  const { start, write, builds, kept } = withDashboard(t);
  for (const page of ['one', 'two', 'three', 'three']) {
    write(page);
    assert.match((await start().done).output, new RegExp(`^dashboard ${page} `, 'm'));
  }
  assert.equal(builds(), 3);
  assert.equal(kept().length, 2);
});

test('of two starts at once one builds the dashboard, and both serve it', async (t) => {
  const { root, start, builds } = withDashboard(t);
  const first = start([], { FAKE_NPM_WAITS: '1' });
  await until('the first start to install', async () => existsSync(join(root, 'dashboard/.running/pid')) || undefined);
  const second = start();
  await shows(
    second,
    `Process ${first.child.pid} is installing already (it says so in ${join(root, '.cache/install.lock')}); waiting for it …`,
  );
  for (const name of ['server', 'dashboard']) writeFileSync(join(root, name, '.go'), '');
  for (const { code, output } of await Promise.all([first.done, second.done])) {
    assert.equal(code, 0, output);
    assert.match(output, /^dashboard one /m);
  }
  assert.equal(builds(), 1);
});

test('a dashboard that cannot be built ends the start with the reason and a way on, and leaves nothing', async (t) => {
  const { start, write, kept } = withDashboard(t);
  write('broken');
  const { code, output } = await start().done;
  assert.equal(code, 1);
  assert.match(output, /^posthorn: the dashboard could not be built \(vite build: exit 1\)/m);
  assert.match(output, /a planted fault/);
  assert.deepEqual(kept(), []);
  assert.match((await start([], { POSTHORN_DASHBOARD_FILES: 'none' }).done).output, /^dashboard none$/m);
  write('mended');
  assert.match((await start().done).output, /^dashboard mended /m);
});

test('a worker, a command and a set folder build no dashboard; the role api and --help do', async (t) => {
  const { root, start, builds } = withDashboard(t);
  const without = [['--role', 'worker'], ['--role=smtp', '--role', 'worker'], ['doctor'], ['admin', 'create-key']];
  for (const args of without) assert.match((await start(args).done).output, /^dashboard undefined$/m, args.join(' '));
  writeFileSync(join(root, '.env'), 'POSTHORN_DASHBOARD_FILES=/elsewhere\n');
  assert.match((await start().done).output, /^dashboard undefined$/m);
  assert.equal(builds(), 0);
  rmSync(join(root, '.env'));
  for (const args of [['--role', 'worker', '--role=api'], ['--help']])
    assert.match((await start(args).done).output, /^dashboard one /m, args.join(' '));
});

test('every script of package.json hands its signals on', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(SCRIPTS, '../package.json'), 'utf8'),
  );
  for (const name of ['start', 'test', 'dev', 'check', 'bench'])
    assert.match(scripts[name] ?? '', /^exec node scripts\//, name);
});
