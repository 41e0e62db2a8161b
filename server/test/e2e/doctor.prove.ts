/** `npm start -- doctor` as a command: beside a running Posthorn, without one, and with something wrong. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { temporaryFolder } from '../harness/data-dir.ts';
import { createTestDatabase } from '../harness/database.ts';
import { freePort, startProcess, TEST_SECRET } from '../harness/posthorn-process.ts';
import { PROGRAM } from '../harness/program.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';
import { needsTool } from '../system-tools.ts';

function doctor(folder: string, env: Record<string, string> = {}): { code: number | null; output: string } {
  const ran = spawnSync(process.execPath, [PROGRAM, 'doctor'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      POSTHORN_DATA_DIR: path.join(folder, 'data'),
      POSTHORN_LOG_LEVEL: 'warn',
      POSTHORN_SMTP_RELAY_PORT: '0',
      POSTHORN_SMTP_RELAYS_PORT: '0',
      ...env,
    },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: ran.status, output: `${ran.stdout}${ran.stderr}` };
}

test('the doctor looks beside a running Posthorn and after it, and ends with 1 when it found an error', async (t) => {
  const folder = temporaryFolder(t);
  const running = await startProcess({ env: { POSTHORN_DATA_DIR: path.join(folder, 'data') } });
  undoAfter(t, () => running.stop());

  const beside = doctor(folder);
  assert.equal(beside.code, 0, beside.output);
  assert.match(
    beside.output,
    /^Provider: capture\n\nok {7}database {11}PostgreSQL 18\.\d+ .*\nok {7}notifications {6}.*\nok {7}clock {14}.*\nok {7}sending {12}.*\nok {7}capture {12}Nothing leaves this machine.*\nskipped {2}relay {14}.*\nskipped {2}relay_certificate {2}.*\nskipped {2}mta_sts {12}.*\n\nAll is well\.\n$/,
  );
  const { status } = await running.fetch('/v1/provider/check');
  assert.equal(status, 200, 'it goes on');
  assert.equal(await running.stop(), 0);

  const alone = doctor(folder);
  assert.deepEqual([alone.code, alone.output], [0, beside.output]);
  const wrong = doctor(folder, { POSTHORN_PROVIDER_URL: 'smtp://ann:secret@127.0.0.1:1' });
  assert.equal(wrong.code, 1, wrong.output);
  assert.match(wrong.output, /error {4}connection {9}127\.0\.0\.1:1: .*\n {28}cause: No session.*\n {28}fix: /);
  assert.match(wrong.output, /\n2 errors, 2 warnings\.\n$/);
  assert.doesNotMatch(wrong.output, /secret/);
});

test('a setting with a fault ends the doctor before it looks', (t) => {
  const { code, output } = doctor(temporaryFolder(t), { POSTHORN_PROVIDER_URL: 'ses://nowhere' });
  assert.equal(code, 1);
  assert.match(output, /POSTHORN_PROVIDER_URL names a region that no AWS region looks like/);
});

test('through a PgBouncer in transaction mode, start and doctor say that notifications do not arrive; DATABASE_DIRECT_URL mends it', async (t) => {
  if (!needsTool(t, 'pgbouncer')) return;
  const database = await createTestDatabase();
  undoAfter(t, database.close);
  const pooled = await startPgBouncer(t, database.url);
  const env = { POSTHORN_SECRET_KEY: TEST_SECRET, POSTHORN_UNSAFE_DATABASE: 'allow', DATABASE_URL: pooled };
  const running = await startProcess({ databaseUrl: pooled, env });
  undoAfter(t, () => running.stop());
  assert.match(running.output(), /notifications of PostgreSQL do not arrive.*DATABASE_DIRECT_URL/);
  const email = { from: 'hello@posthorn.test', to: ['ada@example.com'], subject: 'Pooled', text: 'Hello' };
  assert.equal((await running.fetch('/v1/send', { body: email })).status, 202);
  await until('the delivery, found by polling', async () => {
    const { body } = await running.fetch('/v1/captured-emails');
    return JSON.stringify(body).includes('Pooled') || undefined;
  });
  assert.match(
    doctor(temporaryFolder(t), env).output,
    /warning {2}notifications .*\n.*\n.*fix: +Set DATABASE_DIRECT_URL/,
  );
  const mended = doctor(temporaryFolder(t), { ...env, DATABASE_DIRECT_URL: database.url });
  assert.match(mended.output, /ok {7}notifications +A notification arrived/);
});

/** In transaction mode, and as the user of the server of the tests: its socket is in a folder of that user. */
async function startPgBouncer(t: TestContext, databaseUrl: string): Promise<string> {
  const { host, database, user, password } = new pg.Client({ connectionString: databaseUrl });
  const folder = temporaryFolder(t);
  const port = await freePort();
  const { uid, gid } = statSync(host);
  const ini = path.join(folder, 'pgbouncer.ini');
  writeFileSync(
    ini,
    `[databases]
${database} = host=${host} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
`,
  );
  const bouncer = spawn('/usr/sbin/pgbouncer', [ini], {
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  undoAfter(t, () => bouncer.kill('SIGKILL'));
  let said = '';
  bouncer.stderr.setEncoding('utf8').on('data', (part: string) => void (said += part));
  await until('PgBouncer', async () => {
    assert.equal(bouncer.exitCode, null, said);
    return said.includes('process up') || undefined;
  });
  return `postgres://${user}@127.0.0.1:${port}/${database}`;
}
