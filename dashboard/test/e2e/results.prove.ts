/** Results in a real browser: links, clicks on the mail and the counts of the overview, against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFaults } from '../harness/axe.ts';
import { until } from '../../../server/test/harness/until.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';

const HTML = `<p>Hello <a href="https://example.com/one">one</a>, <a href="https://example.com/two?u={{ subscriber.email }}">two</a>
  and <a href="https://example.com/one">one again</a>.</p>`;
const READERS = ['ada', 'grace', 'mary'];

let dashboard: RunningDashboard;
let newsletter = '';
let issue = '';
/** Signed in once for all tests. */
let watched: Awaited<ReturnType<RunningDashboard['openSignedIn']>>;
before(async () => {
  dashboard = await startDashboard();
  const sender = { from_email: 'letters@posthorn.test', timezone: 'Europe/Berlin' };
  newsletter = await make('/v1/newsletters', { name: 'Letters', slug: 'letters', ...sender });
  for (const name of READERS) {
    await make(`/v1/newsletters/${newsletter}/subscribers`, {
      email: `${name}@simulator.posthorn.test`,
      skip_confirmation: true,
      consent: { text: 'asked', ip: '203.0.113.7', at: '2026-01-01T00:00:00Z' },
    });
  }
  issue = await make(`/v1/newsletters/${newsletter}/issues`, { subject: 'News', html_body: HTML });
  await call(`${ofIssue()}/send`, {});
  await until('everybody has it', async () => {
    const { delivered } = await read<{ delivered: number }>(`${ofIssue()}/stats`);
    return delivered === READERS.length ? true : undefined;
  });
  await follow('ada', 'https://example.com/one');
  await follow('grace', 'https://example.com/one');
  await follow('grace', 'https://example.com/two?u=grace@simulator.posthorn.test');
  watched = await dashboard.openSignedIn('/newsletters');
});
after(() => dashboard?.stop());

const ofIssue = (): string => `/v1/newsletters/${newsletter}/issues/${issue}`;
const call = async (path: string, body: unknown) => {
  const answer = await dashboard.posthorn.fetch(path, { body });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body as Record<string, unknown>; // an answer of our own API
};
const make = async (path: string, body: unknown): Promise<string> => String((await call(path, body))['id']);
const read = async <T>(path: string): Promise<T> => (await dashboard.posthorn.fetch(path)).body as T; // as above

async function follow(name: string, link: string): Promise<void> {
  const { data } = await read<{ data: { id: string; envelope: { to: string[] } }[] }>('/v1/captured-emails?limit=100');
  const captured = data.find((one) => JSON.stringify(one).includes(`${name}@`));
  assert.ok(captured);
  await call(`/v1/captured-emails/${captured.id}/simulate`, { outcome: 'click', link });
}

const go = (path: string) => watched.page.goto(`${dashboard.posthorn.url}/newsletters/${newsletter}${path}`);

test('the links of an issue stand in a table and on the mail, with people and clicks', async () => {
  const { page, errors, strangers } = watched;
  await until('the clicks are counted', async () => {
    const { data } = await read<{ data: { clicks: number }[] }>(`${ofIssue()}/links`);
    return data.map(({ clicks }) => clicks).join() === '2,1' ? true : undefined;
  });
  await go(`/issues/${issue}?tab=links`);
  const table = page.getByRole('table', { name: 'Links' });
  await table.getByText('example.com/one').waitFor();
  const rows = await table.locator('tbody tr').allInnerTexts();
  assert.deepEqual(
    rows.map((row) => row.split(/\s+/).slice(0, 5)),
    [
      ['1', 'example.com/one', '2', '2', '66.7%'],
      ['2', 'example.com/two?u={{', 'subscriber.email', '}}', '1'],
    ],
  );
  const mail = page.frameLocator('iframe[title="The issue with its clicks"]');
  await mail.getByText('1: 2').first().waitFor();
  assert.deepEqual(await mail.locator('[data-badge]').allInnerTexts(), [
    '1: 2 · 66.7%',
    '2: 1 · 33.3%',
    '1: 2 · 66.7%',
  ]);
  assert.deepEqual(await axeFaults(page), []);
  assert.deepEqual([errors, strangers], [[], []]);
});

test('the opens and clicks of an issue are a chart, a sentence and a table by hour, and by day', async () => {
  const { page, errors } = watched;
  await until('the clicks are counted by time', async () => {
    const { totals } = await read<{ totals: { clicked: number } }>(`${ofIssue()}/course`);
    return totals.clicked === 2 ? true : undefined;
  });
  await go(`/issues/${issue}`);
  await page.getByRole('heading', { name: 'Opens and clicks over time' }).waitFor();
  await page.getByText(/ Days and hours are those of Europe\/Berlin, the zone of the newsletter\.$/).waitFor();
  const points = await read<{ data: { period: string; clicked: number }[] }>(
    `${ofIssue()}/course?timezone=Europe%2FBerlin`,
  );
  const most = points.data.find(({ clicked }) => clicked > 0)?.period.slice(11, 16);
  await page.getByText(`, ${most}: 0 opens and 2 clicks.`).waitFor();
  await page.getByText(/^The hour with most was \w+ \d+, \d\d:\d\d: 0 opens and 2 clicks\.$/).waitFor();
  await page.getByText('People who opened and clicked by hour, as a table').click();
  const cells = page.getByRole('region', { name: /by hour, as a table/ }).locator('tbody td');
  const sum = (texts: string[], of: number) =>
    texts.reduce((all, text, n) => all + (n % 2 === of ? Number(text) : 0), 0);
  const texts = await cells.allInnerTexts();
  assert.deepEqual([sum(texts, 0), sum(texts, 1)], [0, 2]);
  assert.deepEqual(await axeFaults(page), []);
  await page.getByText('90 days', { exact: true }).click();
  await page.getByText('People who opened and clicked by day, as a table').waitFor();
  assert.match(page.url(), /by=day/);
  assert.deepEqual(errors, []);
});

test('the growth of a newsletter is a chart and a table, whose newest total is the active subscribers', async () => {
  const { page, errors } = watched;
  await go('?tab=growth');
  await page.getByText('Active subscribers by day, as a table').click();
  const last = page.getByRole('table').first().locator('tbody tr').last();
  await last.waitFor();
  assert.match(await last.innerText(), /^\w+ \d+\s+3$/);
  await page.getByText('A year', { exact: true }).click();
  await page.getByText('Active subscribers by week, as a table').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  assert.deepEqual(errors, []);
});

test('a number of the results opens as many recipients, who are found by a part of their address', async () => {
  const { page, errors } = watched;
  await go(`/issues/${issue}`);
  await page.getByRole('link', { name: 'Clicked: 2' }).click();
  await page.getByText('2 in all').waitFor();
  await page.getByRole('searchbox', { name: 'Search addresses' }).fill('grace');
  await page.getByText('1 in all').waitFor();
  assert.equal(await page.getByRole('link', { name: /simulator/ }).count(), 1);
  assert.deepEqual(await axeFaults(page), []);

  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByRole('combobox', { name: 'As this reader gets it' }).fill('mary');
  await page.getByRole('option', { name: 'mary@simulator.posthorn.test' }).click();
  assert.match(page.url(), /reader=/);
  assert.deepEqual(errors, []);
});

test('the counts of the overview are taken apart by mailbox provider and by source, and a number leads to its emails', async () => {
  const { page, errors } = watched;
  await until('the clicks are in the counts', async () => {
    const { data } = await read<{ data: { clicked: number }[] }>('/v1/analytics?dimensions=source');
    return data.some(({ clicked }) => clicked === 2) ? true : undefined;
  });
  await page.goto(`${dashboard.posthorn.url}/`);
  const kinds = page.getByRole('table', { name: 'Emails by mailbox provider' });
  assert.match(await kinds.getByRole('row', { name: /^Others/ }).innerText(), /^Others\s+3\s+3\s+\d+\s+2\s/);
  await page.getByRole('radiogroup', { name: 'By' }).getByText('Source').click();
  const issues = page.getByRole('table', { name: 'Emails by source' }).getByRole('row', { name: /^Issue/ });
  await issues.waitFor();
  assert.match(page.url(), /of=source/);
  assert.deepEqual(await axeFaults(page), []);
  await issues.getByRole('link', { name: '2', exact: true }).click();
  const rows = page.locator('[data-row-link]');
  await rows.nth(1).waitFor();
  const people = (await rows.allInnerTexts()).map((text) => /\w+(?=@)/.exec(text)?.[0]);
  assert.equal(people.length, 2);
  assert.deepEqual(new Set(people), new Set(['ada', 'grace']));
  assert.deepEqual(errors, []);
});
