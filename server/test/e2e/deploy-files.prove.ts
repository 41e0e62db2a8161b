/**
 * The files of docs/examples/deploy as the programs read them that they are for: nginx and Caddy stand in front of a
 * Posthorn with the settings of docs/deploying.md, and systemd judges the unit.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { aDomain, aNewsletter } from '../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { answerOf, DEPLOYED_HOST, type DeployedProxy, startDeployedProxy, VISITOR } from '../harness/deployed-proxy.ts';
import { freePort, type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';
import { needsTool } from '../system-tools.ts';

const UNIT = path.join(import.meta.dirname, '../../../docs/examples/deploy/posthorn.service');
/** Posthorn answers the first with its metrics. A proxy that compares only the letters may let another one pass. */
const METRICS = ['/metrics', '/metrics?x=1', '/metrics/', '//metrics', '/%6detrics', '/./metrics', '/v1/../metrics'];
const BIG_BYTES = 20 * 1_048_576;

let database: TestDatabase;
let posthorn: PosthornProcess;
let upstreamPort: number;
before(async () => {
  database = await createTestDatabase({ poolMax: 2 });
  const env = { POSTHORN_PUBLIC_URL: `https://${DEPLOYED_HOST}`, POSTHORN_TRUST_PROXY: '127.0.0.1/32' };
  upstreamPort = await freePort();
  posthorn = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'], env, port: upstreamPort });
  const { rows } = await sql<{ id: string }>`select id from workspaces`.execute(database.db);
  const workspaceId = rows[0]?.id ?? assert.fail('the home workspace is there');
  await aDomain(database.db, workspaceId, 'sender.example');
  await aNewsletter(database.db, workspaceId, { slug: 'weekly' });
});
after(async () => {
  await posthorn?.stop();
  await database?.close();
});

const withKey = () => ({ authorization: `Bearer ${posthorn.key}` });
const JSON_TYPE = { 'content-type': 'application/json' };

async function assertHttpLeadsToHttps(proxy: DeployedProxy): Promise<void> {
  const { status, headers } = await answerOf(proxy.begin('/n/weekly?from=a', { plain: true }));
  assert.ok([301, 308].includes(status), String(status));
  assert.equal(headers.location, `https://${DEPLOYED_HOST}/n/weekly?from=a`);
}

async function assertSends(proxy: DeployedProxy): Promise<void> {
  const email = { from: 'a@sender.example', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  const headers = { ...withKey(), ...JSON_TYPE };
  const { status, text } = await answerOf(proxy.begin('/v1/send', { method: 'POST', headers }), JSON.stringify(email));
  assert.equal(status, 202, text);
}

/** The visitor writes an address of another into the header; the proxy must not pass it on as if it knew. */
async function assertKnowsTheVisitor(proxy: DeployedProxy, email: string): Promise<void> {
  const headers = { ...JSON_TYPE, 'x-forwarded-for': '203.0.113.9' };
  const asked = proxy.begin('/api/n/weekly/subscribe', { method: 'POST', headers });
  const { status, text } = await answerOf(asked, JSON.stringify({ email }));
  assert.equal(status, 200, text);
  const { rows } = await sql<{ ip: string }>`
    select consent ->> 'signup_ip' as ip from subscribers where email = ${email}`.execute(database.db);
  assert.deepEqual(rows, [{ ip: VISITOR }]);
}

async function assertTakesUploads(proxy: DeployedProxy): Promise<void> {
  const made = await posthorn.fetch('/v1/lists', { body: { name: 'Uploads' } });
  const { id } = made.body as { id: string }; // of the new list
  const headers = { ...withKey(), 'content-type': 'text/csv' };
  const row = `ada@example.com,${'a'.repeat(200)}\n`;
  const file = Buffer.from(`email,first_name\n${row.repeat(BIG_BYTES / row.length)}`);
  const { status, text } = await answerOf(proxy.begin(`/v1/lists/${id}/import`, { method: 'POST', headers }), file);
  assert.equal(status, 202, text);
  const { rows } = await sql<{ bytes: number; ip: string }>`
    select bytes, ip from imports where target_id = ${id}`.execute(database.db);
  assert.deepEqual(rows, [{ bytes: file.length, ip: VISITOR }]);
}

async function assertHidesMetrics(proxy: DeployedProxy): Promise<void> {
  const { status, body } = await posthorn.fetch('/metrics');
  assert.equal(status, 200);
  assert.match(String(body), /^# HELP /m);
  for (const pathname of METRICS) {
    const answer = await answerOf(proxy.begin(pathname, { headers: withKey() }));
    assert.notEqual(answer.status, 200, pathname);
    assert.doesNotMatch(answer.text, /^# HELP /m, pathname);
  }
}

/** Each side waits until the other has got the first part: a proxy that stores parts first waits for ever. */
async function assertPassesPartsOn(proxyTo: (port: number) => Promise<DeployedProxy>): Promise<void> {
  let gotFirst!: (text: string) => void; // set at once, by the promise
  const firstOfUpload = new Promise<string>((resolve) => (gotFirst = resolve));
  let clientGotFirst!: () => void; // set at once, by the promise
  const mayEnd = new Promise<void>((resolve) => (clientGotFirst = resolve));
  const upstream = createServer((request, response) => {
    request.once('data', (part) => gotFirst(String(part)));
    request.on('end', () => {
      response.write('first row\n');
      void mayEnd.then(() => response.end('last row\n'));
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const address = upstream.address();
  const proxy = await proxyTo(typeof address === 'object' && address !== null ? address.port : 0);
  try {
    const asked = proxy.begin('/upload', { method: 'POST', headers: { 'content-type': 'text/csv' }, timeout: 20_000 });
    asked.once('timeout', () => asked.destroy(new Error('the proxy passes no part on before the whole is there')));
    const answered = once(asked, 'response');
    asked.write('first part\n');
    assert.equal(await Promise.race([firstOfUpload, answered.then(() => 'no upload')]), 'first part\n');
    asked.end('last part\n');
    const answer: IncomingMessage = (await answered)[0];
    const parts: string[] = [];
    for await (const part of answer.setEncoding('utf8')) {
      parts.push(String(part));
      clientGotFirst();
    }
    assert.deepEqual(parts.join(''), 'first row\nlast row\n');
    assert.ok(parts.length > 1, 'the first row came by itself');
  } finally {
    await proxy.stop();
    upstream.closeAllConnections();
    upstream.close();
  }
}

for (const name of ['nginx', 'caddy'] as const) {
  test(`${name} with its file leads to Posthorn: TLS, sends, uploads, the visitor's address, no metrics`, async (t) => {
    if (!needsTool(t, name)) return;
    const proxy = await startDeployedProxy(name, upstreamPort);
    try {
      await assertHttpLeadsToHttps(proxy);
      await assertSends(proxy);
      await assertKnowsTheVisitor(proxy, `${name}@example.com`);
      await assertTakesUploads(proxy);
      await assertHidesMetrics(proxy);
    } finally {
      await proxy.stop();
    }
  });

  test(`${name} with its file passes uploads and exports on as they come`, async (t) => {
    if (!needsTool(t, name)) return;
    await assertPassesPartsOn((port) => startDeployedProxy(name, port));
  });
}

test('systemd finds no fault in the unit', async (t) => {
  if (!needsTool(t, 'systemd')) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'deployed-unit-'));
  t.after(() => rm(folder, { recursive: true }));
  const unit = path.join(folder, 'posthorn.service');
  // The program has to be there, and a machine of tests may have its Node.js elsewhere.
  const text = await readFile(UNIT, 'utf8');
  assert.match(text, /^ExecStart=\/usr\/bin\/node /m);
  await writeFile(unit, text.replace('/usr/bin/node', process.execPath));
  const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', unit]);
  // It also judges the units of the machine that this one leads to.
  assert.doesNotMatch(`${stdout}${stderr}`, /posthorn/);
});
