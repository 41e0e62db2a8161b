import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { temporaryFolder } from '../../../test/harness/data-dir.ts';
import { readDashboard } from './dashboard-files.ts';

const SCRIPT = `console.log(${JSON.stringify('a script that is worth compressing '.repeat(20))});`;
const LINK = /<link rel="([a-z]+)"[^>]* fetchpriority="(low|high)" crossorigin href="\/assets\/([^"]+)">/g;
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let app: TestApp;
const folder = mkdtempSync(join(tmpdir(), 'posthorn-dashboard-'));
before(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><head><meta property="csp-nonce" nonce="__NONCE__"><title>Built</title>' +
      '<script type="module" src="/assets/index-1a2b.js" nonce="__NONCE__"></script></head><body></body>',
  );
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, '.vite/manifest.json'), '{}');
  const pages = [
    { path: '/', hasFrame: true, large: ['/assets/Shell-1.js'], files: ['/assets/Overview-2.js'] },
    {
      path: '/emails/$id',
      hasFrame: true,
      large: [],
      files: ['/assets/Email-3.js', '/assets/Email-4.css'],
      tabs: { content: ['/assets/Content-7.js'] },
    },
    { path: '/emails/new', hasFrame: true, large: [], files: ['/assets/Compose-5.js'] },
    { path: '/sign-in', hasFrame: false, large: [], files: ['/assets/SignIn-6.js'] },
  ];
  writeFileSync(join(folder, '.vite/preloads.json'), JSON.stringify(pages));
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets/index-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-1a2b.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets/index-1a2b.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'assets/inter-3c4d.woff2'), 'a font');
  app = await createTestApp({ env: { POSTHORN_DASHBOARD_FILES: folder } });
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

type Answer = LightMyRequestResponse;
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  app.app.inject({ method, url, headers });

const isDashboard = ({ statusCode, body }: Answer): boolean => statusCode === 200 && body.includes('<title>Built');
const isJson = ({ headers }: Answer): boolean => String(headers['content-type']).startsWith('application/json');

test('200 with the page for a browser at / and at every path of the dashboard, and a fresh nonce in each answer', async () => {
  const nonces = new Set<string>();
  for (const url of ['/', '/events', '/emails/0197f400-1c2d-7abc-8def-0123456789ab?tab=source', '/no/such/page']) {
    const page = await get(url, BROWSER);
    assert.ok(isDashboard(page), url);
    assert.ok(!page.body.includes('__NONCE__'));
    const [, nonce = ''] = /nonce="([\w+/=]{24})"/.exec(page.body) ?? [];
    assert.equal(page.body.split(`nonce="${nonce}"`).length, 3, 'the same value in each place of one page');
    assert.ok(String(page.headers['content-security-policy']).includes(`style-src 'self' 'nonce-${nonce}';`));
    assert.equal(page.headers['cache-control'], 'no-store');
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 4);
});

test('the page names the files of the path and the tab that were asked, and no others, and large scripts go first', async () => {
  const namedAt = async (url: string): Promise<(string | undefined)[]> =>
    [...(await get(url, BROWSER)).body.matchAll(LINK)].map(([, rel, priority, file]) => `${rel} ${priority} ${file}`);
  assert.deepEqual(await namedAt('/'), ['modulepreload high Shell-1.js', 'modulepreload low Overview-2.js']);
  assert.deepEqual(await namedAt('/?range=30d'), await namedAt('/'));
  assert.deepEqual(await namedAt('/emails/0197f400?tab=x'), [
    'modulepreload low Email-3.js',
    'preload low Email-4.css',
  ]);
  assert.deepEqual(await namedAt('/emails/0197f400/'), await namedAt('/emails/0197f400'));
  for (const tab of ['?tab=content', '?status=x&tab=content&after=1'])
    assert.deepEqual((await namedAt(`/emails/0197f400${tab}`)).at(-1), 'modulepreload low Content-7.js', tab);
  for (const tab of ['?tab=', '?tab=content-2', '?tab=constructor', '?not-tab=content', '?tab=%3Cscript%3E'])
    assert.deepEqual(await namedAt(`/emails/0197f400${tab}`), await namedAt('/emails/0197f400'), tab);
  assert.deepEqual(await namedAt('/emails/new'), ['modulepreload low Compose-5.js']);
  assert.deepEqual(await namedAt('/sign-in?to=/'), ['modulepreload low SignIn-6.js']);
  for (const url of ['/no/such/page', '/emails/a/b', '/emails', '/%24id'])
    assert.deepEqual(await namedAt(url), [], url);
  const hasFrame = async (url: string): Promise<boolean> => !(await get(url, BROWSER)).body.includes('class="outside"');
  assert.deepEqual([await hasFrame('/'), await hasFrame('/sign-in'), await hasFrame('/no/such')], [true, false, true]);
});

test('the page begins in the colours that the cookie of the person names, and in those of the system otherwise', async () => {
  const begins = async (cookie: string): Promise<string | undefined> =>
    /<html lang="en"(.*?)><head>/.exec((await get('/emails/new', { ...BROWSER, cookie })).body)?.[1];
  assert.equal(await begins('posthorn_colours=dark'), ' data-mantine-color-scheme="dark"');
  assert.equal(await begins('a=b; posthorn_colours=light; c=d'), ' data-mantine-color-scheme="light"');
  for (const cookie of ['', 'a=b', 'posthorn_colours=', 'posthorn_colours=dark"onload=x', 'not_posthorn_colours=dark'])
    assert.equal(await begins(cookie), '', cookie);
});

test('the page may run our own files only, is framed by nobody, and posts to us only', async () => {
  const { headers } = await get('/', BROWSER);
  const policy = String(headers['content-security-policy']);
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "base-uri 'none'"])
    assert.ok(policy.includes(`${rule};`), rule);
  assert.match(policy, /form-action 'self'; frame-ancestors 'none'$/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.match(String(headers['permissions-policy']), /camera=\(\)/);
});

test('a browser that opens a path of the API without /v1 gets the dashboard; every other client gets the API', async () => {
  for (const url of ['/workspaces', '/audit', '/security-log', '/api-keys', '/auth/sessions', '/instance/workspaces']) {
    assert.ok(isDashboard(await get(url, { 'sec-fetch-mode': 'navigate', accept: '*/*' })), url);
    assert.ok(isDashboard(await get(url, BROWSER)), url);
    for (const headers of [
      {},
      { accept: '*/*' },
      { accept: 'application/json' },
      { ...BROWSER, 'sec-fetch-mode': 'cors' },
    ]) {
      const answer = await get(url, headers);
      assert.deepEqual([answer.statusCode, isJson(answer)], [401, true], `${url} ${JSON.stringify(headers)}`);
    }
    const read = await get(url, { accept: '*/*', authorization: `Bearer ${app.key}` });
    assert.ok(isJson(read), url);
  }
});

test('whatever has an answer of its own keeps it, also for a browser', async () => {
  for (const url of ['/v1/emails', '/v1/nothing', '/api/v1/nothing', '/health', '/openapi.json', '/assets/nothing.js'])
    assert.ok(!isDashboard(await get(url, BROWSER)), url);
  assert.ok(isJson(await get('/v1/emails', BROWSER)));
  assert.ok(isJson(await get('/health', BROWSER)));
  assert.match((await get('/docs/errors', BROWSER)).body, /<title>Errors/);
  assert.equal((await get('/docs', BROWSER)).statusCode, 302);
  assert.match((await get('/reset-password?token=x', BROWSER)).body, /Set a new password|not valid/);
  assert.match((await get('/n/nobody', BROWSER)).body, /<html/);
});

test('404 as JSON for a path of nothing, unless a browser opens it, and for every method but GET and HEAD', async () => {
  for (const [url, headers, method] of [
    ['/emails', { accept: '*/*' }, 'GET'],
    ['/emails', {}, 'GET'],
    ['/emails', BROWSER, 'POST'],
    ['/', BROWSER, 'POST'],
    ['/index.html', {}, 'GET'],
  ] as const) {
    const answer = await get(url, headers, method);
    assert.deepEqual([answer.statusCode, isJson(answer)], [404, true], `${method} ${url}`);
  }
});

test('200 for files with a hash in their name: kept for a year, in the encoding that the browser takes', async () => {
  const plain = await get('/assets/index-1a2b.js');
  assert.equal(plain.body, SCRIPT);
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  const br = await get('/assets/index-1a2b.js', { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(br.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(br.rawPayload).toString(), SCRIPT);
  assert.equal(br.headers['content-length'], String(br.rawPayload.length));
  const gzip = await get('/assets/index-1a2b.js', { 'accept-encoding': 'br;q=0, GZIP;q=0.5' });
  assert.equal(gzip.headers['content-encoding'], 'gzip');
  for (const { headers } of [plain, br, gzip]) {
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['vary'], 'Accept-Encoding');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }
  const head = await get('/assets/index-1a2b.js', { 'accept-encoding': 'br' }, 'HEAD');
  assert.deepEqual(
    [head.statusCode, head.body, head.headers['content-length']],
    [200, '', br.headers['content-length']],
  );
  const again = await get('/assets/index-1a2b.js', { 'if-none-match': String(plain.headers['etag']) });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  const font = await get('/assets/inter-3c4d.woff2', { 'accept-encoding': 'br' });
  assert.deepEqual([font.headers['content-type'], font.headers['content-encoding']], ['font/woff2', undefined]);
});

test('200 for a file without a hash in its name, which a browser asks for again each time', async () => {
  const icon = await get('/favicon.svg');
  assert.equal(icon.headers['content-type'], 'image/svg+xml; charset=utf-8');
  assert.equal(icon.headers['cache-control'], 'no-cache');
});

test('404 for every file that the build does not have, and no path leads out of its folder', async () => {
  for (const url of [
    '/assets/',
    '/assets/index-0000.js',
    '/assets/..%2findex.html',
    '/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/assets//etc/passwd',
    '/assets/index-1a2b.js.br',
    '/assets/index-1a2b.js%00',
  ]) {
    const answer = await get(url, BROWSER);
    assert.equal(answer.statusCode, 404, url);
    assert.ok(!answer.body.includes('root:'), url);
  }
});

test('404 for files of the build that name its sources', async () => {
  assert.equal((await get('/.vite/manifest.json')).statusCode, 404);
});

test('the frame of mails is in a sandbox, runs one script of ours, and loads pictures of others only where it is asked to', async () => {
  const [closed, open, bare] = [
    await get('/frames/mail'),
    await get('/frames/mail-with-pictures'),
    await get('/frames/mail-without-pictures'),
  ];
  for (const { statusCode, headers } of [closed, open, bare]) {
    const policy = String(headers['content-security-policy']);
    assert.equal(statusCode, 200);
    assert.match(policy, /^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; /);
    assert.match(policy, /script-src 'sha256-[\w+/=]+';/);
    assert.match(policy, /frame-ancestors 'self'$/);
  }
  assert.match(String(closed.headers['content-security-policy']), /img-src data: http:\/\/[\w.:]+\/images\/;/);
  assert.match(String(open.headers['content-security-policy']), /img-src data: http: https:;/);
  assert.match(String(bare.headers['content-security-policy']), /img-src 'none';/);
});

test('a folder without a build is refused with a sentence that names it', (t) => {
  const empty = temporaryFolder(t);
  assert.throws(() => readDashboard(empty), {
    message: `POSTHORN_DASHBOARD_FILES names ${empty}, where no dashboard was built (no index.html).`,
  });
});
