/** A newsletter, its people, its import and its settings, in a real browser against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaults } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';

let dashboard: RunningDashboard;
let id: string;
before(async () => {
  dashboard = await startDashboard();
});
after(() => dashboard?.stop());

const read = async <T>(path: string): Promise<T> => (await dashboard.posthorn.fetch(path)).body as T; // our own API
const countsOf = async () =>
  (await read<{ subscriber_counts: Record<string, number> }>(`/v1/newsletters/${id}`)).subscriber_counts;

const FILE = `E-Mail privat;Name;Plan
ada@example.com;Ada;pro
bob@example.com;Bob;free
<script>alert(1)</script>;Eve;free
`;

test('a newsletter is made with a name and a sender, and shows its form', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/newsletters');
  await page.getByRole('link', { name: 'New newsletter' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme Wöchentlich');
  await page.getByRole('textbox', { name: 'Sender' }).fill('news@posthorn.test');
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('button', { name: 'Create newsletter' }).click();
  await page.getByRole('heading', { level: 1, name: 'Acme Wöchentlich' }).waitFor();
  id = new URL(page.url()).pathname.split('/')[2] ?? '';
  const made = await read<{ slug: string; double_opt_in: boolean; from_email: string }>(`/v1/newsletters/${id}`);
  assert.deepEqual([made.slug, made.double_opt_in, made.from_email], ['acme-wochentlich', true, 'news@posthorn.test']);

  const form = page.frameLocator('iframe[title^="Sign-up form"]');
  await form.getByRole('button', { name: 'Subscribe' }).waitFor();
  assert.match(await page.locator('pre').innerText(), /\/n\/acme-wochentlich\/embed"/);
  assert.deepEqual(await axeFaults(page), []);
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

test('a file is mapped, tried, imported and undone, and its wrong row is shown as text', async () => {
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${id}?tab=subscribers`);
  await page.getByRole('link', { name: 'Import a file' }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  const meaningOf = (column: string) => page.getByRole('combobox', { name: `Meaning of ${column}` }).inputValue();
  await page.getByText('No column is read as the address.').waitFor();
  assert.equal(await meaningOf('E-Mail privat'), 'Metadata, under its name');
  await page.getByRole('combobox', { name: 'Meaning of E-Mail privat' }).click();
  await page.getByRole('option', { name: 'Address' }).click();
  await page.getByText('No column is read as the address.').waitFor({ state: 'detached' });
  assert.deepEqual(await Promise.all(['Name', 'Plan'].map(meaningOf)), ['Name', 'Metadata, under its name']);
  await page.getByRole('radio', { name: 'Everybody has agreed already' }).check();
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('button', { name: 'Start the dry run' }).click();
  await page.getByText('<script>alert(1)</script>').waitFor();
  assert.equal((await countsOf())['total'], 0);

  await page.getByRole('button', { name: 'Import 2 people' }).click();
  await page.getByRole('heading', { level: 1, name: 'Import into Acme Wöchentlich' }).waitFor();
  await page.getByText('Completed').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  assert.equal((await countsOf())['active'], 2);
  const [ada] = (
    await read<{ data: { id: string; metadata: unknown }[] }>(`/v1/newsletters/${id}/subscribers?search=ada@`)
  ).data;
  assert.deepEqual(ada?.metadata, { plan: 'pro' });

  const imported = new URL(page.url()).pathname;
  await page.goto(`${dashboard.posthorn.url}/newsletters/${id}/subscribers/${ada?.id}`);
  await page.getByText(`Import: ${dashboard.owner.email} declared that they had agreed, on `).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('link', { name: 'The import' }).click();
  await page.getByText('Completed').waitFor();
  assert.equal(new URL(page.url()).pathname, imported);

  const send = (path: string, body?: object, method = 'POST') =>
    dashboard.posthorn.fetch(`/v1/newsletters/${id}${path}`, { method, ...(body === undefined ? {} : { body }) });
  const issue = (await send('/issues', { subject: 'First', html_body: '<p>Hello</p>' })).body as { id: string };
  assert.equal((await send(`/issues/${issue.id}/send`)).status, 202);
  await until('the issue', async () =>
    (await read<{ status: string }>(`/v1/newsletters/${id}/issues/${issue.id}`)).status === 'sent' ? true : undefined,
  );
  const [bob] = (await read<{ data: { id: string }[] }>(`/v1/newsletters/${id}/subscribers?search=bob@`)).data;
  assert.equal((await send(`/subscribers/${bob?.id}`, { name: 'Robert' }, 'PATCH')).status, 200);

  await page.getByRole('button', { name: 'Undo' }).click();
  const undo = page.getByRole('dialog', { name: 'Undo this import?' });
  await undo.getByText('1 person will be removed from the newsletter, for good.').waitFor();
  await undo.getByText('1 person whom it added stays: 1 was changed since.').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  assert.equal((await countsOf())['total'], 2);
  await undo.getByRole('button', { name: 'Remove 1 person' }).click();
  await page.getByText(/1 person was removed\. 1 person whom it added stays: 1 was changed since\./).waitFor();
  assert.equal((await countsOf())['total'], 1);
  assert.equal((await send(`/subscribers/${bob?.id}`, undefined, 'DELETE')).status, 200);
  assert.deepEqual(errors, []);
  await close();
});

test('people are added, found, unsubscribed by typing their number, and erased by typing their address', async () => {
  for (const email of ['ada@example.com', 'bob@example.com', 'carl@example.com']) {
    await dashboard.posthorn.fetch(`/v1/newsletters/${id}/subscribers`, {
      body: { email, skip_confirmation: true, consent: { text: 'Asked at our stand' } },
    });
  }
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${id}?tab=subscribers`);
  await page.getByRole('button', { name: 'Add subscriber' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('dora@example.com');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('link', { name: 'dora@example.com' }).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  assert.equal((await countsOf())['pending'], 1);

  await page.getByRole('checkbox', { name: 'Select ada@example.com' }).click();
  await page.getByRole('checkbox', { name: 'Select bob@example.com' }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Unsubscribe' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('2');
  await dialog.getByRole('button', { name: 'Unsubscribe' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await countsOf())['unsubscribed'], 2);

  await page.getByRole('searchbox', { name: 'Search addresses and names' }).fill('carl@');
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'carl@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: 'carl@example.com' }).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('Was added').waitFor();
  await page.getByRole('button', { name: 'Erase' }).click();
  await dialog.getByRole('textbox').fill('carl@example.com');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await page.getByText('The subscriber is erased.').waitFor();
  assert.equal((await countsOf())['total'], 3);
  assert.deepEqual(errors, []);
  await close();
});

test('settings are seen on the page, the form and the mail before they are saved, are saved field by field, and a newsletter is deleted by its name', async () => {
  const { page, close } = await dashboard.openSignedIn(`/newsletters/${id}?tab=settings`);
  const colour = page.getByRole('textbox', { name: 'Accent colour' });
  await colour.fill('#0f766e');
  await page.getByRole('switch', { name: 'Ask for the name' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Seen before it is saved');
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await preview.getByText('This is how readers see it once you save.').waitFor();
  const shown = (kind: string) => page.frameLocator(`iframe[title="${kind}"]`);
  await shown('Page').getByText('Seen before it is saved').waitFor();
  for (const kind of ['Form', 'Mail']) {
    await until(`the colour in ${kind}`, async () =>
      (await shown(kind).locator('html').innerHTML()).includes('#0f766e') ? true : undefined,
    );
  }
  const inSight = (locator: ReturnType<typeof page.locator>) =>
    locator.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    });
  const save = page.getByRole('button', { name: 'Save' });
  await page.getByText('Unsaved changes', { exact: true }).waitFor();
  assert.ok(await inSight(save), 'the buttons stay in sight');
  await page.evaluate('scrollTo(0, 400)');
  for (const kind of ['Page', 'Form', 'Mail'])
    assert.ok(await inSight(preview.getByRole('group', { name: kind })), `${kind} is in sight`);
  assert.deepEqual(await axeFaults(page), []);
  await page.setViewportSize({ width: 1200, height: 800 });
  await preview.getByText('Mail', { exact: true }).click();
  await preview.locator('iframe[title="Mail"]').waitFor();
  assert.equal(await preview.locator('iframe').count(), 1);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' });
  assert.notEqual(await colour.inputValue(), '#0f766e');
  await colour.fill('#0f766e');
  await page.getByRole('switch', { name: 'Ask for the name' }).click();
  const before = await read<{ description: string | null; accent_color: string }>(`/v1/newsletters/${id}`);
  assert.notEqual(before.accent_color, '#0f766e');
  assert.equal(before.description, null);
  await save.click();
  await page.getByText('The settings are saved.').waitFor();
  const saved = await read<{ accent_color: string; ask_name: boolean }>(`/v1/newsletters/${id}`);
  assert.deepEqual([saved.accent_color, saved.ask_name], ['#0f766e', false]);
  assert.deepEqual(await axeFaults(page), []);

  await page.getByRole('button', { name: 'Delete newsletter' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Acme Wöchentlich');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { level: 1, name: 'Newsletters' }).waitFor();
  assert.equal((await dashboard.posthorn.fetch(`/v1/newsletters/${id}`)).status, 404);
  await close();
});
