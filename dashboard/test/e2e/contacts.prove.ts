/** Contacts come into a list by a file, are counted by a segment, explained and changed in bulk, in a browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeFaultsOfSchemes } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import type { Page } from '../harness/journey.ts';
import { aMember } from '../harness/people.ts';
import { faultsOfRole } from '../harness/roles.ts';
import { readsWell } from '../harness/screen-reader.ts';

const FILE = [
  'E-Mail,Vorname,plan,seats',
  'ada@example.com,Ada,pro,5',
  'grace@example.com,Grace,pro,12',
  'bob@example.com,Bob,free,1',
  'nobody,Nobody,free,1',
].join('\n');

let dashboard: RunningDashboard;
let vip = '';
before(async () => {
  dashboard = await startDashboard();
  vip = (await send('/v1/lists', { name: 'Very important' })).id;
});
after(() => dashboard?.stop());

/** An answer of our own API. */
interface Answer {
  id: string;
  contact_count: number;
  list_ids: string[];
}
const read = async (path: string) => (await dashboard.posthorn.fetch(path)).body as Answer;
async function send(path: string, body: unknown): Promise<Answer> {
  const answer = await dashboard.posthorn.fetch(path, { body });
  assert.ok(answer.status < 300, `${path}: ${answer.status}`);
  return answer.body as Answer;
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Chooses by keyboard alone, as in every select of the builder. */
async function choose(page: Page, name: string, typed: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).focus();
  await page.keyboard.type(typed);
  const option = page.getByRole('option', { name: typed, exact: true });
  await option.waitFor();
  // The list may still be what it was before the last letter, or grow by what has just been read.
  await page.getByRole('option').nth(1).waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await option.waitFor({ state: 'hidden' });
}

test('a file fills a list, a segment counts while it is built, explains, and is changed in bulk with an undo', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/lists?add=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Customers');
  await button(page, 'Create list').click();
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  await page.getByRole('link', { name: 'Import a file' }).first().click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  await button(page, 'Start the dry run').click();
  await button(page, 'Import 3 people').click();
  await page.getByRole('heading', { level: 1, name: 'Import into Customers' }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'The list', exact: true }).click();
  await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
  await page.getByText('3 contacts').first().waitFor();

  await page.getByRole('link', { name: 'Segments', exact: true }).click();
  await page.getByRole('link', { name: 'New segment' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Pros');
  await choose(page, 'Field of condition 1', 'plan');
  await page.getByRole('textbox', { name: 'Value of condition 1' }).fill('pro');
  const live = page.getByRole('region', { name: 'Live count' });
  await live.getByText('2 contacts').waitFor();
  await button(page, 'Add a group to the filter').press('Enter');
  await choose(page, 'Field of condition 2.1', 'seats');
  await live.getByText('Finish the conditions').waitFor();
  await page.getByRole('textbox', { name: 'Value of condition 2.1' }).fill('5');
  await live.getByText('1 contact', { exact: true }).waitFor();
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await readsWell(page, 'Field of condition 2.1');
  await button(page, 'Create segment').click();
  await page.getByRole('heading', { level: 1, name: 'Pros' }).waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'grace@example.com' }).count(), 0);

  await page.getByRole('tab', { name: 'Explain' }).click();
  await page.getByRole('textbox', { name: 'Address or id of a contact' }).fill('grace@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('This contact is not in the segment. All conditions must hold.').waitFor();
  const lines = await page.getByRole('list', { name: 'Conditions' }).getByRole('listitem').allTextContents();
  assert.deepEqual(lines, ['plan is proHolds', 'At least one of these holdsDoes not hold', 'seats is 5Does not hold']);
  assert.deepEqual(await axeFaultsOfSchemes(page), []);

  await button(page, 'Change all').click();
  await dialog.getByText(/^1 contact now/).waitFor();
  await choose(page, 'List', 'Very important');
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  await button(page, 'Change 1 contact').click();
  await page.getByRole('heading', { level: 1, name: 'Add to Very important' }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();
  const { id: ada, list_ids: on } = await read('/v1/contacts/ada@example.com');
  assert.ok(on.includes(vip));
  await button(page, 'Undo').click();
  await page.getByText('Undone', { exact: true }).waitFor();
  assert.equal((await read(`/v1/lists/${vip}`)).contact_count, 0);

  await page.goto(`${dashboard.posthorn.url}/contacts/${ada}?tab=edit`);
  await page.getByRole('textbox', { name: 'Value of seats' }).fill('6');
  await dashboard.posthorn.fetch(`/v1/contacts/${ada}`, { method: 'PATCH', body: { last_name: 'Lovelace' } });
  await button(page, 'Save').click();
  await page.getByRole('region', { name: 'Two versions' }).getByText('Lovelace', { exact: true }).waitFor();
  await button(page, 'Take theirs').click();
  await page.getByRole('region', { name: 'Two versions' }).waitFor({ state: 'hidden' });
  assert.equal(await page.getByRole('textbox', { name: 'Value of seats' }).inputValue(), '5');
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  // The browser notes the refused change.
  assert.deepEqual([errors.filter((text) => !/status of 409/.test(text)), strangers], [[], []]);
  await close();
});

test('a viewer reads contacts, lists and segments, and why nothing of them can be changed', async () => {
  const viewer = await aMember(dashboard, 'viewer');
  const { id: contact } = await send('/v1/contacts', { email: 'eve@example.com' });
  const filter = { match: 'all', conditions: [{ field: 'domain', op: 'equals', value: 'example.com' }] };
  const { id: segment } = await send('/v1/segments', { name: 'At Example', filter });
  const { page, close } = await dashboard.openSignedIn(`/contacts/${contact}`, {}, viewer);
  await button(page, 'Erase').waitFor();
  assert.deepEqual(await faultsOfRole(page, 'viewer', ['Unsubscribe', 'Delete', 'Erase', 'Add to a list']), []);
  await page.goto(`${dashboard.posthorn.url}/lists/${vip}?tab=settings`);
  await button(page, 'Delete list').waitFor();
  assert.deepEqual(await faultsOfRole(page, 'viewer', ['Change all', 'Import a file', 'Save', 'Delete list']), []);
  await page.goto(`${dashboard.posthorn.url}/segments/${segment}?tab=conditions`);
  await page
    .getByRole('region', { name: 'Live count' })
    .getByText(/^\d contacts?$/)
    .waitFor();
  assert.deepEqual(await faultsOfRole(page, 'viewer', ['Change all', 'Delete', 'Save']), []);
  await close();
});
