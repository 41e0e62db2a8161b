/** A template is made, written, looked at, published, compared, rolled back and tested in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import type { Page } from '../harness/journey.ts';
import { axeFaultsOfSchemes } from '../harness/axe.ts';
import { aMember } from '../harness/people.ts';
import { faultsOfRole } from '../harness/roles.ts';
import { readsWell } from '../harness/screen-reader.ts';

let dashboard: RunningDashboard;
before(async () => {
  dashboard = await startDashboard();
});
after(() => dashboard?.stop());

const read = async (name: string) =>
  (await dashboard.posthorn.fetch(`/v1/templates/${name}`)).body as Record<string, unknown>; // an answer of our own API
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a template is written, published when its samples render, rolled back, and tested', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/templates');
  await button(page, 'Start with a welcome').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Our welcome');
  await button(page, 'Create template').click();
  await page.waitForURL(/\/templates\/[^/]+\/edit$/);
  const preview = page.frameLocator('iframe');
  await preview.getByRole('heading', { name: 'Welcome Ada' }).waitFor();
  assert.equal((await read('our-welcome'))['published_version'], null);

  await button(page, 'Publish').click();
  await page.getByText('Version 1 is published.').waitFor();
  const html = page.getByRole('textbox', { name: 'HTML of the template' });
  await html.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('<p>Your plan: {{ plan }}</p>');
  assert.equal((await read('our-welcome'))['version'], 1);
  await page.keyboard.press('Control+s');
  await page.getByText('Version 1 sends. Version 2 is the newest.').waitFor();
  await page.getByText('It lacks 1 variable: plan').waitFor();

  await button(page, 'Publish').click();
  await page
    .getByText(/Entry 1 \(Ada\) does not render: variables\.plan is required/)
    .first()
    .waitFor();
  const { version, published_version: published } = await read('our-welcome');
  assert.deepEqual([version, published], [2, 1]);
  await page.getByRole('textbox', { name: 'Fallback of plan' }).fill('Free');
  await button(page, 'Publish').click();
  await page.getByText('Version 3 is published.').waitFor();
  await preview.getByText('Your plan: Free').waitFor();
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await readsWell(page, 'Fallback of plan');

  await page.getByRole('link', { name: 'Our welcome' }).click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('link', { name: 'Version 1' }).click();
  await page.getByRole('figure', { name: 'Changed lines of HTML' }).getByText('Your plan').waitFor();
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await readsWell(page, 'Version 1');
  await button(page, 'Roll back to it').click();
  await page.getByText('Version 4 is version 1 again, and is published.').waitFor();
  assert.doesNotMatch(String((await read('our-welcome'))['html']), /plan/);

  await button(page, 'Send a test').click();
  await button(page, 'Send the test').click();
  await page.getByText(/^This server captures mail and sends none\. The test for/).waitFor();
  await page.goto(`${dashboard.posthorn.url}/outbox`);
  await page.getByText('[Test] Welcome Ada').first().waitFor();
  // The browser notes the refused publication.
  assert.deepEqual([errors.filter((text) => !/status of 422/.test(text)), strangers], [[], []]);
  await close();
});

test('somebody else changes the template: both are shown, and the chosen text stands', async () => {
  const made = await dashboard.posthorn.fetch('/v1/templates', { body: { name: 'Note', alias: 'note', html: 'a' } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body as { id: string }; // as above
  const { page, close } = await dashboard.openSignedIn(`/templates/${id}/edit`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.fill('Mine');
  await dashboard.posthorn.fetch(`/v1/templates/${id}`, { method: 'PATCH', body: { subject: 'Theirs' } });
  await button(page, 'Save draft').click();
  const lines = page.getByRole('figure', { name: 'Changed lines of Subject' });
  await lines.getByText('Theirs').waitFor();
  await lines.getByText('Mine').waitFor();
  assert.equal((await read(id))['subject'], 'Theirs');
  await button(page, 'Keep yours').click();
  await page.getByText('Version 2 sends. Version 3 is the newest.').waitFor();
  assert.equal((await read(id))['subject'], 'Mine');
  await close();
});

test('a viewer sees a template and its source, and reads why nothing of it can be changed', async () => {
  const viewer = await aMember(dashboard, 'viewer');
  const made = await dashboard.posthorn.fetch('/v1/templates', { body: { name: 'Read me', html: '{{ name }}' } });
  const { id } = made.body as { id: string }; // as above
  const { page, close } = await dashboard.openSignedIn(`/templates/${id}`, {}, viewer);
  await page.getByText('It lacks 1 variable: name').waitFor();
  assert.deepEqual(await faultsOfRole(page, 'viewer', ['Delete', 'Duplicate', 'Send a test']), []);
  await page.getByRole('link', { name: 'Look at the source' }).click();
  const html = page.getByRole('textbox', { name: 'HTML of the template' });
  await html.click();
  await page.keyboard.type('more');
  assert.equal(await html.textContent(), '{{ name }}');
  assert.deepEqual(await faultsOfRole(page, 'viewer', ['Save draft', 'Publish', 'Send a test']), []);
  await close();
});
