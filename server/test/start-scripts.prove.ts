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
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from './harness/data-dir.ts';
import { undoAfter } from './harness/undo.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
const PLATFORM = `${process.platform}-${process.arch}`;

// Does what npm ci does, as far as the scripts look: an empty node_modules, then what the lockfile says.
const FAKE_NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
if (existsSync('running')) { console.error('two npm at once'); process.exit(9); }
mkdirSync('running');
rmSync('node_modules', { recursive: true, force: true });
const finish = () => {
  rmSync('running', { recursive: true });
  if (process.env.FAKE_NPM_FAILS) { console.error('npm error network is unreachable'); process.exit(1); }
  mkdirSync('node_modules/node-${PLATFORM}/bin', { recursive: true });
  symlinkSync(process.execPath, 'node_modules/node-${PLATFORM}/bin/node');
};
const waiting = setInterval(() => {
  if (process.env.FAKE_NPM_WAITS && !existsSync('go')) return;
  clearInterval(waiting);
  finish();
}, 10);
`;

interface Project {
  root: string;
  start(env?: Record<string, string | undefined>, args?: string[]): Run;
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
    start(env = {}, args = []) {
      const child = spawn(process.execPath, ['scripts/run.mjs', 'program.ts', ...args], {
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
      const file = join(root, 'server/calls');
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
    /^Installing the packages into server\/node_modules \(.+\) …\nInstalled in \d+ s\.\nprogram --role,api \S+\n$/,
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
  writeFileSync(join(project.root, 'server/go'), '');
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

test('every script of package.json hands its signals on', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(join(SCRIPTS, '../package.json'), 'utf8'),
  );
  for (const name of ['start', 'test', 'dev', 'check', 'bench'])
    assert.match(scripts[name] ?? '', /^exec node scripts\//, name);
});
