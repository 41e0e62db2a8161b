import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildDashboardIfNeeded } from '../../../scripts/dashboard.mjs';
import { TEST_ADMIN, TEST_KEY } from '../../../server/test/harness/app-settings.ts';
import { openPage, startBrowser, type WatchedPage } from '../../../server/test/harness/browser.ts';
import { createTestDatabase } from '../../../server/test/harness/database.ts';
import { npmStart } from '../../../server/test/harness/npm-start.ts';
import { type PosthornProcess, startProcess } from '../../../server/test/harness/posthorn-process.ts';
import { startBoth } from '../../../server/test/harness/start-both.ts';

const FOLDER = join(import.meta.dirname, '../..');

/** Playwright is a package of the server's tests. */
type Browser = Awaited<ReturnType<typeof startBrowser>>;
type BrowserContextOptions = NonNullable<Parameters<typeof openPage>[2]>;

export interface Person {
  email: string;
  password: string;
}

/** Records and lists of them, as most answers of the API begin. */
export interface Made {
  id: string;
  status: string;
}
export interface List<T> {
  data: T[];
}

/** A browser, and a real Posthorn that serves the dashboard in the build that a start uses. */
export interface RunningDashboard {
  posthorn: Pick<PosthornProcess, 'url' | 'key' | 'output' | 'fetch'>;
  browser: Browser;
  owner: Person;
  /** The answer of the API to the key of the start; a refusal is an error. With a body a POST, or else a GET. */
  call<T>(path: string, body?: unknown): Promise<T>;
  /** A page of somebody who has never been here. */
  open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Fills and sends the form of the sign-in, for the owner when nobody is named. */
  givePassword(page: WatchedPage['page'], who?: Person): Promise<void>;
  /**
   * A page of the owner, or of the person, signed in by the form. Pages of the owner without options are pages of one
   * browser, which has the session and the files of the dashboard after the first.
   */
  openSignedIn(path: string, options?: BrowserContextOptions, who?: Person): Promise<WatchedPage>;
  stop(): Promise<void>;
}

async function buildInstead(config: string): Promise<string> {
  const built = await mkdtemp(join(tmpdir(), 'posthorn-dashboard-'));
  const vite = join(FOLDER, 'node_modules/vite/bin/vite.js');
  const options = ['--config', config, '--outDir', built, '--emptyOutDir'];
  await promisify(execFile)(process.execPath, [vite, 'build', ...options], { cwd: FOLDER });
  return built;
}

export interface StartOptions {
  /** Of other pages that are served in its place, built with the same parts. */
  config?: string;
  /** Settings of the server. */
  env?: Readonly<Record<string, string>>;
}

interface Started {
  posthorn: RunningDashboard['posthorn'];
  owner: Person;
  close(): Promise<void>;
}

async function startWithNpm(): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-first-start-'));
  await chmod(folder, 0o755); // As root, PostgreSQL runs as another user and has to pass through.
  const posthorn = await npmStart(join(folder, 'data'));
  const close = async () => {
    await posthorn.interrupt();
    await rm(folder, { recursive: true, force: true });
  };
  return { posthorn, owner: ownerOf(posthorn.output()), close };
}

/** On a copy of a database that had its first start. */
async function startAgain(env: Readonly<Record<string, string>>): Promise<Started> {
  const template = process.env['POSTHORN_TEST_STARTED_TEMPLATE'];
  const database = await createTestDatabase({ poolMax: 1, ...(template === undefined ? {} : { template }) });
  const owner = { POSTHORN_ADMIN_EMAIL: TEST_ADMIN.email, POSTHORN_ADMIN_PASSWORD: TEST_ADMIN.password };
  const posthorn = await startProcess({
    databaseUrl: database.url,
    env: { POSTHORN_API_KEY: TEST_KEY, ...owner, ...env },
  }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const close = async () => {
    await posthorn.stop();
    await database.close();
  };
  return { posthorn, owner: TEST_ADMIN, close };
}

export async function startDashboard({ config, env = {} }: StartOptions = {}): Promise<RunningDashboard> {
  const built = config === undefined ? await buildDashboardIfNeeded() : await buildInstead(config);
  if (built === undefined) throw new Error('there is no dashboard to build');
  return withBrowser(startAgain({ ...env, POSTHORN_DASHBOARD_FILES: built }), async () => {
    if (config !== undefined) await rm(built, { recursive: true, force: true });
  });
}

/** `npm start` with nothing configured, as a new person types it. It takes four seconds of a core more. */
export const startDashboardWithNpm = (): Promise<RunningDashboard> =>
  withBrowser(startWithNpm(), async () => undefined);

async function withBrowser(started: Promise<Started>, afterwards: () => Promise<void>): Promise<RunningDashboard> {
  const [{ posthorn, owner, close }, browser] = await startBoth(
    { started, end: (it) => it.close() },
    { started: startBrowser(), end: (it) => it.close() },
  );
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const watched = await openPage(browser, [posthorn.url], options);
    await watched.page.goto(`${posthorn.url}${path}`);
    return watched;
  };
  const givePassword = async (page: WatchedPage['page'], who = owner) => {
    await page.getByLabel('Email').fill(who.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(who.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const showsItself = ({ page }: WatchedPage) =>
    page.getByRole('navigation', { name: 'Main' }).or(page.locator('header button')).first().waitFor();
  let ofOwner: WatchedPage | undefined;
  return {
    posthorn,
    browser,
    owner,
    async call<T>(path: string, body?: unknown) {
      const answer = await posthorn.fetch(path, body === undefined ? {} : { body });
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as T; // an answer of our own API
    },
    open,
    givePassword,
    async openSignedIn(path, options, who) {
      const isOwner = options === undefined && who === undefined;
      if (isOwner && ofOwner !== undefined) {
        const watched = await ofOwner.openAnother();
        await watched.page.goto(`${posthorn.url}${path}`);
        await showsItself(watched);
        return watched;
      }
      const watched = await open(path, options);
      await givePassword(watched.page, who);
      await showsItself(watched);
      // Before the sign-in, the server said 401 to the page's question about who is there.
      watched.errors.length = 0;
      if (!isOwner) return watched;
      ofOwner = watched;
      return { ...watched, close: watched.closePage };
    },
    async stop() {
      await browser.close();
      await close();
      await afterwards();
    },
  };
}

/** The first start prints them once. */
function ownerOf(output: string): Person {
  // The line of the relay has the word password, too.
  const email = /^\s*owner\s+(\S+)$/m.exec(output)?.[1];
  const password = /^\s*password\s+(\S+)$/m.exec(output)?.[1];
  if (email === undefined || password === undefined) throw new Error(`the first start named no owner:\n${output}`);
  return { email, password };
}
