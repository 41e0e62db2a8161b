import type { SuiteContext, TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';

/** A page that cannot be read by then is named without its content. */
const READ_MS = 3_000;
/** Of each part. The output of CI shows a part of what a run prints. */
const MAX_CHARS = 1_500;

const open = new Set<Browser>();

/** The pages of this browser are told of when a test fails. */
export function watchPages(browser: Browser): Browser {
  open.add(browser);
  browser.on('disconnected', () => open.delete(browser));
  return browser;
}

/** After each test: what the open pages show is added to the error of one that failed. */
export async function tellOfPages(context: TestContext | SuiteContext): Promise<void> {
  // The types of Node do not know it yet.
  const error = 'error' in context ? context.error : undefined;
  if (!(error instanceof Error)) return;
  const cause = error.cause instanceof Error ? error.cause : error;
  const pages = [...open].flatMap((browser) => browser.contexts().flatMap((one) => one.pages()));
  const told = await Promise.all(pages.map(partsOf));
  if (told.length > 0) cause.stack = `${cause.stack}\n    The open pages:\n${told.join('\n')}`;
}

/** The address, and the main part and dialogs as a screen reader has them. */
async function partsOf(page: Page): Promise<string> {
  const parts = page.getByRole('main').or(page.getByRole('dialog'));
  const shown = await Promise.all(
    (await parts.all()).map((part) =>
      part.ariaSnapshot({ timeout: READ_MS }).then(
        (text) => text.slice(0, MAX_CHARS),
        (error: Error) => `(unread: ${error.message.slice(0, 100)})`,
      ),
    ),
  ).catch((error: Error) => [`(unread: ${error.message.slice(0, 100)})`]);
  return [page.url(), ...shown].join('\n');
}
