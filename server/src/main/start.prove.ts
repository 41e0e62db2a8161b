import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  chmodSync,
  existsSync,
  fstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { loadSettings } from '#platform/config/settings.ts';
import { onFaultPoint } from '#platform/fault-points.ts';
import { createLog } from '#platform/log.ts';
import type { Fault } from '../../test/harness/fault-plan.ts';
import { freePort } from '../../test/harness/posthorn-process.ts';
import { undoAfter } from '../../test/harness/undo.ts';
import { until } from '../../test/harness/until.ts';
import { adminCommand } from './admin/admin-command.ts';
import { type AdminCommand, ROLES } from './arguments.ts';
import { startPosthorn } from './start.ts';

const STEPS = [
  'postgres.after-postmaster',
  'start.after-postgres',
  'start.after-migrations',
  'start.after-secret-key',
  'start.after-first-start',
  'start.after-services',
  'start.after-listen',
];

interface Start {
  dataDir: string;
  lines: string[];
  signal?: AbortSignal;
}

async function start({ dataDir, lines, signal }: Start) {
  const env = { POSTHORN_DATA_DIR: dataDir, PORT: String(await freePort()), POSTHORN_LOG_LEVEL: 'silent' };
  const { settings } = loadSettings(env);
  return startPosthorn({
    settings,
    roles: ROLES,
    log: createLog({ level: 'silent' }),
    say: (line) => lines.push(line),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Processes whose working directory is the folder: PostgreSQL and its helpers. */
const runningIn = (folder: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });

function assertNothingLeft(dataDir: string): void {
  assert.deepEqual(runningIn(dataDir), [], 'no process of PostgreSQL is left');
  assert.ok(!existsSync(join(dataDir, 'postgres.lock')), 'the data directory is free');
}

function failAt(t: TestContext, act: (name: string) => void): void {
  onFaultPoint(act);
  undoAfter(t, () => onFaultPoint(undefined));
}

const folder = mkdtempSync(join(tmpdir(), 'posthorn-start-'));
chmodSync(folder, 0o755); // As root, PostgreSQL runs as another user and has to pass through.
after(() => rmSync(folder, { recursive: true, force: true }));
/** Made by the first test and used by all: a new database takes longer than the rest of a start. */
const dataDir = join(folder, 'new/data');

/** The inodes that were brought to the disk. */
function recordSyncs(t: TestContext): Set<number> {
  const synced = new Set<number>();
  const { fsyncSync } = fs;
  t.mock.method(fs, 'fsyncSync', (fd: number) => {
    fsyncSync(fd);
    synced.add(fstatSync(fd).ino);
  });
  syncBuiltinESMExports();
  undoAfter(t, () => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return synced;
}

test('a start that fails or is given up at any step leaves nothing running, and the next start works', async (t) => {
  const synced = recordSyncs(t);
  const lines: string[] = [];
  const reached: string[] = [];
  let fail: ((name: string) => void) | undefined;
  failAt(t, (name) => {
    reached.push(name);
    fail?.(name);
  });
  for (const [number, step] of STEPS.entries()) {
    fail = (name) => {
      if (name === step) throw new Error(`a planned fault at ${step}`);
    };
    await assert.rejects(start({ dataDir, lines }), { message: `a planned fault at ${step}` });
    assert.equal(reached.at(-1), step);
    assertNothingLeft(dataDir);
    if (lines.length > 0) {
      for (const path of ['..', '', 'secret-key', 'postgres', 'postgres/posthorn-password'])
        assert.ok(synced.has(statSync(join(dataDir, path)).ino), `${path} was on the disk before the first line`);
    }
    if (number % 2 === 1) continue;
    const giveUp = new AbortController();
    fail = (name) => {
      if (name === step) giveUp.abort();
    };
    await assert.rejects(start({ dataDir, lines, signal: giveUp.signal }), { name: 'AbortError' });
    assertNothingLeft(dataDir);
  }
  fail = undefined;
  const running = await start({ dataDir, lines });
  assert.equal((await fetch(`${running.url}/health`)).status, 200);
  await running.stop();
  assertNothingLeft(dataDir);
  const printed = lines.join('\n').match(/API key +ph_live_\w+/g);
  assert.equal(printed?.length, 1, 'the failed start that made the key has printed it');
});

test('a damaged password of the database is refused, and the commands of the message set a new one', async () => {
  const file = join(dataDir, 'postgres/posthorn-password');
  truncateSync(file, 12);
  const failure: unknown = await start({ dataDir, lines: [] }).catch((error: unknown) => error);
  assert.ok(failure instanceof Error);
  assert.match(failure.message, /posthorn-password, has 12 of 48 characters\. Most often a power cut/);
  assert.ok(failure.message.includes('Nothing was changed, and your data is not affected.'));
  assertNothingLeft(dataDir);

  const commands = failure.message
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .join('\n');
  const { uid, gid } = statSync(file);
  execFileSync('/bin/sh', ['-e', '-c', commands], { uid, gid, cwd: '/', stdio: 'pipe' });
  const running = await start({ dataDir, lines: [] });
  await running.stop();
});

test('a lost key and a lost password are replaced on the command line, beside a running Posthorn and without one', async () => {
  const command = async (given: AdminCommand, at = dataDir): Promise<string> => {
    const lines: string[] = [];
    const { settings } = loadSettings({ POSTHORN_DATA_DIR: at });
    await adminCommand(given, { settings, log: createLog({ level: 'silent' }), say: (line) => lines.push(line) });
    return lines.join('\n');
  };
  const createKey: AdminCommand = { name: 'create-key', keyName: 'Found again' };
  const keyIn = (text: string): string => text.match(/ph_live_\w+/)?.[0] ?? assert.fail(text);
  const alone = keyIn(await command(createKey));
  assertNothingLeft(dataDir);
  const running = await start({ dataDir, lines: [] });
  try {
    const beside = keyIn(await command(createKey));
    for (const key of [alone, beside]) {
      const answer = await fetch(`${running.url}/v1/api-keys`, { headers: { authorization: `Bearer ${key}` } });
      assert.equal(answer.status, 200);
    }
    const email = 'admin@posthorn.test';
    const password = (await command({ name: 'reset-password', email })).match(/: (.+)$/m)?.[1];
    const body = JSON.stringify({ email, password });
    const headers = { 'content-type': 'application/json' };
    assert.equal((await fetch(`${running.url}/auth/login`, { method: 'POST', headers, body })).status, 200);
    await assert.rejects(command({ name: 'reset-password', email: 'nobody@example.com' }), {
      message: 'Nobody signs in with nobody@example.com.',
    });
  } finally {
    await running.stop();
  }
  const elsewhere = join(folder, 'typing-error');
  await assert.rejects(
    command(createKey, elsewhere),
    /^Error: There is no database in .+typing-error\. Start Posthorn once/,
  );
  assert.ok(!existsSync(elsewhere), 'no database is made by a command');
});

test('SIGTERM in the middle of a start ends it in order, with PostgreSQL', async (t) => {
  const faults: Fault[] = [{ at: 'start.after-postgres', pass: 1, act: 'freeze' }];
  const plan = join(import.meta.dirname, '../../test/harness/fault-plan.ts');
  const child = spawn(process.execPath, ['--import', plan, join(import.meta.dirname, 'posthorn.ts')], {
    env: {
      PATH: process.env['PATH'],
      POSTHORN_DATA_DIR: dataDir,
      PORT: String(await freePort()),
      CRASH_ARMED: '1',
      CRASH_PLAN: JSON.stringify(faults),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  undoAfter(t, () => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  let printed = '';
  child.stdout.on('data', (text) => (printed += String(text)));
  child.stderr.on('data', (text) => (printed += String(text)));
  // Told before it comes: a SIGCONT that overtakes it would leave the process frozen for good.
  await until('the frozen start', async () => (printed.includes('fault: freeze') && isFrozen(child.pid)) || undefined);
  child.kill('SIGTERM');
  child.kill('SIGCONT');
  assert.deepEqual(await ended, [0, null], printed);
  assert.ok(!printed.includes('Posthorn is running'));
  assertNothingLeft(dataDir);
});

/** The state of the process, proc(5): T is stopped by a signal. */
const isFrozen = (pid: number | undefined): boolean => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T ');
