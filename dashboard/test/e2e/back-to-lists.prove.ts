/** "Back" from a record to a list: the same page, place and row as before, and what happens where they are gone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { type Made, type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import type { Page } from '../harness/journey.ts';

let dashboard: RunningDashboard;
let newsletter = '';
before(async () => {
  dashboard = await startDashboard();
  ({ id: newsletter } = await dashboard.call<Made>('/v1/newsletters', {
    name: 'Weekly',
    slug: 'weekly',
    from_email: 'news@posthorn.test',
    from_name: 'Weekly',
  }));
  const names = Array.from({ length: 2 * ROWS_PER_PAGE }, (_, number) => `reader-${number}@example.com`);
  const { posthorn } = dashboard;
  const people = `/v1/newsletters/${newsletter}/subscribers`;
  const imported = await fetch(`${posthorn.url}${people}/import?consent=already_confirmed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${posthorn.key}`, 'content-type': 'text/csv' },
    body: `email\n${names.join('\n')}\n`,
  });
  assert.ok(imported.ok, `the import answered ${imported.status}`);
  const email = { from: 'hello@posthorn.test', subject: 'Hello', text: 'Hello' };
  await dashboard.call('/v1/batch', { emails: names.map((to) => ({ ...email, to })) });
  await dashboard.call('/v1/suppressions/batch', { emails: names.map((address) => `blocked-${address}`) });
  for (const path of ['/v1/emails?status=delivered', `${people}?status=active`, '/v1/suppressions?reason=manual'])
    await until(`all of ${path}`, async () => {
      const { data } = await dashboard.call<{ data: unknown[] }>(`${path}&limit=100`);
      return data.length === names.length ? true : undefined;
    });
  // Each of these is a row of the page of requests.
  for (let number = 0; number < 2 * ROWS_PER_PAGE; number += 1) await dashboard.call(people);
});
after(() => dashboard?.stop());

const ROWS_PER_PAGE = 50;
/** A row that is below the window at first. */
const ROW = 30;

const rowsOf = (page: Page) => page.locator('table[aria-busy=false] tr[data-row]');
const idsOf = (page: Page) => rowsOf(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-row') ?? ''));
const hasFocus = (page: Page, id: string | undefined) =>
  page.locator(`tr[data-row="${id}"] [data-row-link]:focus`).waitFor();
const title = (page: Page) => page.getByRole('heading', { level: 1 }).and(page.locator(':focus'));

/** Rounded, because a browser scrolls to parts of a pixel. */
const scrolledTo = async (page: Page) => Math.round(await page.evaluate(() => window.scrollY));

async function isAt(page: Page, place: number): Promise<void> {
  let now = 0;
  await until(
    () => `the place ${place} (it is ${now})`,
    async () => {
      now = await scrolledTo(page);
      return Math.abs(now - place) < 5 ? true : undefined;
    },
    { patienceMs: 5_000 },
  );
}

/** The second page of a list, far down: what is there, once the record of a row is open. */
async function leave(page: Page): Promise<{ ids: string[]; id: string | undefined; place: number }> {
  await rowsOf(page)
    .nth(ROWS_PER_PAGE - 1)
    .waitFor();
  const [first] = await idsOf(page);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next' }).click();
  await page.waitForURL((url) => url.searchParams.has('after'));
  // The rows of the first page stay until those of the second have come.
  await page.locator(`tr[data-row="${first}"]`).waitFor({ state: 'detached' });
  await rowsOf(page).nth(ROW).waitFor();
  const ids = await idsOf(page);
  // Neither the row nor the place is where a browser would come to by itself.
  await rowsOf(page).nth(ROW).locator('[data-row-link]').focus();
  await page.mouse.wheel(0, 120);
  await until('the end of the scrolling', async () => {
    const before = await scrolledTo(page);
    await page.waitForTimeout(100);
    return before > 300 && (await scrolledTo(page)) === before ? true : undefined;
  });
  const place = await scrolledTo(page);
  const { pathname } = new URL(page.url());
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname !== pathname);
  await title(page).waitFor();
  return { ids, id: ids[ROW], place };
}

for (const { of, path, filter } of [
  { of: 'emails', path: () => '/emails?status=delivered', filter: ['Status', 'Delivered'] },
  {
    of: 'subscribers',
    path: () => `/newsletters/${newsletter}?tab=subscribers&status=active`,
    filter: ['Status', 'Active'],
  },
  { of: 'requests', path: () => '/requests?method=GET', filter: ['Method', 'GET'] },
  { of: 'suppressions', path: () => '/suppressions?reason=manual', filter: ['Reason', 'Manual'] },
] as const) {
  test(`back from a record to ${of} keeps the filter, the page, the place and the row with the focus`, async () => {
    const { page, errors, close } = await dashboard.openSignedIn(path());
    const { ids, id, place } = await leave(page);

    await page.goBack();
    await hasFocus(page, id);
    await isAt(page, place);
    assert.deepEqual(await idsOf(page), ids);
    assert.equal(await page.getByRole('combobox', { name: filter[0], exact: true }).inputValue(), filter[1]);
    await page.keyboard.press('j');
    await hasFocus(page, ids[ROW + 1]);
    assert.deepEqual(errors, []);
    await close();
  });
}

test('back to a list keeps the place and the row after the record was loaded anew', async () => {
  const { page, close } = await dashboard.openSignedIn('/emails');
  const { id, place } = await leave(page);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goBack();
  await hasFocus(page, id);
  await isAt(page, place);
  await close();
});

test('back to a row that is gone leads to the row in its place', async () => {
  const { page, close } = await dashboard.openSignedIn('/suppressions');
  const { ids, id, place } = await leave(page);
  const gone = await dashboard.posthorn.fetch(`/v1/suppressions/${id}`, { method: 'DELETE' });
  assert.ok(gone.status < 300, `it answered ${gone.status}`);
  // Without what the browser has read of the list.
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goBack();
  await hasFocus(page, ids[ROW + 1]);
  await isAt(page, place);
  await close();
});

test('the row that follows has the focus when a row with the focus goes away', async () => {
  const { page, close } = await dashboard.openSignedIn('/suppressions');
  const { ids, id } = await leave(page);
  await page.getByRole('button', { name: 'Allow mail again' }).click();
  await page.getByText(/may get mail again/).waitFor();
  // The record leads to the first page of the list. The browser still has the second with the row in it.
  await page.waitForURL((url) => url.pathname === '/suppressions');
  await page.goBack();
  await page.waitForURL((url) => url.pathname.endsWith(String(id)));
  await page.goBack();
  await page.locator(`tr[data-row="${id}"]`).waitFor({ state: 'detached' });
  await hasFocus(page, ids[ROW + 1]);
  await close();
});

test('a record, and a list that is opened anew, begin at their title and at the top', async () => {
  const { page, close } = await dashboard.openSignedIn('/emails');
  await leave(page);
  await isAt(page, 0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Emails', exact: true }).click();
  await rowsOf(page)
    .nth(ROWS_PER_PAGE - 1)
    .waitFor();
  await title(page).waitFor();
  await isAt(page, 0);
  await close();
});

test('a person who goes on before the rows are there keeps the focus that they chose', async () => {
  const { page, close } = await dashboard.openSignedIn('/emails');
  const { id } = await leave(page);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/v1/emails?*', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goBack();
  await title(page).waitFor();
  await page.keyboard.press('Tab');
  const chosen = await page.evaluate(() => document.activeElement?.textContent);
  answer();
  await page.locator(`tr[data-row="${id}"]`).waitFor();
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), chosen);
  await close();
});
