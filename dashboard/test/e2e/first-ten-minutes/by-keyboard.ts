/**
 * The same first ten minutes without a mouse. Nothing is clicked and nothing gets the focus by a script: there are
 * only keys. At each stop the focus can be seen, and it is never lost when a dialog closes or a page changes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../server/test/harness/until.ts';
import { type List, type RunningDashboard, startDashboardWithNpm } from '../../harness/dashboard.ts';
import { beginCourse, type Course, picturesOf, withoutPictures } from '../../harness/journey.ts';
import { Keyboard } from '../../harness/keyboard.ts';

let dashboard: RunningDashboard;
let course: Course;
let seen: Awaited<ReturnType<RunningDashboard['open']>>;
let keys: Keyboard;
let step: (name: string) => Promise<void>;
const read = <T>(path: string): Promise<T> => dashboard.call<T>(path);
let newsletter = '';
let issue = '';

/** Ctrl+K, words, Enter. */
async function command(words: string, arrivesAt: string | RegExp): Promise<void> {
  await keys.press('Control+k');
  await keys.isOn(/^(textbox|searchbox|combobox) "Search and commands"/);
  await keys.type(words);
  await seen.page.getByRole('button', { name: words }).or(seen.page.getByText(words)).first().waitFor();
  await keys.press('Enter');
  await keys.isOn(arrivesAt);
}

describe('the first ten minutes by keyboard alone', () => {
  before(async () => {
    course = beginCourse('keyboard');
    dashboard = await startDashboardWithNpm();
    seen = await dashboard.open('/');
    await course.record(seen.context);
    keys = new Keyboard(seen.page);
    step = picturesOf('keyboard', seen.page);
  });
  after(async () => {
    await course.end();
    await dashboard?.stop();
  });

  test('the sign-in has the focus in its first field, and leads to the title of the Overview', async () => {
    await keys.isOn('textbox "Email"');
    await keys.type(dashboard.owner.email);
    await keys.tabTo('textbox "Password"');
    await keys.type(dashboard.owner.password);
    await keys.press('Enter');
    await keys.isOn('heading "Overview"');
    await step('overview');
  });

  test('the first step sends an email, and its button leads on to the Outbox', async () => {
    await keys.tabTo('button "Send a first email"');
    await keys.press('Enter');
    await keys.isOn('link "See it in the Outbox"');
    await keys.press('Enter');
    await keys.isOn('heading "Outbox"');
    await seen.page.getByText('My first email').first().waitFor();
    await keys.press('j');
    await keys.isOn('heading "My first email"');
    await step('outbox');
    await keys.press('Escape');
    await keys.isOn('heading "Outbox"');
  });

  test('a newsletter is made from the palette', async () => {
    await command('Create a newsletter', 'heading "New newsletter"');
    await keys.tabTo('textbox "Name"');
    await keys.type('Keys Weekly');
    await keys.tabTo('textbox "Sender"');
    await keys.type('news@posthorn.test');
    await keys.press('Enter');
    await keys.isOn('heading "Keys Weekly"');
    [, , newsletter = ''] = new URL(seen.page.url()).pathname.split('/');
    await step('newsletter');
  });

  test('a file is chosen, mapped, tried and imported', async () => {
    const { page } = seen;
    await keys.tabTo(/^tab "Sign-up"/);
    await keys.press('ArrowLeft', 'ArrowLeft');
    await keys.isOn('tab "Subscribers"');
    await keys.tabTo('link "Import a file"');
    await keys.press('Enter');
    await keys.isOn('heading "Import subscribers"');
    // The browser is told in good time that the test chooses the file.
    const chooser = page.waitForEvent('filechooser');
    await keys.tabTo('button "Choose a file"');
    await keys.press('Enter');
    await (await chooser).setFiles({
      name: 'readers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'E-Mail privat,Vorname\nada@example.com,Ada\nbob@example.com,Bob\ncy@example.com,Cy\nno address,D\n',
      ),
    });
    await page.getByRole('combobox', { name: 'Meaning of E-Mail privat' }).waitFor();
    await keys.isOn('button "Another file"');
    await keys.tabTo('combobox "Meaning of E-Mail privat"');
    await keys.choose('Address');
    await keys.tabTo('combobox "Meaning of Vorname"');
    await keys.choose('First name');
    await keys.tabTo(/^radio "Everybody has agreed/);
    await keys.press('Space');
    await keys.tabTo('button "Start the dry run"');
    await step('mapping');
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Import 3 people' }).waitFor();
    await keys.isOn(/./);
    await step('dry run');
    await keys.tabTo('button "Import 3 people"');
    await keys.press('Enter');
    await keys.isOn('heading "Import into Keys Weekly"');
    await page.getByText('Completed').waitFor();
    const readers = await read<List<{ email: string; status: string }>>(`/v1/newsletters/${newsletter}/subscribers`);
    assert.deepEqual(readers.data.map(({ email, status }) => `${email} ${status}`).sort(), [
      'ada@example.com active',
      'bob@example.com active',
      'cy@example.com active',
    ]);
  });

  test('an issue is written with blocks, a variable, a list, a button and columns', async () => {
    const { page } = seen;
    await command('Newsletters', 'heading "Newsletters"');
    await page.getByRole('link', { name: 'Keys Weekly' }).waitFor();
    await keys.press('j');
    await keys.isOn('link "Keys Weekly"');
    await keys.press('Enter');
    await keys.isOn('heading "Keys Weekly"');
    await keys.tabTo('button "New issue"');
    await keys.press('Enter');
    await keys.isOn('heading "Untitled issue"');
    [, , , , issue = ''] = new URL(page.url()).pathname.split('/');
    await keys.tabTo('textbox "Subject"');
    await keys.replace('By keys alone');
    await keys.tabTo('textbox "Preheader"');
    await keys.type('Not one click');
    await keys.tabTo('textbox "Body of the issue"');
    for (const [typed, ...pressed] of [
      ['/heading 1', 'Enter'],
      ['No mouse', 'Enter'],
      ['Hello {{name', 'Enter'],
      [', look:', 'Enter'],
      ['- one', 'Enter'],
      ['two', 'Enter', 'Enter'],
      ['/button', 'Enter'],
    ] as const) {
      await keys.type(typed);
      await keys.press(...pressed);
    }
    await keys.isOn('textbox "Address"');
    await keys.type(`${dashboard.posthorn.url}/n/keys-weekly`);
    await keys.press('Escape');
    await keys.isOn('textbox "Body of the issue"');
    await keys.press('Enter');
    await keys.type('/divider');
    await keys.press('Enter');
    await keys.type('/two col');
    await keys.press('Enter');
    await keys.type('Left');
    await page.getByText('Saved', { exact: true }).waitFor();
    await step('written');
    const { html_body: html } = await read<{ html_body: string }>(`/v1/newsletters/${newsletter}/issues/${issue}`);
    assert.match(html, /<h1[^>]*>No mouse<\/h1>[^]*<li[^>]*>one[^]*<a href="[^"]*keys-weekly"[^]*<hr[^]*<td[^]*Left/);
    assert.match(html, /Hello \{\{ subscriber\.name \| default: "there" \}\}, look:/);
    // Tab leaves the editor: it is no trap.
    await keys.tabTo(/^(?!textbox "Body)/);
  });

  test('the issue is previewed as a subscriber, tested, and sent by typing the count', async () => {
    const { page } = seen;
    await keys.tabTo(/^radio "Write"/, { back: true });
    await keys.press('ArrowRight');
    await keys.isOn('radio "Preview"');
    await keys.tabTo('combobox "As this reader gets it"');
    await keys.type('bob');
    await page.getByRole('option', { name: 'bob@example.com' }).waitFor();
    // The reader who is invented stands first.
    await page.getByRole('option', { name: 'ada@example.com' }).waitFor({ state: 'detached' });
    const bob = page.locator('[role=option][data-combobox-selected]', { hasText: 'bob@example.com' });
    for (let options = 0; options < 3 && (await bob.count()) === 0; options += 1) await keys.press('ArrowDown');
    await keys.press('Enter');
    await page.frameLocator('iframe').getByText('Hello Bob, look:').waitFor();
    await step('preview');
    await keys.tabTo(/^radio "Preview"/, { back: true });
    await keys.press('ArrowLeft');
    await keys.isOn('radio "Write"');

    await keys.tabTo('button "Send a test"', { back: true });
    await keys.press('Enter');
    await keys.isOn('textbox "Address"');
    await keys.press('Enter');
    await page.getByText(/^This server captures mail and sends none\. The test for/).waitFor();
    await keys.isOn('button "Send a test"');

    await keys.tabTo('button "Send now"');
    await keys.press('Enter');
    await keys.isOn(/^textbox "Type 3, the number of readers/);
    await keys.press('Escape');
    await keys.isOn('button "Send now"');
    await keys.press('Enter');
    await keys.isOn(/^textbox "Type 3, the number of readers/);
    await keys.type('3');
    await step('confirmation');
    await keys.press('Enter');
    await keys.isOn('heading "By keys alone"');
    await page.getByText('Sent', { exact: true }).first().waitFor();
  });

  test('a simulated open, click and bounce in the Outbox are counted on the page of the issue', async () => {
    const { page } = seen;
    for (const [address, outcome] of [
      ['ada@example.com', 'Click'],
      ['bob@example.com', 'Permanent bounce'],
    ] as const) {
      await command('Outbox', 'heading "Outbox"');
      await keys.press('/');
      await keys.isOn('searchbox "Search subject, from and to"');
      await keys.replace(address);
      // The whole list may come first.
      const links = page.getByRole('link', { name: /By keys alone/ });
      await until(`only the copy of ${address} is shown`, async () => {
        const names = await links.allInnerTexts();
        return names.length === 1 && names[0]?.includes(address) ? true : undefined;
      });
      await keys.tabTo(/^link ".*By keys alone/);
      await keys.press('Enter');
      await keys.isOn('heading "By keys alone"');
      await keys.tabTo('button "Simulate"');
      await keys.press('Enter');
      await page.getByRole('menuitem', { name: outcome }).waitFor();
      for (let at = 0; at < 8 && !(await keys.focus()).said.includes(outcome); at += 1) await keys.press('ArrowDown');
      await keys.press('Enter');
      // The button keeps the focus while the outcome is awaited.
      await keys.isOn('button "Simulate"');
    }
    await until('the click and the bounce', async () => {
      const now = await read<Record<string, number>>(`/v1/newsletters/${newsletter}/issues/${issue}/stats`);
      return now['bounced'] === 1 && now['clicked'] === 1 ? now : undefined;
    });
    await command('Newsletters', 'heading "Newsletters"');
    await page.getByRole('link', { name: 'Keys Weekly' }).waitFor();
    await keys.press('j', 'Enter');
    await keys.isOn('heading "Keys Weekly"');
    await page.getByRole('link', { name: 'By keys alone' }).waitFor();
    await keys.tabTo('link "By keys alone"');
    await keys.press('Enter');
    await keys.isOn('heading "By keys alone"');
    await page.getByRole('link', { name: 'Clicked: 1' }).waitFor();
    // The picture first: what is read again meanwhile would take the focus along.
    await step('results');
    await keys.tabTo('link "Clicked: 1"');
    await keys.press('Enter');
    await keys.isOn(/./);
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'bob@example.com' }).count(), 0);
    const errors = withoutPictures(seen.errors).filter((text) => !/status of 401/.test(text));
    assert.deepEqual([errors, seen.strangers], [[], []]);
  });

  test('all of it, with the start, took less than ten minutes', () => course.isShort());
});
