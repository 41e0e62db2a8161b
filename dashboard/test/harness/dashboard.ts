import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildDashboardIfNeeded } from '../../../scripts/dashboard.mjs';
import { openPage, startBrowser, type WatchedPage } from '../../../server/test/harness/browser.ts';
import { type PosthornProcess, startProcess } from '../../../server/test/harness/posthorn-process.ts';

const FOLDER = join(import.meta.dirname, '../..');

/** Playwright is a package of the server's tests. */
type Browser = Awaited<ReturnType<typeof startBrowser>>;
type BrowserContextOptions = NonNullable<Parameters<typeof openPage>[2]>;

export interface Person {
  email: string;
  password: string;
}

/** A browser, and a real Posthorn on its first start that serves the dashboard in the build that a start uses. */
export interface RunningDashboard {
  posthorn: PosthornProcess;
  browser: Browser;
  owner: Person;
  /** A page of somebody who has never been here. */
  open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Fills and sends the form of the sign-in, for the owner when nobody is named. */
  givePassword(page: WatchedPage['page'], who?: Person): Promise<void>;
  /** A page of the owner, or of the person, signed in by the form. */
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

export async function startDashboard({ config, env = {} }: StartOptions = {}): Promise<RunningDashboard> {
  const built = config === undefined ? await buildDashboardIfNeeded() : await buildInstead(config);
  if (built === undefined) throw new Error('there is no dashboard to build');
  const [posthorn, browser] = await Promise.all([
    startProcess({ env: { ...env, POSTHORN_DASHBOARD_FILES: built } }),
    startBrowser(),
  ]);
  const owner = ownerOf(posthorn.output());
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
  return {
    posthorn,
    browser,
    owner,
    open,
    givePassword,
    async openSignedIn(path, options, who) {
      const watched = await open(path, options);
      await givePassword(watched.page, who);
      await watched.page
        .getByRole('navigation', { name: 'Main' })
        .or(watched.page.locator('header button'))
        .first()
        .waitFor();
      // Before the sign-in, the server said 401 to the page's question about who is there.
      watched.errors.length = 0;
      return watched;
    },
    async stop() {
      await browser.close();
      await posthorn.stop();
      if (config !== undefined) await rm(built, { recursive: true, force: true });
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
