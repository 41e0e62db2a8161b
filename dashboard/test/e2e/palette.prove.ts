/** The actions of the palette (Ctrl+K): for an owner, for a viewer, and for a person of two workspaces. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaultsOfSchemes } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { aMember, asOwner, callAs } from '../harness/people.ts';

type Page = Awaited<ReturnType<RunningDashboard['openSignedIn']>>['page'];

let dashboard: RunningDashboard;
before(async () => {
  dashboard = await startDashboard();
});
after(() => dashboard?.stop());

/** An answer of our own API. */
const made = async (path: string, body: object): Promise<{ id: string }> =>
  (await dashboard.posthorn.fetch(path, { body })).body as { id: string };

/** Opens the palette with these words and gives its action. */
async function action(page: Page, words: string, label: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search and commands' }).fill(words);
  const found = page.getByRole('dialog').getByRole('button').filter({ hasText: label });
  await found.waitFor();
  return found;
}

test('an issue, another key and files are made from the palette', async () => {
  const newsletter = await made('/v1/newsletters', { name: 'Harbour news', slug: 'palette', from_email: null });
  const key = await made('/v1/api-keys', { name: 'Night shift', scopes: ['emails:send'] });
  await made('/v1/contacts', { email: 'ada@example.com' });
  await made('/v1/suppressions', { email: 'gone@example.com' });
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/keys');
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();

  for (const [words, name, address] of [
    ['export cont', 'contacts', 'ada@example.com'],
    ['export supp', 'suppressions', 'gone@example.com'],
  ] as const) {
    const file = page.waitForEvent('download');
    await (await action(page, words, `Export all ${name}`)).click();
    const saved = await file;
    assert.equal(saved.suggestedFilename(), `${name}.csv`);
    assert.match(await readFile(await saved.path(), 'utf8'), new RegExp(address));
  }

  await (await action(page, 'rotate night', 'Rotate the API key Night shift')).click();
  await page.waitForURL((url) => url.pathname === `/keys/${key.id}`);
  const dialog = page.getByRole('dialog', { name: 'Rotate Night shift' });
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL((url) => url.search === '');
  assert.deepEqual(await axeFaultsOfSchemes(page), []);

  await (await action(page, 'new issue harb', 'New issue of Harbour news')).click();
  await page.waitForURL((url) => url.pathname.startsWith(`/newsletters/${newsletter.id}/issues/`));
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

test('an email is one line on a desktop, and on a phone a subject above its addresses', async () => {
  const subject = 'Invoice 2026-1182 of the harbour club for its many boats and their crews';
  await made('/v1/send', { from: 'a@posthorn.test', to: `${'a'.repeat(60)}@example.com`, subject, text: 'Hello' });
  const { page, close } = await dashboard.openSignedIn('/emails');
  const entry = await action(page, 'Invoice 2026-1182', 'Email to');
  const places = () =>
    entry.evaluate((element) =>
      ['Label', 'Description'].map((part) => {
        const text = element.querySelector(`.mantine-Spotlight-action${part}`)?.getBoundingClientRect();
        const room = element.closest('[role=dialog]')?.getBoundingClientRect();
        return { top: text?.top ?? 0, lines: (text?.height ?? 0) / 20, fits: (text?.right ?? 0) < (room?.right ?? 0) };
      }),
    );
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const [label, description] = await places();
    assert.ok(label !== undefined && description !== undefined);
    assert.deepEqual([label.fits, description.fits], [true, true], String(width));
    assert.ok(label.lines <= 1.3 && description.lines <= 1.3, JSON.stringify({ width, label, description }));
    assert.equal(description.top - label.top > 10, width === 390, JSON.stringify({ width, label, description }));
  }
  await close();
});

test('an action that the role does not allow says why, and does nothing', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/', {}, await aMember(dashboard, 'viewer'));
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  for (const [words, label, reason] of [
    ['create news', 'Create a newsletter', 'may not change newsletters. Owners, admins, publishers and editors may.'],
    [
      'new issue harb',
      'New issue of Harbour news',
      'may not change issues. Owners, admins, publishers and editors may.',
    ],
    ['rotate night', 'Rotate the API key Night shift', 'may not change API keys. Owners, admins and developers may.'],
    ['invite', 'Invite somebody', 'may not change the workspace or its members. Owners and admins may.'],
  ] as const) {
    const button = await action(page, words, label);
    assert.equal(await button.getAttribute('aria-disabled'), 'true', label);
    await button.filter({ hasText: `Your role (viewer) ${reason}` }).waitFor();
    // Enter is for the first that is possible, and there may be one as soon as the search has answered.
    await button.click({ force: true });
    await button.waitFor();
    if (words === 'invite') assert.deepEqual(await axeFaultsOfSchemes(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  assert.equal(new URL(page.url()).pathname, '/');
  const open = await action(page, 'export cont', 'Export all contacts');
  assert.equal(await open.getAttribute('aria-disabled'), null);
  assert.deepEqual(errors, []);
  await close();
});

test('nothing moves when the search answers, and Enter is for the first entry, also when it comes late', async () => {
  const key = await made('/v1/api-keys', { name: 'Late shift', scopes: ['emails:send'] });
  const { page, errors, close } = await dashboard.openSignedIn('/');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const entries = page.getByRole('dialog').locator('[data-action]');
  const search = page.getByRole('textbox', { name: 'Search and commands' });
  const held = async (words: string): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const isSearch = (url: URL): boolean => /^\/v1\/(emails|records)/.test(url.pathname);
    await page.route(isSearch, async (route) => {
      await promise;
      await route.fallback();
    });
    const asked = page.waitForRequest((request) => isSearch(new URL(request.url())));
    await search.fill(words);
    await asked;
    return resolve;
  };

  await page.keyboard.press('Control+k');
  await search.waitFor();
  const placeOfField = async () => Math.round((await search.boundingBox())?.y ?? -1);
  const place = await until('the palette at its place', async () => {
    const now = await placeOfField();
    await page.waitForTimeout(50);
    return now === (await placeOfField()) ? now : undefined;
  });
  const answerKeys = await held('key');
  const before = await entries.allInnerTexts();
  assert.match(before.join('\n'), /Create an API key/);
  answerKeys();
  await entries.filter({ hasText: 'Search emails for “key”' }).waitFor();
  await entries.filter({ hasText: 'Rotate the API key Late shift' }).waitFor();
  const after = await entries.allInnerTexts();
  assert.deepEqual(after.slice(0, before.length), before);

  // Enter after a name opens the record, though there are actions on it, too.
  (await held('late shift'))();
  await entries.filter({ hasText: 'Rotate the API key Late shift' }).waitFor();
  assert.match((await entries.allInnerTexts())[0] ?? '', /^Late shift\s+API key$/);

  const answerId = await held(key.id);
  await page.getByText('Searching …').waitFor();
  assert.equal(await entries.count(), 0);
  assert.equal(await placeOfField(), place, 'the field stays where it was, however many entries there are');
  answerId();
  await entries.filter({ hasText: 'Late shift' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === `/keys/${key.id}`);
  assert.deepEqual(errors, []);
  await close();
});

test('letters typed before the code of the palette has come stand in it, and none of them reaches the page', async () => {
  await made('/v1/suppressions', { email: 'early@example.com' });
  const { page, context, errors, close } = await dashboard.openSignedIn('/suppressions?search=early', {});
  const html = await (await page.request.get(page.url(), { headers: { accept: 'text/html' } })).text();
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await context.route('**/assets/*.js', async (route) => {
    if (!html.includes(new URL(route.request().url()).pathname)) await isHeld;
    await route.continue();
  });
  await page.reload();
  const focused = page.locator(':focus');
  const row = page.getByRole('link', { name: 'early@example.com' });
  const chosen = page.locator('tr[data-chosen]');
  const early = page.getByRole('textbox', { name: 'Search', exact: true });

  // Given up: the keys are for the page again.
  await row.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('jx/webh');
  await page.keyboard.press('Enter');
  await early.and(focused).waitFor();
  assert.equal(await early.inputValue(), 'jx/webh');
  assert.equal(await chosen.count(), 0);
  assert.equal(new URL(page.url()).pathname, '/suppressions');
  await page.keyboard.press('Escape');
  await row.and(focused).waitFor();
  await page.keyboard.press('x');
  await chosen.waitFor();

  // Kept, also when another page arrives together with the palette.
  await page.getByRole('link', { name: 'Emails', exact: true }).click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('webh');
  assert.equal(await early.inputValue(), 'webh');
  release();
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
  const search = page.getByRole('textbox', { name: 'Search and commands' });
  await search.and(focused).waitFor();
  await page.keyboard.type('oo');
  assert.equal(await search.inputValue(), 'webhoo');
  const first = page.getByRole('dialog').locator('[data-action][data-selected]');
  await first.filter({ hasText: 'Webhooks' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/webhooks');
  assert.equal(await early.count(), 0);
  assert.deepEqual(errors, []);
  await close();
});

test('a person of two workspaces changes to the other', async () => {
  const { token } = await asOwner(dashboard);
  await callAs(dashboard, token, '/workspaces', { name: 'Second harbour' });
  const { page, errors, close } = await dashboard.openSignedIn('/keys');
  await (await action(page, 'switch sec', 'Switch to Second harbour')).click();
  await page.getByRole('button', { name: 'Workspace: Second harbour' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/');
  assert.deepEqual(errors, []);
  await close();
});
