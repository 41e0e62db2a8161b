/**
 * The commands of whoever has the machine, beside a server that runs, and their effect on its API. The server has no
 * worker: its mail waits, so that holding it and cancelling it show. Each command runs once as a real program; one more
 * start costs seconds, so a command that runs again runs in this process.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '#platform/log.ts';
import { adminCommand } from '../../src/main/admin/admin-command.ts';
import type { AdminCommand } from '../../src/main/arguments.ts';
import { TEST_KEY, testSettings } from '../harness/app-settings.ts';
import { aDomain } from '../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type PosthornProcess, startProcess, TEST_SECRET } from '../harness/posthorn-process.ts';
import { PROGRAM } from '../harness/program.ts';
import { until } from '../harness/until.ts';

const TENANT = {
  email: 'tenant@example.com',
  password: 'a tenant has a password',
  name: 'T',
  workspace_name: 'Tenant',
};

const NO_WORKSPACE = /There is no workspace with the id or slug nobody\./;

let database: TestDatabase;
let posthorn: PosthornProcess;
let headers: { authorization: string };
before(async () => {
  database = await createTestDatabase({ poolMax: 2 });
  const env = { POSTHORN_SIGNUP: 'open' };
  posthorn = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'], env });
  const { status } = await posthorn.fetch('/auth/register', { body: TENANT });
  assert.equal(status, 201);
  const { email, password } = TENANT;
  const { token } = (await posthorn.fetch('/auth/login', { body: { email, password } })).body as { token: string };
  const bearer = { authorization: `Bearer ${token}` };
  const made = await posthorn.fetch('/v1/api-keys', { body: { name: 'T', scopes: ['*'] }, headers: bearer });
  headers = { authorization: `Bearer ${(made.body as { key: string }).key}` }; // shown once
  const { id } = await stored();
  await aDomain(database.db, id, 'tenant.example');
});
after(async () => {
  await posthorn?.stop();
  await database?.close();
});

interface Stored {
  id: string;
  status: string;
  quota: number | null;
}

async function stored(): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select id, status, emails_per_month as quota from workspaces where slug = 'tenant'`.execute(database.db);
  return rows[0] ?? assert.fail('the workspace is there');
}

const admin = (...words: readonly string[]): Promise<{ code: unknown; said: string }> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      POSTHORN_SECRET_KEY: TEST_SECRET,
      POSTHORN_UNSAFE_DATABASE: 'allow',
    };
    execFile(process.execPath, [PROGRAM, 'admin', ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, said: `${stdout}${stderr}` }),
    );
  });

async function adminHere(command: AdminCommand): Promise<string> {
  const settings = testSettings(database.url, TEST_KEY, { POSTHORN_UNSAFE_DATABASE: 'allow' });
  const said: string[] = [];
  await adminCommand(command, { settings, log: createLog({ level: 'silent' }), say: (text) => said.push(text) });
  return said.join('\n');
}

async function send(): Promise<{ status: number; message: string; jobId: string }> {
  const email = { from: 'a@tenant.example', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  const { status, body } = await posthorn.fetch('/v1/send', { body: email, headers });
  const { message = '', jobId = '' } = body as { message?: string; jobId?: string }; // of a refusal, or of a send
  return { status, message, jobId };
}

/** Another process knows a workspace as it was up to a second ago. */
const untilSent = (wanted: number) =>
  until(`a send that is answered ${wanted}`, async () => {
    const answer = await send();
    return answer.status === wanted ? answer : undefined;
  });

const jobOf = async (id: string): Promise<Record<string, unknown>> =>
  (await posthorn.fetch(`/v1/send/${id}`, { headers })).body as Record<string, unknown>; // an object, by the reference

const waiting = async (): Promise<string[]> => {
  const { id } = await stored();
  const { rows } = await sql<{ status: string }>`
    select distinct status from emails where workspace_id = ${id} order by 1`.execute(database.db);
  return rows.map(({ status }) => status);
};

test('admin pause refuses sends and holds mail that waits; admin activate takes both back', async () => {
  const before = await send();
  assert.equal(before.status, 202, before.message);
  const paused = await admin('pause', 'tenant');
  assert.equal(paused.code, 0, paused.said);
  assert.match(
    paused.said,
    /Tenant \(tenant\) is paused\. Its sends are refused with 403, and its waiting mail is held/,
  );
  assert.equal((await untilSent(403)).message, 'Sending is paused for this workspace.');
  assert.equal((await jobOf(before.jobId))['pauseCode'], 'workspace_paused');
  const active = await admin('activate', (await stored()).id);
  assert.equal(active.code, 0, active.said);
  assert.match(active.said, /is active\. Its mail leaves again/);
  await untilSent(202);
  assert.equal((await jobOf(before.jobId))['pauseCode'] ?? null, null);
});

test('admin quota refuses what does not fit any more, and none takes the quota away', async () => {
  const set = await admin('quota', 'tenant', '0');
  assert.equal(set.code, 0, set.said);
  assert.match(set.said, /Tenant \(tenant\) has a quota of 0 recipients a month \(UTC\) now/);
  assert.equal((await stored()).quota, 0);
  assert.match((await untilSent(403)).message, /^The quota of this workspace is 0 emails a month/);
  assert.match(await adminHere({ name: 'quota', workspace: 'tenant', emailsPerMonth: null }), /has no quota now/);
  assert.equal((await stored()).quota, null);
  await untilSent(202);
});

test('a command that names no workspace ends with 1 and a sentence, and changes nothing', async () => {
  const before = await stored();
  const { code, said } = await admin('pause', 'nobody');
  assert.equal(code, 1, said);
  assert.match(said, NO_WORKSPACE);
  assert.doesNotMatch(said, /\bat .+\.ts:\d+/, 'no stack');
  await assert.rejects(adminHere({ name: 'block', workspace: 'nobody' }), NO_WORKSPACE);
  await assert.rejects(adminHere({ name: 'quota', workspace: 'nobody', emailsPerMonth: 5 }), NO_WORKSPACE);
  assert.deepEqual(await stored(), before);
});

test('admin block refuses every request and cancels mail that waits, for good', async () => {
  assert.ok(!(await waiting()).includes('cancelled'));
  const blocked = await admin('block', 'tenant');
  assert.equal(blocked.code, 0, blocked.said);
  assert.match(blocked.said, /is blocked\. Its requests are refused with 403, and its waiting mail is cancelled/);
  await untilSent(403);
  assert.equal((await posthorn.fetch('/v1/domains', { headers })).status, 403);
  assert.deepEqual(await waiting(), ['cancelled']);
  await adminHere({ name: 'activate', workspace: 'tenant' });
  await until('a request that is answered', async () =>
    (await posthorn.fetch('/v1/domains', { headers })).status === 200 ? true : undefined,
  );
  assert.deepEqual(await waiting(), ['cancelled']);
});
