/**
 * Types the commands of docs/deploying.md for install, backup, restore and upgrade. Their folders are below one of the
 * test, `git clone` reads a repository of the test, and `systemctl` is a program that stops the process of the test.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
} from 'node:fs';
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { adminCommand } from '../../src/main/admin/admin-command.ts';
import { type Db, openDatabase } from '#platform/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { TEST_KEY } from '../harness/app-settings.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';
import {
  afterManyLooks,
  aMachine,
  EMAIL,
  makeDue,
  post,
  recipients,
  silent,
  startMachine,
} from '../harness/restored-machine.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';
import { needsTool } from '../system-tools.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/deploying.md'), 'utf8');
const blocks = [...PAGE.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] ?? '');
const blockWith = (words: string): string => blocks.find((block) => block.includes(words)) ?? assert.fail(words);

const folder = mkdtempSync(join(tmpdir(), 'posthorn-back-up-'));
chmodSync(folder, 0o755); // As root, PostgreSQL runs as another user and has to pass through.
const at = (name: string): string => join(folder, name);
const DATA = at('lib/posthorn');
const REPOSITORY = at('repository');
let running: PosthornProcess | undefined;

before(() => {
  for (const name of ['bin', 'lib', 'backups', 'opt', 'repository']) mkdirSync(at(name));
  writeFileSync(
    at('bin/systemctl'),
    `#!/bin/sh
echo "$*" >> ${at('calls')}
[ "$1" = start ] || { kill -TERM "$(cat ${at('pid')})"; while kill -0 "$(cat ${at('pid')})" 2> /dev/null; do sleep 0.05; done; }
`,
    { mode: 0o755 },
  );
});
after(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a text in sh, with the folders and the user of the test in place of those of the page. */
async function type(text: string): Promise<string> {
  const { uid, gid } = existsSync(DATA) ? statSync(join(DATA, 'postgres')) : { uid: 0, gid: 0 };
  const here = text
    .replaceAll('/var/lib/', `${at('lib')}/`)
    .replaceAll('/var/backups/', `${at('backups')}/`)
    .replaceAll('/opt/', `${at('opt')}/`)
    .replaceAll('<repository>', REPOSITORY)
    .replace(/posthorn-\d{4}-\d\d-\d\d/, 'posthorn-$(date +%F)')
    .replace('chown -R posthorn:', `chown -R ${uid}:${gid}`);
  const { stdout } = await promisify(execFile)('sh', ['-ec', here], {
    cwd: ROOT,
    env: {
      ...process.env,
      PATH: `${at('bin')}:${process.env['PATH']}`,
      GIT_CONFIG_GLOBAL: '/dev/null',
      npm_config_loglevel: 'silent',
    },
  });
  return stdout;
}

async function start(): Promise<PosthornProcess> {
  running = await startProcess({ env: { POSTHORN_DATA_DIR: DATA, POSTHORN_SECRET_KEY: undefined } });
  writeFileSync(at('pid'), String(running.pid));
  return running;
}

/** A receiver of webhooks, and the headers and body of what it got. */
async function startReceiver(
  t: TestContext,
): Promise<{ url: string; next(): Promise<[Record<string, string>, string]> }> {
  const got: [Record<string, string>, string][] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => void (body += part));
    request.on('end', () => {
      got.push([
        Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        body,
      ]);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undoAfter(t, () => server.close());
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}/`, next: () => until('a webhook', async () => got.shift()) };
}

const email = (subject: string) => ({ from: 'hello@posthorn.test', to: ['ada@example.com'], subject, text: 'Hello' });
const suppress = (process: PosthornProcess, number: number) =>
  process.fetch('/v1/suppressions', { body: { email: `person-${number}@example.com` } });

/** The files that a start needs, in a repository: its commits are the versions that can be installed. */
async function commit(): Promise<void> {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-qm', 'A version'],
  ])
    await promisify(execFile)('git', args, {
      cwd: REPOSITORY,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
}

test('the install fetches the program and shows its commands', async () => {
  for (const path of ['package.json', '.npmrc', 'scripts', 'docs/examples/deploy'])
    cpSync(join(ROOT, path), join(REPOSITORY, path), { recursive: true });
  for (const path of ['package.json', 'package-lock.json', 'src', 'migrations'])
    cpSync(join(ROOT, 'server', path), join(REPOSITORY, 'server', path), { recursive: true });
  await commit();
  const [user = '', clone = '', ...more] = blockWith('git clone').split('\n');
  assert.match(user, /^useradd /, 'left out: it changes the machine');
  await type(clone);
  // The packages of this checkout, so that nothing is fetched.
  symlinkSync(join(ROOT, 'server/node_modules'), at('opt/posthorn/server/node_modules'));
  assert.match(await type(more.join('\n')), /^Usage:\n {2}npm start /m);
});

test('a restored backup has what was committed before it began, and can read its secrets', async (t) => {
  if (!needsTool(t, 'psql')) return;
  const receiver = await startReceiver(t);
  const original = await start();
  const made = await original.fetch('/v1/webhooks', { body: { url: receiver.url, events: ['*'] } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { secret } = made.body as { secret: string }; // shown once, at the creation
  const sent = await original.fetch('/v1/send', { body: email('Before the backup') });
  const [{ id }] = (sent.body as { emails: [{ id: string }] }).emails; // one recipient
  for (let number = 0; number < 20; number += 1) assert.equal((await suppress(original, number)).status, 201);
  const backup = type(blockWith('back-up.sh'));
  for (let number = 20; number < 40; number += 1) assert.equal((await suppress(original, number)).status, 201);
  await backup;

  await type(blockWith('cp -a'));
  assert.equal(await original.ended, 0);
  assert.deepEqual(readFileSync(at('calls'), 'utf8'), 'stop posthorn\nstart posthorn\n');
  rmSync(at('lib/posthorn.old'), { recursive: true });
  const copy = await start();
  // The copy knows the key of the original.
  const get = async (path: string): Promise<any> =>
    (await copy.fetch(path, { headers: { authorization: `Bearer ${original.key}` } })).body;
  const { total } = await get('/v1/suppressions?limit=1');
  assert.ok(total >= 20 && total <= 40, `${total} suppressions`);
  assert.equal((await get(`/v1/emails/${id}`)).subject, 'Before the backup');

  const later = await copy.fetch('/v1/send', {
    body: email('After the restore'),
    headers: { authorization: `Bearer ${original.key}` },
  });
  const [{ id: laterId }] = (later.body as { emails: [{ id: string }] }).emails;
  const captured = await until('the message', async () =>
    (await get('/v1/captured-emails')).data.find(({ subject }: { subject: string }) => subject === 'After the restore'),
  );
  const { headers: lines } = await get(`/v1/captured-emails/${captured.id}`);
  assert.ok(
    lines.some(({ name }: { name: string }) => name.toLowerCase() === 'dkim-signature'),
    'the DKIM key can be read',
  );
  for (;;) {
    const [headers, body] = await receiver.next();
    const event: any = new Webhook(secret).verify(body, headers); // throws for another secret
    if (JSON.stringify(event).includes(laterId)) break;
  }
});

/** A PostgreSQL that Posthorn did not start, in a folder that can be copied, and a look into it. */
async function aServer(t: TestContext, dataDir: string): Promise<{ server: EmbeddedPostgres; db: Db }> {
  const log = { info: () => undefined };
  const server = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off', full_page_writes: 'off' } });
  undoAfter(t, () => server.stop());
  const { db, close } = openDatabase({ url: server.url, poolMax: 1, applicationName: 'test', log: silent });
  undoAfter(t, close);
  return { server, db };
}

/** Begins a recovery of the copied cluster with the next start, to a named point of the log of the original. */
function recoverTo(point: string, { cluster, log }: { cluster: string; log: string }): void {
  const { uid, gid } = statSync(cluster);
  const signal = join(cluster, 'recovery.signal');
  writeFileSync(signal, '');
  chownSync(signal, uid, gid);
  const settings = {
    restore_command: `cp "${log}/%f" "%p"`,
    recovery_target_name: point,
    recovery_target_action: 'promote',
  };
  for (const [name, value] of Object.entries(settings))
    appendFileSync(join(cluster, 'postgresql.auto.conf'), `${name} = '${value}'\n`);
}

test('a recovery to a point before a send hands over nothing until an operator has looked and confirmed', async (t) => {
  if (!needsTool(t, 'psql')) return;
  const lib = at('pitr');
  mkdirSync(lib);
  const { server, db } = await aServer(t, lib);
  const original = await aMachine(t, server.url);
  const first = await startMachine(t, original);
  await promisify(execFile)('sh', [join(ROOT, 'docs/examples/deploy/back-up.sh'), lib, at('backups/pitr')]);
  const ids = new Map<string, string>();
  for (const name of ['sent', 'due']) {
    const scheduled = { ...EMAIL, to: [`${name}@example.com`], subject: name, scheduled_for: 'in 1 hour' };
    const { id } = await post(first, '/scheduled', scheduled);
    ids.set(name, String(id));
  }
  await sql`select pg_create_restore_point('before_the_send')`.execute(db);
  await makeDue(db, 'sent', 0);
  await original.sink.waitFor(1);
  await first.stop();
  await db.destroy();
  await server.stop();

  const began = performance.now();
  recoverTo('before_the_send', { cluster: at('backups/pitr/postgres'), log: join(server.cluster, 'pg_wal') });
  const recovered = await aServer(t, at('backups/pitr'));
  // On another machine, whose data directory has no file beside the database.
  const machine = await aMachine(t, recovered.server.url);
  const held = await startMachine(t, machine);
  t.diagnostic(`accepts mail again after ${Math.round(performance.now() - began)} ms; lost nothing before the point`);
  assert.match(held.said(), /SENDING IS HELD\. This PostgreSQL was restored to a point in time/);
  assert.deepEqual((await health(held))['sending'], 'held');
  // The email that was sent is scheduled again, and due. To look at the queue and to cancel is free.
  await makeDue(recovered.db, 'sent', 1);
  await makeDue(recovered.db, 'due', 1);
  await post(held, '/v1/send', { ...EMAIL, to: ['queued@example.com'] });
  await afterManyLooks(recovered.db);
  assert.equal(machine.sink.count, 0);
  const cancel = await fetch(`${held.url}/scheduled/${ids.get('sent')}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${TEST_KEY}`, connection: 'close' },
  });
  assert.equal(cancel.status, 200, await cancel.text());

  await adminCommand({ name: 'resume-sending' }, { settings: machine.settings, log: silent, say: () => undefined });
  await machine.sink.waitFor(2);
  assert.deepEqual(recipients(machine), ['due@example.com', 'queued@example.com']);
  assert.deepEqual(recipients(original), ['sent@example.com']);
});

const health = async ({ url }: { url: string | undefined }): Promise<Record<string, unknown>> =>
  JSON.parse(await (await fetch(`${url}/health`)).text());

test('the upgrade stops the service, fetches the new version and starts it', async () => {
  const server = at('repository/server');
  const manifest = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'));
  writeFileSync(join(server, 'package.json'), JSON.stringify({ ...manifest, version: '9.9.9' }));
  await commit();
  rmSync(at('calls'), { force: true });
  if (running === undefined) writeFileSync(at('pid'), '999999999'); // no process has such an id
  assert.match(await type(blockWith('git pull')), /^Usage:/m);
  assert.equal(readFileSync(at('calls'), 'utf8'), 'stop posthorn\nstart posthorn\n');
  if (running !== undefined) assert.equal(await running.ended, 0);
  assert.equal((await type('cd /opt/posthorn && npm start -- --version')).trim(), '9.9.9');
});
