import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Answer } from '#platform/http/route.ts';
import { watchPages } from './tell-of-pages.ts';

/**
 * Debian's; Playwright's own is a download of 150 MB. The same engine without the windows and services of the whole
 * browser: three files of proofs took 36 s with it and 65 s with `chromium --headless`.
 */
const CHROMIUM = '/usr/bin/chromium-headless-shell';

/**
 * Everything comes from this machine; a browser that waits longer, however busy that is, waits for what will not
 * come.
 */
const TIMEOUT_MS = 30_000;

/** Every other host, by name or by number, is one that does not exist. */
const ONLY_THIS_MACHINE = 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

/** A browser without a window. As root it has no sandbox of its own; it opens nothing but what the tests serve. */
export const startBrowser = async (settings: readonly string[] = []): Promise<Browser> =>
  watchPages(
    await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-dev-shm-usage',
        '--disable-gpu',
        `--host-resolver-rules=${ONLY_THIS_MACHINE}`,
        ...settings,
      ],
    }),
  );

export interface WatchedPage {
  page: Page;
  context: BrowserContext;
  /** Errors in the console (refusals by a page's policy are among them), what was thrown, and dialogs that opened. */
  errors: string[];
  /** Requests that left the page for another origin than those allowed. No other machine answered them. */
  strangers: string[];
  /** Another origin that may be asked from now on. */
  allow(origin: string): void;
  /** Another page of the same person, with what the browser keeps for the first one. */
  openAnother(): Promise<WatchedPage>;
  /** Ends the page, and the routes of its browser, which keeps everything else. */
  closePage(): Promise<void>;
  /** The first page ends its browser, another only itself. */
  close(): Promise<void>;
}

/** A page of a person of their own, who wants no motion and should ask nobody but `origins`. */
export async function openPage(
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const allowed = new Set(origins);
  const strangers: string[] = [];
  // Not by a route: a browser whose requests are held for us keeps no files, and compiles each script at each page. A
  // third of the CPU of the proofs with a browser went there.
  context.on('request', (request) => {
    const { origin } = new URL(request.url());
    if (!allowed.has(origin) && origin !== 'null') strangers.push(request.url());
  });
  context.on('requestfailed', (request) => {
    const at = strangers.indexOf(request.url());
    const isHeldByPolicy = /csp/i.test(request.failure()?.errorText ?? '');
    if (isHeldByPolicy && at !== -1) strangers.splice(at, 1);
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const openAnother = async (): Promise<WatchedPage> => {
    const page = await context.newPage();
    const errors = errorsOf(page);
    const allow = (origin: string) => void allowed.add(origin);
    const closePage = async () => {
      await endRoutes(context, page);
      await page.close();
    };
    return { page, context, errors, strangers, allow, openAnother, closePage, close: closePage };
  };
  const close = async () => {
    await endRoutes(context, ...context.pages());
    await context.close();
  };
  return { ...(await openAnother()), close };
}

/**
 * Ends the routes of a browser and of some of its pages. A route that still waits for something fails once its page is
 * closed. No test is running for it then, so Node fails the whole file and names no test.
 */
async function endRoutes(...routed: (BrowserContext | Page)[]): Promise<void> {
  await Promise.all(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
}

/** Filled while the page is open. */
function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    // That the page itself has the status of an error is what some pages are for.
    const isDocument = page.frames().some((frame) => frame.url() === message.location().url);
    if (message.text().startsWith('Failed to load resource') && isDocument) return;
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('dialog', async (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  return errors;
}

export interface ServedAnswers {
  origin: string;
  close(): Promise<void>;
}

/** Serves answers as they are, each at `/<name>`, on this machine. */
export async function serveAnswers(find: (path: string) => Answer | undefined): Promise<ServedAnswers> {
  const server: Server = createServer((request, response) => {
    const answered = find((request.url ?? '/').slice(1));
    response.writeHead(answered === undefined ? 404 : (answered.status ?? 200), answered?.headers ?? {});
    response.end(String(answered?.body ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a path
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
