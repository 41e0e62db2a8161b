/**
 * paint: how long a person looks at an empty page before the first rows of a long list are drawn, in a real browser
 * with the built files: emails, subscribers, requests and deliveries of webhooks. Each is opened once as by somebody
 * who has never been here, and then again as by a click on a bookmark. Beside them, in the same run, the yardstick: the
 * same kind of page with two rows in its table.
 *
 *   npm run bench -- paint [rows]
 */
import { sql } from 'kysely';
import { buildDashboardIfNeeded } from '../../scripts/dashboard.mjs';
import { TEST_ADMIN } from '../test/harness/app-settings.ts';
import { openPage, startBrowser } from '../test/harness/browser.ts';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { fillDeliveries } from './fill-deliveries.ts';
import { fillLists } from './fill-lists.ts';
import { fillNewsletter } from './fill-newsletter.ts';
import { fillRequests } from './fill-requests.ts';
import { report } from './results.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 10;

/** Notes when the first row of the table has been drawn: the frame after the one that it was put into. */
const NOTE_FIRST_ROW = `
  new MutationObserver((_, observer) => {
    if (document.querySelector('main tbody tr a') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { document.documentElement.dataset.firstRowAt = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });`;

interface Seen {
  firstRowMs: number;
  /** Of the calls of the API, the one that took longest. */
  apiMs: number;
}

type Page = Awaited<ReturnType<typeof openPage>>['page'];

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

const database = await startBenchDatabase();
try {
  const env = {
    POSTHORN_DASHBOARD_FILES: (await buildDashboardIfNeeded()) ?? '',
    POSTHORN_ADMIN_EMAIL: TEST_ADMIN.email,
    POSTHORN_ADMIN_PASSWORD: TEST_ADMIN.password,
  };
  const first = await startProcess({ databaseUrl: database.url, startTimeoutMs: 180_000, env });
  const hook = { url: 'https://93.184.216.34/hook', events: ['delivery'], enabled: false };
  const made = await first.fetch('/v1/webhooks', { body: hook });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  const { id: webhookId } = made.body as { id: string }; // an answer of our own API
  for (const email of ['ada@example.com', 'bob@example.com']) {
    await first.fetch('/v1/suppressions', { body: { email } });
  }
  await first.stop();
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const home = rows[0]?.id ?? '';
  const filling = performance.now();
  await fillLists(database.db, home, { rows: ROWS, workspaces: 1 });
  const { newsletterId } = await fillNewsletter(database.db, home, { subscribers: ROWS, emails: 0 });
  await fillRequests(database.db, home, ROWS);
  await fillDeliveries(database.db, home, webhookId, ROWS);
  const seconds = ((performance.now() - filling) / 1_000).toFixed(0);
  report('paint, filling', `${ROWS} rows of each list in ${seconds} s`, 'none');

  const posthorn = await startProcess({
    databaseUrl: database.url,
    startTimeoutMs: 180_000,
    env: { ...env, POSTHORN_API_KEY: first.key },
  });
  const browser = await startBrowser();
  try {
    const lists: Record<string, string> = {
      'yardstick, a list of two rows': '/suppressions',
      emails: '/emails',
      subscribers: `/newsletters/${newsletterId}?tab=subscribers`,
      requests: '/requests',
      'deliveries of webhooks': '/webhooks/deliveries',
      'deliveries of one webhook': `/webhooks/${webhookId}?tab=deliveries`,
    };
    const signedIn = await openPage(browser, [posthorn.url]);
    await signedIn.page.goto(posthorn.url);
    await signedIn.page.getByLabel('Email').fill(TEST_ADMIN.email);
    await signedIn.page.getByRole('textbox', { name: 'Password' }).fill(TEST_ADMIN.password);
    await signedIn.page.getByRole('button', { name: 'Sign in' }).click();
    await signedIn.page.getByRole('navigation', { name: 'Main' }).waitFor();
    const storageState = await signedIn.context.storageState();
    await signedIn.close();
    for (const [name, path] of Object.entries(lists)) {
      const { page, close } = await openPage(browser, [posthorn.url], { storageState });
      await page.addInitScript(NOTE_FIRST_ROW);
      const firstVisit = await look(page, `${posthorn.url}${path}`);
      const visits: Seen[] = [];
      while (visits.length < RUNS) visits.push(await look(page, `${posthorn.url}${path}`));
      await close();
      const median = (of: (seen: Seen) => number): string =>
        (visits.map(of).toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0).toFixed(0);
      const worst = Math.max(...visits.map(({ firstRowMs }) => firstRowMs)).toFixed(0);
      report(
        `paint, ${name}`,
        `first row after ${firstVisit.firstRowMs.toFixed(0)} ms at the first visit, then ${median(({ firstRowMs }) => firstRowMs)} ms (at most ${worst}); longest call of the API ${median(({ apiMs }) => apiMs)} ms`,
        name.startsWith('yardstick') ? 'none' : '< 1,000 ms',
      );
    }
  } finally {
    await browser.close();
    await posthorn.stop();
  }
} finally {
  await database.close();
}
