/** The actions on the record in sight, from the palette (Ctrl+K): the buttons of the page, pressed by keyboard. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE } from '../../../server/test/harness/browser.ts';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaultsOfSchemes } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import type { Page } from '../harness/journey.ts';
import { Keyboard } from '../harness/keyboard.ts';
import { aMember } from '../harness/people.ts';

/** An answer of our own API, in the fields that are read here. */
interface Answered {
  id: string;
  status: string;
  enabled: boolean;
  revoked_at: string | null;
  emails: { id: string }[];
}

let dashboard: RunningDashboard;
let newsletter = '';
let issue = '';
before(async () => {
  dashboard = await startDashboard();
  newsletter = (await call('/v1/newsletters', { name: 'Letters', slug: 'here', from_email: 'here@posthorn.test' })).id;
  await subscriber('ada@example.com');
  issue = (await call(`/v1/newsletters/${newsletter}/issues`, { subject: 'Tides', html_body: '<p>Hello</p>' })).id;
});
after(() => dashboard?.stop());

const call = (path: string, body?: unknown) => dashboard.call<Answered>(path, body);
const subscriber = (email: string) =>
  call(`/v1/newsletters/${newsletter}/subscribers`, {
    email,
    skip_confirmation: true,
    consent: { text: 'asked', ip: '203.0.113.7', at: '2026-01-01T00:00:00Z' },
  });
const endpoint = () => call('/v1/webhooks', { url: 'https://hooks.example.com/in', events: ['delivery'] });
const issuePath = () => `/newsletters/${newsletter}/issues/${issue}`;

/** Goes to a page that has this button. */
async function goTo(page: Page, path: string, button: string): Promise<void> {
  await page.goto(`${dashboard.posthorn.url}${path}`);
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().waitFor();
}

const palette = (page: Page) => page.getByRole('dialog').filter({ has: page.locator('.mantine-Spotlight-search') });
const entriesHere = (page: Page) => palette(page).locator('[data-action]').filter({ hasText: 'On this page' });

/** Opens the palette with these words. Its entry of the page is the first, so that Enter is for it. */
async function find(page: Page, words: string, label: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search and commands' }).waitFor();
  await page.keyboard.type(words);
  const entry = entriesHere(page).and(page.locator('[data-selected]')).filter({ hasText: label });
  await entry.waitFor();
  return entry;
}

async function choose(page: Page, words: string, label: string): Promise<void> {
  await find(page, words, label);
  await page.keyboard.press('Enter');
  await palette(page).waitFor({ state: 'detached' });
}

test('a dialog or a menu of the page is opened from the palette, and the focus comes back to its button', async () => {
  const { emails } = await call('/v1/send', { from: 'a@posthorn.test', to: 'b@example.com', subject: 'S', text: 'T' });
  const email = `/emails/${emails[0]?.id}`;
  await until('the email is delivered', async () =>
    (await call(`/v1${email}`)).status === 'delivered' ? true : undefined,
  );
  const key = await call('/v1/api-keys', { name: 'Night shift', scopes: ['emails:send'] });
  const { id: hook } = await endpoint();
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/');
  const keyboard = new Keyboard(page);
  for (const [path, words, label, opened] of [
    [email, 'send ag', 'Send again', page.getByRole('menu')],
    [issuePath(), 'send now', 'Send now', page.getByRole('dialog', { name: 'Send “Tides”?' })],
    [`/webhooks/${hook}`, 'repl', 'Replay', page.getByRole('dialog', { name: /replay/i })],
    [`/keys/${key.id}`, 'rota', 'Rotate', page.getByRole('dialog', { name: 'Rotate Night shift' })],
    [
      `/newsletters/${newsletter}?tab=subscribers`,
      'add subs',
      'Add subscriber',
      page.getByRole('dialog', { name: /add/i }),
    ],
  ] as const) {
    await goTo(page, path, label);
    await choose(page, words, label);
    await opened.waitFor();
    assert.equal(await opened.evaluate((one) => one.contains(document.activeElement)), true, `focus in ${label}`);
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    await keyboard.isOn(`button "${label}"`);
  }
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

test('a suppression is lifted, a key revoked and a person unsubscribed from the palette by keyboard', async () => {
  await call('/v1/suppressions', { email: 'gone@example.com' });
  const suppression = await call('/v1/suppressions/gone@example.com');
  const key = await call('/v1/api-keys', { name: 'Day shift', scopes: ['emails:send'] });
  const person = await subscriber('grace@example.com');
  const { page, errors, close } = await dashboard.openSignedIn('/');

  await goTo(page, `/suppressions/${suppression.id}`, 'Allow mail again');
  await choose(page, 'allow', 'Allow mail again');
  await page.waitForURL((url) => url.pathname === '/suppressions');
  assert.equal((await dashboard.posthorn.fetch('/v1/suppressions/gone@example.com')).status, 404);

  for (const [path, words, label, typed, isDone] of [
    [`/keys/${key.id}`, 'revo', 'Revoke', 'Day shift', (now: Answered) => now.revoked_at !== null],
    [
      `/newsletters/${newsletter}/subscribers/${person.id}`,
      'unsub',
      'Unsubscribe',
      'grace@example.com',
      (now: Answered) => now.status === 'unsubscribed',
    ],
  ] as const) {
    await goTo(page, path, label);
    await choose(page, words, label);
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const record = path.replace('/keys/', '/api-keys/');
    await until(`${label} is done`, async () => (isDone(await call(`/v1${record}`)) ? true : undefined));
  }
  assert.deepEqual(errors, []);
  await close();
});

test('an editor reads why an issue is not theirs to send, and Enter sends nothing', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/', {}, await aMember(dashboard, 'editor'));
  await goTo(page, issuePath(), 'Send now');
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type('send now');
  const entry = palette(page).locator('[data-action][aria-disabled=true]').filter({ hasText: 'Send now' });
  await entry.filter({ hasText: 'Your role (editor) may not send' }).waitFor();
  await until('the entry is marked', async () => {
    if ((await entry.getAttribute('data-selected')) !== null) return true;
    await page.keyboard.press('ArrowDown');
    return undefined;
  });
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300); // the palette would be gone by then, and the dialog of the button open
  assert.equal(await page.getByRole('dialog').count(), 1);
  assert.equal(await palette(page).count(), 1);
  assert.equal((await call(`/v1/newsletters/${newsletter}/issues/${issue}`)).status, 'draft');
  assert.deepEqual(errors, []);
  await close();
});

test('only what the page has at this moment is listed', async () => {
  const { id } = await endpoint();
  const { page, errors, close } = await dashboard.openSignedIn('/');
  await goTo(page, `/webhooks/${id}`, 'Disable');
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/v1/webhooks/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') await isHeld;
    await route.fallback();
  });
  await choose(page, 'disab', 'Disable');
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type('able');
  await page.getByRole('textbox', { name: 'Search and commands' }).fill('disab');
  const waiting = palette(page).locator('[data-action][aria-disabled=true]').filter({ hasText: 'Disable' });
  await waiting.filter({ hasText: 'It is being done.' }).waitFor();
  release();
  await waiting.waitFor({ state: 'detached' });
  assert.deepEqual(await entriesHere(page).allInnerTexts(), []);
  assert.equal((await call(`/v1/webhooks/${id}`)).enabled, false);
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });

  // A dialog covers the page, and its buttons with it.
  await choose(page, 'delete', 'Delete');
  await page.getByRole('dialog', { name: 'Delete this endpoint?' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search and commands' }).waitFor();
  await palette(page).locator('[data-action]').first().waitFor();
  assert.equal(await entriesHere(page).count(), 0);
  assert.deepEqual(errors, []);
  await close();
});

test('a phone lists the actions of the page first, in the width of its screen', async () => {
  const { page, errors, close } = await dashboard.openSignedIn(issuePath(), { viewport: PHONE, hasTouch: true });
  await page.getByRole('main').getByRole('button', { name: 'Send now' }).waitFor();
  await page.getByRole('button', { name: 'Search and commands' }).tap();
  await entriesHere(page).first().waitFor();
  const all = await palette(page).locator('[data-action]').allInnerTexts();
  const here = await entriesHere(page).allInnerTexts();
  assert.ok(here.some((one) => one.startsWith('Send now')) && here.some((one) => one.startsWith('Delete')));
  assert.deepEqual(all.slice(0, here.length), here);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await entriesHere(page).filter({ hasText: 'Send now' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Send “Tides”?' });
  await dialog.getByRole('button', { name: 'Cancel' }).tap();
  await dialog.waitFor({ state: 'detached' });
  const focused = page.getByRole('main').getByRole('button', { name: 'Send now' }).and(page.locator(':focus'));
  await focused.waitFor();
  assert.deepEqual(errors, []);
  await close();
});
