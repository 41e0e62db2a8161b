/**
 * paint: how long a person looks at an empty page before the first rows of a long list are drawn, in a real browser
 * with the built files: every list that grows with mail, people or time. Each is opened once as by somebody who has
 * never been here, and then again as by a click on a bookmark; then the next page is opened, by its button. Beside
 * them, in the same run, the yardstick: the same kind of page with two rows in its table.
 *
 *   npm run bench -- paint [rows]
 */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { buildDashboardIfNeeded } from '../../scripts/dashboard.mjs';
import { TEST_ADMIN } from '../test/harness/app-settings.ts';
import { openPage, startBrowser } from '../test/harness/browser.ts';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { fillDeliveries } from './fill-deliveries.ts';
import { fillLists } from './fill-lists.ts';
import { fillNewsletter } from './fill-newsletter.ts';
import { fillPeople } from './fill-people.ts';
import { fillRequests } from './fill-requests.ts';
import { report } from './results.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 10;

/** The link of a row, in a table or in the list of a mail program. */
const ROW = 'main tbody tr a, main section[aria-label="Captured mail"] li a';

/** Notes when the first row has been drawn: the frame after the one that it was put into. */
const NOTE_FIRST_ROW = `
  new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(ROW)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { document.documentElement.dataset.firstRowAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });`;

/** Presses the button of the next page, and gives the milliseconds until another first row has been drawn. */
const NEXT_PAGE = `new Promise((resolve) => {
  const firstRow = () => document.querySelector(${JSON.stringify(ROW)})?.href;
  const [before, at] = [firstRow(), performance.now()];
  new MutationObserver((_, observer) => {
    if ([undefined, before].includes(firstRow())) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - at)));
  }).observe(document, { childList: true, subtree: true, attributes: true });
  [...document.querySelectorAll('main nav[aria-label="Pages"] button')].at(-1).click();
})`;

interface Seen {
  firstRowMs: number;
  /** Of the calls of the API, the one that took longest. */
  apiMs: number;
}

type Page = Awaited<ReturnType<typeof openPage>>['page'];
type Browser = Awaited<ReturnType<typeof startBrowser>>;
type State = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

async function look(page: Page, url: string): Promise<Seen> {
  await page.goto(url, { waitUntil: 'commit' });
  const html = page.locator('html[data-first-row-at]');
  await html.waitFor({ state: 'attached' });
  const firstRowMs = Number(await html.getAttribute('data-first-row-at'));
  const apiMs = await page.evaluate<number>(`Math.max(0, ...performance.getEntriesByType('resource')
    .filter(({ name, responseEnd }) => /\\/(v1|auth|workspaces)\\b/.test(new URL(name).pathname) && responseEnd <= ${firstRowMs})
    .map(({ duration }) => duration))`);
  return { firstRowMs, apiMs };
}

type Posthorn = Awaited<ReturnType<typeof startProcess>>;

async function made(posthorn: Posthorn, path: string, body: unknown): Promise<string> {
  const answer = await posthorn.fetch(path, { body });
  if (answer.status > 202) throw new Error(JSON.stringify(answer.body));
  return (answer.body as { id: string }).id; // an answer of our own API
}

/** The pages of all lists, each with as many rows. */
async function fill(db: Db, posthorn: Posthorn): Promise<Record<string, string>> {
  const hook = { url: 'https://93.184.216.34/hook', events: ['delivery'], enabled: false };
  const webhookId = await made(posthorn, '/v1/webhooks', hook);
  await made(posthorn, '/v1/webhooks', hook);
  const scheduledId = await made(posthorn, '/v1/scheduled', {
    from: 'hello@posthorn.test',
    to: ['ada@example.com'],
    subject: 'Later',
    text: 'Hello',
    scheduled_for: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await posthorn.stop();
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(db);
  const home = rows[0]?.id ?? '';
  const filling = performance.now();
  await fillLists(db, home, { rows: ROWS, workspaces: 1 });
  const { newsletterId, issueIds } = await fillNewsletter(db, home, { subscribers: ROWS, emails: ROWS });
  const { listId } = await fillPeople(db, home, { rows: ROWS, scheduledId });
  await fillRequests(db, home, ROWS);
  await fillDeliveries(db, home, webhookId, ROWS);
  report(
    'paint, filling',
    `${ROWS} rows of each list in ${((performance.now() - filling) / 1_000).toFixed(0)} s`,
    'none',
  );
  return {
    'yardstick, a list of two rows': '/webhooks',
    emails: '/emails',
    'scheduled emails': '/scheduled-emails',
    'captured mail': '/outbox',
    'received mail': '/received',
    subscribers: `/newsletters/${newsletterId}?tab=subscribers`,
    'recipients of an issue': `/newsletters/${newsletterId}/issues/${issueIds[0]}?tab=recipients`,
    contacts: '/contacts',
    'contacts of a list': `/lists/${listId}`,
    suppressions: '/suppressions',
    events: '/events',
    requests: '/requests',
    'deliveries of webhooks': '/webhooks/deliveries',
    'deliveries of one webhook': `/webhooks/${webhookId}?tab=deliveries`,
    'audit log': '/audit-log',
    'security log': '/security',
  };
}

async function storageOfOwner(browser: Browser, url: string): Promise<State> {
  const { page, context, close } = await openPage(browser, [url]);
  await page.goto(url);
  await page.getByLabel('Email').fill(TEST_ADMIN.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(TEST_ADMIN.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const state = await context.storageState();
  await close();
  return state;
}

async function measure(name: string, page: Page, url: string): Promise<void> {
  await page.addInitScript(NOTE_FIRST_ROW);
  const firstVisit = await look(page, url);
  const visits: Seen[] = [];
  while (visits.length < RUNS) visits.push(await look(page, url));
  const median = (of: (seen: Seen) => number): string =>
    (visits.map(of).toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0).toFixed(0);
  const worst = Math.max(...visits.map(({ firstRowMs }) => firstRowMs)).toFixed(0);
  const isYardstick = name.startsWith('yardstick');
  const next = isYardstick ? '' : `; the next page after ${(await page.evaluate<number>(NEXT_PAGE)).toFixed(0)} ms`;
  report(
    `paint, ${name}`,
    `first row after ${firstVisit.firstRowMs.toFixed(0)} ms at the first visit, then ${median(({ firstRowMs }) => firstRowMs)} ms (at most ${worst}); longest call of the API ${median(({ apiMs }) => apiMs)} ms${next}`,
    isYardstick ? 'none' : '< 1,000 ms',
  );
}

const database = await startBenchDatabase();
try {
  const env = {
    POSTHORN_DASHBOARD_FILES: (await buildDashboardIfNeeded()) ?? '',
    POSTHORN_ADMIN_EMAIL: TEST_ADMIN.email,
    POSTHORN_ADMIN_PASSWORD: TEST_ADMIN.password,
  };
  const start = (settings: Record<string, string>) =>
    startProcess({ databaseUrl: database.url, startTimeoutMs: 180_000, env: { ...env, ...settings } });
  const first = await start({});
  const lists = await fill(database.db, first);
  const posthorn = await start({ POSTHORN_API_KEY: first.key });
  const browser = await startBrowser();
  try {
    const storageState = await storageOfOwner(browser, posthorn.url);
    for (const [name, path] of Object.entries(lists)) {
      const { page, close } = await openPage(browser, [posthorn.url], { storageState });
      await measure(name, page, `${posthorn.url}${path}`);
      await close();
    }
  } finally {
    await browser.close();
    await posthorn.stop();
  }
} finally {
  await database.close();
}
