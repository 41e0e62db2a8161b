/**
 * A real process and what no HTTP client sends: each connection is answered with the envelope or closed, nothing is
 * stored, nothing is logged, and the process goes on serving. The HTTP layer alone, with its time limits, is tested in
 * app.socket.e2e.ts; here every request carries a key that may do everything.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';

let database: TestDatabase;
let posthorn: PosthornProcess;

before(async () => {
  database = await createTestDatabase();
  posthorn = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'] });
});
after(async () => {
  await posthorn?.stop();
  await database?.close();
});

async function say(bytes: string | Buffer): Promise<string> {
  const socket = connect({ port: Number(new URL(posthorn.url).port), host: '127.0.0.1' });
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => void parts.push(part));
  socket.on('error', () => undefined); // a reset is one of the ways to be closed
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  socket.write(bytes);
  await closed;
  return Buffer.concat(parts).toString('latin1');
}

const emailsStored = async (): Promise<number | undefined> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from emails where workspace_id is not null`.execute(database.db);
  return rows[0]?.count;
};

const BODY = '{"from":"hello@posthorn.test","to":"ada@example.com","subject":"x","text":"x"}';
const LENGTH = `Content-Length: ${BODY.length}\r\n`;

/** The request line and headers of a send that would be accepted, with `more` before the end of the headers. */
const send = (more: string, body = BODY, line = 'POST /v1/send HTTP/1.1'): string =>
  `${line}\r\nHost: x\r\nAuthorization: Bearer ${posthorn.key}\r\nContent-Type: application/json\r\nConnection: close\r\n${more}\r\n${body}`;
const get = (path: string, more = '', method = 'GET'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${posthorn.key}\r\nConnection: close\r\n${more}\r\n`;

/** Null: closed without an answer. Functions, because the key is made with the process. */
const ROWS: [what: string, bytes: () => string | Buffer, status: number | null][] = [
  ['two lengths of the body', () => send(`${LENGTH}Transfer-Encoding: chunked\r\n`, `0\r\n\r\n${BODY}`), 400],
  ['a chunk size beyond 64 bits', () => send('Transfer-Encoding: chunked\r\n', `${'F'.repeat(20)}\r\n${BODY}`), 400],
  ['a transfer coding nobody has', () => send('Transfer-Encoding: chunked, gzip\r\n', ''), 400],
  ['a second Authorization', () => send(`${LENGTH}Authorization: Bearer other\r\n`), 401],
  ['a different X-API-Key', () => send(`${LENGTH}X-API-Key: other\r\n`), 401],
  ['two Idempotency-Keys', () => send(`${LENGTH}Idempotency-Key: a\r\nIdempotency-Key: b\r\n`), 400],
  ['an Idempotency-Key in Latin-1', () => Buffer.from(send(`${LENGTH}Idempotency-Key: \xfc\r\n`), 'latin1'), 400],
  ['CR LF in a header by way of a fold', () => send(`${LENGTH}Idempotency-Key: a\r\n b\r\n`), 400],
  ['16 KB of one header', () => send(`${LENGTH}X-Long: ${'x'.repeat(16_384)}\r\n`), 431],
  ['2,000 headers', () => send(`${LENGTH}${'A: b\r\n'.repeat(2_000)}`), 431],
  ['a body of 41 MB, said before it is sent', () => send(`Content-Length: ${41 * 1_048_576}\r\n`, ''), 413],
  ['a packed body', () => send(`${LENGTH}Content-Encoding: gzip\r\n`), 415],
  ['an overridden method', () => get('/v1/api-keys/x', 'X-HTTP-Method-Override: DELETE\r\n'), 404],
  ['TRACE', () => get('/v1/send', '', 'TRACE'), 405],
  ['PUT', () => get('/v1/send', '', 'PUT'), 405],
  ['a method nobody has', () => get('/v1/send', '', 'SEND'), 400],
  ['CONNECT', () => get('example.com:443', '', 'CONNECT'), null],
  ['two slashes', () => get('/v1//emails'), 404],
  ['a dot', () => get('/v1/./emails'), 404],
  ['dots that climb', () => get('/v1/queue/../emails'), 404],
  ['encoded dots that climb', () => get('/v1/queue/%2e%2e/emails'), 404],
  ['an encoded slash', () => get('/v1%2femails'), 404],
  ['NUL', () => get('/v1/emails%00'), 404],
  ['a path parameter', () => get('/v1/emails;x=1'), 404],
  ['a slash at the end', () => get('/v1/emails/'), 404],
  ['capitals', () => get('/V1/Emails'), 404],
  ['an absolute address of somewhere else', () => get('http://example.com/v1/nothing'), 404],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', () => Buffer.from('16030102000100', 'hex'), 400],
];

for (const [what, bytes, status] of ROWS) {
  test(`${status ?? 'closed'} for ${what}`, async () => {
    const before = await emailsStored();
    const startedMs = performance.now();
    const text = await say(bytes());
    assert.ok(performance.now() - startedMs < 5_000);
    if (status === null) assert.equal(text, '');
    else {
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), text.slice(0, 300));
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const envelope: Record<string, unknown> = JSON.parse(body);
      assert.equal(envelope['statusCode'], status);
      assert.match(head, new RegExp(`^x-request-id: ${String(envelope['requestId'])}$`, 'im'));
    }
    assert.equal(await emailsStored(), before, 'nothing is stored');
  });
}

test('the same request without the fault is accepted, and the process has stayed healthy and silent', async () => {
  const text = await say(send(LENGTH));
  assert.match(text, /^HTTP\/1\.1 202 /, text.slice(0, 300));
  const health = await posthorn.fetch('/health');
  assert.equal(health.status, 200);
  const logged = posthorn
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  assert.deepEqual(
    logged.filter((line) => !line.includes('PostgreSQL runs with ')),
    [],
  );
});
