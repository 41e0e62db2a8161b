/**
 * The oldest PostgreSQL that Posthorn runs on, as Debian 12 packs it; all other tests run on the one that Posthorn has
 * with it. The migrations run, an email is sent and read, and every list is asked for: words and functions that a later
 * version brought are faults only where they run.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { asUser, chooseServerUser } from '#platform/postgres/server-user.ts';
import openapi from '../../openapi.json' with { type: 'json' };
import { temporaryFolder } from '../harness/data-dir.ts';
import { startProcess } from '../harness/posthorn-process.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';
import { needsTool, POSTGRES_15 } from '../system-tools.ts';

/** A server of this test alone, on a socket; its URL. */
async function startPostgres15(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  const cluster = join(folder, 'cluster');
  mkdirSync(cluster);
  const user = chooseServerUser(undefined);
  if (user) for (const path of [folder, cluster]) chownSync(path, user.uid, user.gid);
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  const options = ['--auth=trust', '--username=posthorn', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  const made = spawnSync(join(POSTGRES_15, 'initdb'), [`--pgdata=${cluster}`, ...options], {
    cwd: '/',
    env,
    encoding: 'utf8',
    ...asUser(user),
  });
  assert.equal(made.status, 0, made.stderr);
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'full_page_writes=off'];
  const server = spawn(join(POSTGRES_15, 'postgres'), ['-D', cluster, ...settings.flatMap((one) => ['-c', one])], {
    cwd: '/',
    env,
    stdio: 'ignore',
    ...asUser(user),
  });
  const ended = once(server, 'exit');
  undoAfter(t, async () => {
    server.kill('SIGINT');
    await ended;
  });
  const url = `postgresql://posthorn@/postgres?host=${encodeURIComponent(folder)}`;
  const version = await until('PostgreSQL 15', () => askVersion(url));
  assert.match(version, /^15\./);
  return url;
}

/** Undefined while it takes no connections. */
async function askVersion(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version;
  } catch {
    return undefined;
  } finally {
    await client.end();
  }
}

test('on PostgreSQL 15 the first start makes the tables, an email is delivered and read, and every list answers', async (t) => {
  if (!needsTool(t, 'postgresql-15')) return;
  const posthorn = await startProcess({ databaseUrl: await startPostgres15(t) });
  undoAfter(t, () => posthorn.stop());
  const body = { from: 'hello@posthorn.test', to: ['ada@example.com'], subject: 'On 15', text: 'Hello' };
  const sent = await posthorn.fetch('/v1/send', { body });
  assert.ok(sent.status < 300, JSON.stringify(sent.body));
  const [email] = (sent.body as { emails: { id: string }[] }).emails;
  const read = await until('the delivery', async () => {
    const { body } = await posthorn.fetch(`/v1/emails/${email?.id}`);
    return (body as { status: string }).status === 'delivered' ? body : undefined;
  });
  assert.partialDeepStrictEqual(read, { subject: 'On 15', to: ['ada@example.com'] });
  const lists = Object.entries(openapi.paths).filter(([path, item]) => 'get' in item && !path.includes('{'));
  const answers = await Promise.all(lists.map(async ([path]) => [path, (await posthorn.fetch(path)).status] as const));
  assert.ok(answers.filter(([, status]) => status === 200).length > 20, JSON.stringify(answers));
  assert.deepEqual(
    answers.filter(([, status]) => status >= 500),
    [],
  );
  assert.doesNotMatch(posthorn.output(), /"level":"(error|fatal)"/);
});
