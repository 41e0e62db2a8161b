import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { aPng } from '../../../../test/harness/a-png.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/harness/app.ts';

const TEN_MB = 10 * 1_048_576;

let app: TestApp;
let origin: string;
/** Answers that are still awaited. */
const hanging: ServerResponse[] = [];
const asked: string[] = [];
let picture: Buffer;

const others = createServer((request, response) => {
  const path = request.url ?? '/';
  asked.push(path);
  const redirect = /^\/redirect\/(\d+)$/.exec(path)?.[1];
  if (path === '/hang') hanging.push(response);
  else if (path === '/refused') response.writeHead(403).end('only for those who are signed in');
  else if (path === '/text') response.writeHead(200, { 'content-type': 'image/png' }).end('<html>');
  else if (path === '/large') response.writeHead(200).end(Buffer.alloc(TEN_MB + 1));
  else if (path === '/cut') {
    response.writeHead(200, { 'content-length': '900' }).write(picture.subarray(0, 50));
    response.socket?.end();
  } else if (path === '/inside') response.writeHead(302, { location: 'http://10.0.0.1/secret.png' }).end();
  else if (redirect !== undefined)
    response
      .writeHead(302, { location: redirect === '0' ? '/a%20cat.png#top' : `/redirect/${Number(redirect) - 1}` })
      .end();
  else response.writeHead(200, { 'content-type': 'text/plain' }).end(picture);
});

before(async () => {
  app = await createTestApp({ env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' } });
  picture = await aPng(40, 30, '#102030');
  await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
  const { port } = others.address() as AddressInfo; // it listens on a port, not on a path
  origin = `http://127.0.0.1:${port}`;
});
after(async () => {
  others.closeAllConnections();
  others.close();
  await app.close();
});

const copy = (url: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  app.request({ url: '/v1/images/copy', body: { url }, headers });
// oxlint-disable-next-line typescript/no-explicit-any -- every answer is held against its schema
const bodyOf = ({ status, body, text }: TestAnswer, wanted: number): any => {
  assert.equal(status, wanted, text);
  return body;
};
const stored = async (): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int as n from images where workspace_id = ${app.workspaceId}`.execute(
      app.db,
    )
  ).rows[0]?.n ?? -1;

test('201 with an image of this server, made of the pixels behind the address, whatever type that names', async () => {
  const made = bodyOf(await copy(`${origin}/a%20cat.png?size=2`), 201);
  assert.deepEqual([made.filename, made.content_type, made.width, made.height], ['a cat.png', 'image/png', 40, 30]);
  const { rawPayload } = await app.app.inject({ url: new URL(made.url).pathname });
  assert.deepEqual((await sharp(rawPayload).metadata()).width, 40);
  const { data } = bodyOf(await app.request({ url: `/audit?target=${made.id}` }), 200);
  assert.deepEqual(
    data.map(({ action }: { action: string }) => action),
    ['image.uploaded'],
  );
});

test('200 with the same image for the same file at another address, also behind three redirects', async () => {
  const before = await stored();
  const first = bodyOf(await copy(`${origin}/a%20cat.png`), 200);
  assert.deepEqual(bodyOf(await copy(`${origin}/redirect/2`), 200), first);
  assert.equal(await stored(), before);
});

test('422 that names the URL when its answer is no image, and nothing is stored', async () => {
  const before = await stored();
  for (const [path, says] of [
    ['/refused', /^The server of the image answers 403\. It may show the image to you only/],
    ['/text', /^The file is not an image in a known format/],
    ['/large', /^The image has more than 10 MB/],
    ['/cut', /^The image could not be fetched: /],
    ['/redirect/3', /^The address of the image redirects more than 3 times\.$/],
    ['/inside', /^The image could not be fetched: target address is not public\.$/],
  ] as const) {
    const { param, message } = bodyOf(await copy(`${origin}${path}`), 422);
    assert.equal(param, 'url', path);
    assert.match(message, says);
  }
  assert.equal(await stored(), before);
});

test('400 or 422 for an address that may not be called, which is not, and nothing is stored', async () => {
  const [before, kept] = [asked.length, await stored()];
  for (const [url, status] of [
    ['no address', 400],
    ['', 400],
    [7, 400],
    [`http://${'x'.repeat(2_050)}`, 400],
    ['ftp://127.0.0.1/a.png', 400],
    ['data:image/png;base64,AAAA', 400],
    ['https://ada:secret@example.com/a.png', 422],
    ['https://10.0.0.1/a.png', 422],
    ['https://[::1]/a.png', 422],
    ['https://169.254.169.254/latest/meta-data', 422],
  ] as const) {
    const answer = await copy(url);
    assert.deepEqual([answer.status, bodyOf(answer, answer.status).param], [status, 'url'], String(url));
  }
  assert.equal(asked.length, before);
  assert.equal(await stored(), kept);
});

test('503 while two are being fetched for the workspace: a server that hangs holds no more, and ten seconds at most', async () => {
  const kept = await stored();
  const two = [copy(`${origin}/hang`), copy(`${origin}/hang`)];
  while (hanging.length < 2) await new Promise(setImmediate);
  const third = await copy(`${origin}/a%20cat.png`);
  assert.equal(bodyOf(third, 503).name, 'service_unavailable_error');
  assert.equal(third.headers['retry-after'], '5');
  app.clock.advance(10_000);
  for (const answer of await Promise.all(two))
    assert.match(bodyOf(answer, 422).message, /timed out after 10 s while waiting for the answer\.$/);
  bodyOf(await copy(`${origin}/a%20cat.png`), 200);
  assert.equal(await stored(), kept);
});

test('a repeated Idempotency-Key gives the first answer and fetches nothing', async () => {
  const headers = { 'idempotency-key': 'copy-once' };
  const first = bodyOf(await copy(`${origin}/a%20cat.png`, headers), 200);
  const before = asked.length;
  const again = await copy(`${origin}/a%20cat.png`, headers);
  assert.deepEqual(bodyOf(again, 200), first);
  assert.equal(asked.length, before);
});
