/** The people of a newsletter in a real browser: found by filters, why they left, acted on together, and imported. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaults } from '../harness/axe.ts';
import { type List, type Made, type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { choose } from '../harness/choose.ts';
import type { Page } from '../harness/journey.ts';

let dashboard: RunningDashboard;
let newsletter = '';
before(async () => {
  dashboard = await startDashboard();
  ({ id: newsletter } = await call<Made>('/v1/newsletters', {
    name: 'Weekly',
    slug: 'weekly',
    from_email: 'news@posthorn.test',
    from_name: 'Weekly',
  }));
});
after(() => dashboard?.stop());

const call = <T>(path: string, body?: unknown): Promise<T> => dashboard.call<T>(path, body);

const people = () => `/v1/newsletters/${newsletter}/subscribers`;
const CONFIRMED = { skip_confirmation: true, consent: { text: 'Asked at our stand' } };
const add = (email: string, more: object = CONFIRMED) => call<Made>(people(), { email, ...more });
const addresses = async () => (await call<List<{ email: string }>>(people())).data.map(({ email }) => email).sort();
const mailTo = async (email: string) => (await call<List<Made>>(`/v1/captured-emails?to=${email}`)).data;

/** The addresses in the order of the rows, once they are these. */
async function shows(page: Page, wanted: readonly string[]): Promise<void> {
  let rows: string[] = [];
  await until(
    () => `the rows ${wanted.join(', ')} (there are ${rows.join(', ')})`,
    async () => {
      rows = await page.locator('[data-row-link]').allInnerTexts();
      return rows.join() === wanted.join() ? true : undefined;
    },
  );
}

const select = async (page: Page, ...emails: string[]) => {
  for (const email of emails) await page.getByRole('checkbox', { name: `Select ${email}` }).click();
};

test('filters of status, source and order show exactly their people, and are in the address after a reload', async () => {
  await add('zoe@example.com', { source: 'fair', ...CONFIRMED });
  await add('ada@example.com', { source: 'fair', ...CONFIRMED });
  await add('bob@example.com', { source: 'footer', ...CONFIRMED });
  await add('wanda@example.com', { source: 'fair' });
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}?tab=subscribers`);
  const all = ['wanda', 'bob', 'ada', 'zoe'].map((name) => `${name}@example.com`);
  await shows(page, all);
  await choose(page, 'Newest first', 'Oldest first');
  await shows(page, all.toReversed());
  await choose(page, 'Newest first', 'By address');
  await shows(page, all.toSorted());
  await page.getByRole('searchbox', { name: 'Source' }).fill('fair');
  await shows(page, ['ada@example.com', 'wanda@example.com', 'zoe@example.com']);
  await choose(page, 'Status', 'Active');
  await shows(page, ['ada@example.com', 'zoe@example.com']);

  const query = () => Object.fromEntries(new URL(page.url()).searchParams);
  const wanted = { tab: 'subscribers', status: 'active', source: 'fair', sort: 'email' };
  assert.deepEqual(query(), wanted);
  await page.reload();
  await shows(page, ['ada@example.com', 'zoe@example.com']);
  assert.deepEqual(query(), wanted);
  assert.equal(await page.getByRole('searchbox', { name: 'Source' }).inputValue(), 'fair');
  assert.equal(await page.getByRole('combobox', { name: 'Status' }).inputValue(), 'Active');
  assert.equal(await page.getByRole('combobox', { name: 'Newest first' }).inputValue(), 'By address');

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await shows(page, all.toSorted());
  assert.deepEqual(errors, []);
  await close();
});

test('a bounce and a complaint end a subscription with a badge in the list and the reason on the record', async () => {
  for (const name of ['bounced', 'complained', 'left']) await add(`${name}@example.com`);
  const issues = `/v1/newsletters/${newsletter}/issues`;
  const issue = await call<Made>(issues, { subject: 'First', html_body: '<p>Hello</p>' });
  await call(`${issues}/${issue.id}/send`, {});
  for (const [name, outcome] of [
    ['bounced', 'bounce'],
    ['complained', 'complaint'],
  ]) {
    const captured = await until(`the issue for ${name}`, async () => (await mailTo(`${name}@example.com`))[0]);
    await call(`/v1/captured-emails/${captured.id}/simulate`, { outcome });
  }
  await call(`${people()}/${await idOf('left@example.com')}/unsubscribe`, {});
  await until('the ends', async () => {
    const { data } = await call<List<Made>>(`${people()}?status=unsubscribed`);
    return data.length === 3 ? true : undefined;
  });

  const { page, errors, close } = await dashboard.openSignedIn(
    `/newsletters/${newsletter}?tab=subscribers&status=unsubscribed&sort=email`,
  );
  await shows(page, ['bounced@example.com', 'complained@example.com', 'left@example.com']);
  const stateOf = (name: string) =>
    page
      .getByRole('row', { name: `${name}@example.com` })
      .getByRole('cell')
      .nth(2)
      .innerText();
  assert.match(await stateOf('bounced'), /^Unsubscribed\s+Bounce$/);
  assert.match(await stateOf('complained'), /^Unsubscribed\s+Complaint$/);
  assert.match(await stateOf('left'), /^Unsubscribed$/);
  for (const [name, why] of [
    ['bounced', 'Their address bounced for good, so it is suppressed.'],
    ['complained', 'They marked an email as spam, so their address is suppressed.'],
    ['left', 'Somebody of this workspace unsubscribed them.'],
  ]) {
    await page.getByRole('link', { name: `${name}@example.com` }).click();
    await page.getByRole('heading', { level: 1, name: `${name}@example.com` }).waitFor();
    await page.getByText(why ?? '').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.goBack();
  }
  assert.deepEqual(errors, []);
  await close();
});

const idOf = async (email: string) => (await call<List<Made>>(`${people()}?search=${email}`)).data[0]?.id ?? '';

test('chosen people are exported as exactly these', async () => {
  const { page, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}?tab=subscribers`);
  await select(page, 'ada@example.com', 'wanda@example.com');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click(),
  ]);
  assert.equal(saved.suggestedFilename(), 'weekly-selected.csv');
  const [head, ...rows] = (await readFile(await saved.path(), 'utf8')).trim().split(/\r?\n/);
  assert.match(head ?? '', /^email,name,status,source,/);
  assert.deepEqual(rows.map((row) => row.split(',').slice(0, 4).join()).sort(), [
    'ada@example.com,,active,fair',
    'wanda@example.com,,pending,fair',
  ]);
  await close();
});

test('a confirmation is sent again to exactly those of the chosen people who wait for it', async () => {
  await add('vera@example.com', {});
  await add('walt@example.com', {});
  const waiting = ['vera', 'walt', 'wanda'].map((name) => `${name}@example.com`);
  for (const email of waiting)
    await until(`the first mail to ${email}`, async () => ((await mailTo(email)).length === 1 ? true : undefined));
  const before = (await mailTo('ada@example.com')).length;
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}?tab=subscribers`);
  await select(page, 'ada@example.com', 'vera@example.com', 'walt@example.com');
  await page.getByRole('toolbar').getByRole('button', { name: 'Resend confirmation' }).click();
  await page.getByText('Confirmation emails are on their way.').waitFor();
  for (const email of ['vera@example.com', 'walt@example.com'])
    await until(`the second mail to ${email}`, async () => ((await mailTo(email)).length === 2 ? true : undefined));
  assert.deepEqual([(await mailTo('wanda@example.com')).length, (await mailTo('ada@example.com')).length], [1, before]);
  await page.getByRole('link', { name: 'Outbox' }).click();
  await page.getByRole('heading', { level: 1, name: 'Outbox' }).waitFor();
  await page.getByText('vera@example.com').nth(1).waitFor();

  await page.goto(`${dashboard.posthorn.url}/newsletters/${newsletter}?tab=subscribers`);
  await select(page, 'ada@example.com');
  const resend = page.getByRole('toolbar').getByRole('button', { name: 'Resend confirmation' });
  assert.equal(await resend.getAttribute('aria-disabled'), 'true', 'nobody of them waits');
  assert.deepEqual(errors, []);
  await close();
});

test('chosen people are erased after their number was typed, and nobody else is', async () => {
  const before = await addresses();
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}?tab=subscribers`);
  await select(page, 'vera@example.com', 'walt@example.com');
  await page.getByRole('toolbar').getByRole('button', { name: 'Erase' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase 2 people?' });
  const erase = dialog.getByRole('button', { name: 'Erase' });
  await dialog.getByRole('textbox').fill('3');
  assert.equal(await erase.isDisabled(), true);
  assert.deepEqual(await addresses(), before);
  assert.deepEqual(await axeFaults(page), []);
  await dialog.getByRole('textbox').fill('2');
  await erase.click();
  await page.getByText('Erased.').waitFor();
  assert.deepEqual(
    await addresses(),
    before.filter((email) => !/^(vera|walt)@/.test(email)),
  );
  assert.equal(await page.getByRole('link', { name: 'vera@example.com' }).count(), 0);
  assert.deepEqual(errors, []);
  await close();
});

const ROWS = 60_000;

test('the progress of a large import is seen to move, and Stop ends it with the true counts', async () => {
  const { id } = await call<Made>('/v1/newsletters', {
    name: 'Large',
    slug: 'large',
    from_email: 'large@posthorn.test',
    from_name: 'Large',
  });
  const lines = Array.from({ length: ROWS }, (_, row) => `reader-${row}@example.com,Reader ${row}`);
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${id}?tab=subscribers`);
  const uploaded = await fetch(
    `${dashboard.posthorn.url}/v1/newsletters/${id}/subscribers/import?consent=already_confirmed`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${dashboard.posthorn.key}`, 'content-type': 'text/csv' },
      body: `email,name\n${lines.join('\n')}\n`,
    },
  );
  const { id: imported } = (await uploaded.json()) as Made;
  await page.goto(`${dashboard.posthorn.url}/imports/${imported}`);
  const bar = page.getByRole('progressbar');
  const seen = new Set<number>();
  await until(
    () => `three places of the progress (seen: ${[...seen].join(', ')})`,
    async () => {
      seen.add(Number(await bar.getAttribute('aria-valuenow')));
      return seen.size >= 3 ? true : undefined;
    },
  );
  const places = [...seen];
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.ok((places.at(-1) ?? 100) < 100, places.join());

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  const { subscriber_counts: counts } = await call<{ subscriber_counts: { total: number } }>(`/v1/newsletters/${id}`);
  assert.ok(counts.total > 0 && counts.total < ROWS, `${counts.total} people`);
  const added = page.locator('main').getByText(counts.total.toLocaleString('en'), { exact: true });
  await added.first().waitFor();
  const after = await call<{ status: string; counts: Record<string, number> }>(`/v1/imports/${imported}`);
  assert.deepEqual([after.status, after.counts['created']], ['cancelled', counts.total]);
  assert.deepEqual(errors, []);
  await close();
});
