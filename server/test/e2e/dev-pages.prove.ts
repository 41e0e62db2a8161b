/** `npm run dev` in a copy of the project shows a changed source of a page without a build and without a restart. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openPage, startBrowser } from '../harness/browser.ts';
import { temporaryFolder } from '../harness/data-dir.ts';
import { createTestDatabase } from '../harness/database.ts';
import { freePort, TEST_SECRET } from '../harness/posthorn-process.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'dashboard/src/pages/account/SignInPassword.tsx';
/** Installed packages, and what was built. */
const NOT_COPIED = /\/(node_modules|dist|shots|\.cache)$/;
/** Vite reads every source for the first time, and bundles its packages. */
const FIRST_PAGE = { patienceMs: 120_000 };

function change(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(from), `${file} has ${from}`);
  writeFileSync(file, text.replace(from, to));
}

/**
 * A folder of its own with a link to each package, and copies of the notes of what is installed. An `npm ci` in it
 * would remove the links alone, and its stamp would not count for the original.
 */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isFile()) cpSync(join(from, entry.name), join(to, entry.name));
    else symlinkSync(join(from, entry.name), join(to, entry.name));
  }
}

/** With a port and a cache of its own for the pages. */
function copyOfProject(t: TestContext, port: number): string {
  const root = temporaryFolder(t);
  for (const part of ['package.json', 'scripts', 'server', 'dashboard'])
    cpSync(join(ROOT, part), join(root, part), { recursive: true, filter: (path) => !NOT_COPIED.test(path) });
  for (const part of ['server', 'dashboard'])
    linkPackages(join(ROOT, part, 'node_modules'), join(root, part, 'node_modules'));
  change(join(root, 'scripts/dashboard-sources.mjs'), 'PORT = 5173', `PORT = ${port}`);
  const outside = `cacheDir: ${JSON.stringify(join(root, '.cache/vite'))}, server: { fs: { strict: false }, `;
  change(join(root, 'dashboard/vite.config.ts'), 'server: { ', outside);
  return root;
}

test('npm run dev shows a changed source of a page without a build, and passes requests on to its server', async (t) => {
  const [api, pages] = [await freePort(), await freePort()];
  const root = copyOfProject(t, pages);
  const database = await createTestDatabase({ poolMax: 1 });
  undoAfter(t, () => database.close());
  // The Node and the npm of whoever types it, and not those that the tests run under.
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const pathOfPerson = folders.filter((folder) => !folder.startsWith(ROOT)).join(delimiter);
  const child = spawn('npm', ['run', 'dev'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: pathOfPerson,
      npm_config_update_notifier: 'false',
      PORT: String(api),
      DATABASE_URL: database.url,
      POSTHORN_SECRET_KEY: TEST_SECRET,
      POSTHORN_UNSAFE_DATABASE: 'allow',
      POSTHORN_DATA_DIR: join(root, 'data'),
      POSTHORN_SMTP_RELAY_PORT: '0',
      POSTHORN_SMTP_RELAYS_PORT: '0',
      POSTHORN_ADMIN_EMAIL: 'owner@example.com',
      POSTHORN_ADMIN_PASSWORD: 'correct horse battery',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close');
  undoAfter(t, async () => {
    child.kill('SIGTERM');
    await ended;
  });

  const url = `http://localhost:${pages}`;
  const isServed = (path: string) =>
    fetch(`${url}${path}`).then(
      ({ status }) => (status === 200 ? true : undefined),
      () => undefined,
    );
  await until(
    () => `the server behind the pages\n${output}`,
    () => isServed('/health'),
    FIRST_PAGE,
  );
  const browser = await startBrowser();
  undoAfter(t, () => browser.close());
  const { page, strangers } = await openPage(browser, [url, `ws://localhost:${pages}`]);
  page.setDefaultTimeout(FIRST_PAGE.patienceMs);
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  const started = output;

  change(join(root, PAGE), '<OutsideLayout title="Sign in">', '<OutsideLayout title="Changed just now">');
  await page.getByRole('heading', { level: 1, name: 'Changed just now' }).waitFor();
  assert.equal(existsSync(join(root, '.cache/dashboard')), false, 'nothing was built');
  assert.doesNotMatch(output.slice(started.length), /Restarting/, 'the server stays');
  assert.doesNotMatch(output, /Installing/, 'nothing was installed');

  await page.getByLabel('Email').fill('owner@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  assert.deepEqual(strangers, []);
});
