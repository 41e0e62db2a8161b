/**
 * The first ten minutes of a new person, by mouse, in a real browser against the real server: from the sign-in to a
 * newsletter issue that three people have, and to its results. The API says whether it is so.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../server/test/harness/until.ts';
import { axeFaults } from '../../harness/axe.ts';
import { type List, type RunningDashboard, startDashboardWithNpm } from '../../harness/dashboard.ts';
import { beginCourse, type Course, type Page, picturesOf, withoutPictures } from '../../harness/journey.ts';
import { readsWell } from '../../harness/screen-reader.ts';

let dashboard: RunningDashboard;
let course: Course;
const read = <T>(path: string): Promise<T> => dashboard.call<T>(path);
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const main = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

/** A browser of the harness as a person has it: the headless one says so, and tracking takes it for a machine. */
const PERSON = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };

let newsletter = '';
let issue = '';

const statsWhen = (what: string, isSo: (stats: Record<string, number>) => boolean): Promise<Record<string, number>> =>
  until(what, async () => {
    const now = await read<Record<string, number>>(`/v1/newsletters/${newsletter}/issues/${issue}/stats`);
    return isSo(now) ? now : undefined;
  });

/** Every kind of block that the toolbar and its menus insert. */
async function writeIssue(page: Page): Promise<void> {
  const text = page.getByRole('textbox', { name: 'Body of the issue', exact: true });
  const insert = async (block: string) => {
    await page.getByRole('button', { name: 'Insert a block' }).click();
    await page.getByRole('menuitem', { name: block }).click();
  };
  await text.click();
  await insert('Heading 1');
  await page.keyboard.type('The long night');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Hello ');
  await page.getByRole('button', { name: 'Insert a variable', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Name' }).first().click();
  await page.keyboard.type(', this is new:');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Bullet list' }).click();
  await page.keyboard.type('Aurora');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Polar night');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await insert('Button');
  await page.getByLabel('Text', { exact: true }).fill('See the pictures');
  await page.getByLabel('Address', { exact: true }).fill(`${dashboard.posthorn.url}/n/nordlicht-weekly`);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Enter');
  await insert('Divider');
  await insert('Two columns');
  await page.keyboard.type('Left');
}

describe('the first ten minutes by mouse', () => {
  before(async () => {
    course = beginCourse('mouse');
    dashboard = await startDashboardWithNpm();
    await course.record((await dashboard.openSignedIn('/')).context);
  });
  after(async () => {
    await course.end();
    await dashboard?.stop();
  });

  test('the first steps lead to an email in the Outbox, and the request that made it', async () => {
    const { page, errors, strangers, close } = await dashboard.openSignedIn('/');
    const step = picturesOf('first-email', page);
    await heading(page, 'Overview').waitFor();
    await page.getByText('Nothing was sent yet').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await step('overview');
    await readsWell(
      page,
      'heading "Overview" [level=1]',
      'region "First steps"',
      'button "Send a first email"',
      'region "Emails"',
    );

    await page.getByRole('button', { name: 'Send a first email' }).click();
    // Before anything else: it is shown for some seconds only.
    await page.getByRole('status').filter({ hasText: 'Your first email is on its way to the Outbox.' }).waitFor();
    await page.getByRole('link', { name: 'See it in the Outbox' }).click();
    await heading(page, 'Outbox').waitFor();
    await page.getByText('My first email').first().waitFor();
    await readsWell(
      page,
      'heading "Outbox" [level=1]',
      'searchbox "Search subject, from and to"',
      new RegExp(`link "${dashboard.owner.email} .*My first email"`),
    );
    await step('outbox');
    const captured = await read<List<{ subject: string; to: string[] }>>('/v1/captured-emails');
    assert.deepEqual(
      captured.data.map(({ subject, to }) => [subject, to]),
      [['My first email', [dashboard.owner.email]]],
    );

    await main(page, 'Requests');
    await page.getByRole('link', { name: 'POST /v1/send' }).click();
    await page.getByRole('heading', { level: 2, name: 'It made 1 email' }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole('link', { name: 'My first email' }).click();
    await heading(page, 'My first email').waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search and commands' }).fill('first email');
    await page.getByText(`Email to ${dashboard.owner.email}`).click();
    await page.waitForURL((url) => url.pathname.startsWith('/emails/'));
    assert.deepEqual([errors, strangers], [[], []]);
    await close();
  });

  test('a newsletter is made, and a file adds three subscribers after a dry run', async () => {
    const { page, errors, close } = await dashboard.openSignedIn('/');
    const step = picturesOf('subscribers', page);
    await page.getByRole('link', { name: 'Make a newsletter' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Nordlicht Weekly');
    await page.getByRole('textbox', { name: 'Sender' }).fill('news@posthorn.test');
    await step('new newsletter');
    await readsWell(page);
    await page.getByRole('button', { name: 'Create newsletter' }).click();
    await heading(page, 'Nordlicht Weekly').waitFor();
    [, , newsletter = ''] = new URL(page.url()).pathname.split('/');

    await page.getByRole('tab', { name: 'Subscribers' }).click();
    await page.getByRole('link', { name: 'Import a file' }).waitFor();
    await step('no subscribers');
    await readsWell(page, 'tab "Subscribers" [selected]', 'link "Import a file"');
    await page.getByRole('link', { name: 'Import a file' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles({
      name: 'readers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'E-Mail privat,Vorname\nada@example.com,Ada\nbob@example.com,\nbounce+cy@simulator.amazonses.com,Cy\nno address,Dora\n',
      ),
    });
    await page.getByRole('combobox', { name: 'Meaning of E-Mail privat' }).click();
    await page.getByRole('option', { name: 'Address' }).click();
    await page.getByRole('combobox', { name: 'Meaning of Vorname' }).click();
    await page.getByRole('option', { name: 'First name' }).click();
    await page.getByRole('radio', { name: /^Everybody has agreed/ }).click();
    await step('mapping');
    await readsWell(page);
    await page.getByRole('button', { name: 'Start the dry run' }).click();
    await page.getByRole('table', { name: 'Rows that failed' }).getByText('no address').waitFor();
    await step('dry run');
    await readsWell(
      page,
      'status: "The dry run is done: 4 rows, 3 would be added',
      'table "Rows that failed"',
      'row "no address',
      'button "Import 3 people"',
    );
    assert.deepEqual((await read<List<unknown>>(`/v1/newsletters/${newsletter}/subscribers`)).data, []);
    await page.getByRole('button', { name: 'Import 3 people' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/imports/'));
    await page.getByText('Completed').waitFor();
    await step('imported');
    await readsWell(
      page,
      'heading "Import into Nordlicht Weekly" [level=1]',
      'status: "The import is done: 4 rows, 3 added',
    );

    await main(page, 'Overview');
    await page.getByText('1 of 4 left').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Make a newsletter' }).count(), 0);
    const readers = await read<List<{ email: string; name: string | null; status: string }>>(
      `/v1/newsletters/${newsletter}/subscribers`,
    );
    assert.deepEqual(readers.data.map(({ email, name, status }) => `${email} ${name} ${status}`).sort(), [
      'ada@example.com Ada active',
      'bob@example.com null active',
      'bounce+cy@simulator.amazonses.com Cy active',
    ]);
    assert.deepEqual(errors, []);
    await close();
  });

  test('an issue is written, previewed as a subscriber, checked, and tested in the Outbox', async () => {
    const { page, errors, strangers, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}`);
    const step = picturesOf('issue', page);
    await page.getByRole('button', { name: 'New issue' }).first().click();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Night of lights');
    [, , , , issue = ''] = new URL(page.url()).pathname.split('/');
    await page.getByRole('textbox', { name: 'Preheader' }).fill('Three pictures and a date');
    await writeIssue(page);
    await page.getByText('Saved', { exact: true }).waitFor();
    await step('written');
    await readsWell(
      page,
      'heading "Night of lights" [level=1]',
      'textbox "Subject": Night of lights',
      'textbox "Preheader"',
      'toolbar "Formatting"',
      'textbox "Body of the issue"',
      'region "Before you send"',
      'list "Findings"',
    );
    assert.deepEqual(await axeFaults(page), []);
    const saved = await read<{ preheader: string; html_body: string }>(`/v1/newsletters/${newsletter}/issues/${issue}`);
    assert.equal(saved.preheader, 'Three pictures and a date');
    assert.match(saved.html_body, /<h1[^>]*>The long night<\/h1>[^]*<li[^>]*>Aurora[^]*See the pictures[^]*<hr/);
    assert.match(saved.html_body, /Hello \{\{ subscriber\.name \| default: "there" \}\}, this is new:/);
    assert.match(saved.html_body, /<td width="48%"[^]*Left/);

    await page.getByText('Preview', { exact: true }).click();
    const mail = page.frameLocator('iframe');
    await page.getByRole('combobox', { name: 'As this reader gets it' }).click();
    await page.getByRole('option', { name: 'bob@example.com' }).click();
    await mail.getByText('Hello there, this is new:').waitFor();
    await page.getByRole('combobox', { name: 'As this reader gets it' }).click();
    await page.getByRole('option', { name: 'ada@example.com' }).click();
    await mail.getByText('Hello Ada, this is new:').waitFor();
    await step('preview');
    await readsWell(page);
    await page.getByText('Write', { exact: true }).click();
    await page.getByText('3 readers would get it now.').waitFor();
    assert.equal(await page.getByText('Prevents sending').count(), 0);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send the test' }).click();
    await page.getByText(/^This server captures mail and sends none\. The test for/).waitFor();
    await main(page, 'Outbox');
    await page.getByRole('link', { name: /\[Test\] Night of lights/ }).click();
    await heading(page, '[Test] Night of lights').waitFor();
    await page.frameLocator('iframe').getByText('The long night').waitFor();
    await step('test in the Outbox');
    await readsWell(
      page,
      'article "Message"',
      'heading "[Test] Night of lights" [level=1]',
      'tablist "Parts of the message"',
    );
    assert.deepEqual([withoutPictures(errors), strangers], [[], []]);
    await close();
  });

  test('the issue is sent after the count was typed, and its page counts deliveries, an open, a click and a bounce', async () => {
    const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}`);
    const step = picturesOf('sent', page);
    await page.getByRole('link', { name: 'Night of lights' }).click();
    await page.getByRole('button', { name: 'Send now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send “Night of lights”?' });
    await dialog.getByRole('textbox').fill('2');
    assert.equal(await dialog.getByRole('button', { name: 'Send to 3 readers' }).isDisabled(), true);
    await dialog.getByRole('textbox').fill('3');
    await step('confirmation');
    await readsWell(
      page,
      'dialog "Send “Night of lights”?"',
      'textbox "Type 3, the number of readers, to confirm"',
      'button "Send to 3 readers"',
    );
    await dialog.getByRole('button', { name: 'Send to 3 readers' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(issue));
    const stat = (label: string) => page.getByText(label, { exact: true }).first().locator('xpath=..');
    await stat('Delivered').getByText('2', { exact: true }).waitFor();
    await stat('Bounced').getByText('1', { exact: true }).waitFor();
    await page.getByText('Sent', { exact: true }).first().waitFor();
    await step('sent');

    // A reader opens the mail and follows its link: the very addresses that are in the message.
    const [mail] = (await read<List<{ id: string }>>('/v1/captured-emails?to=ada@example.com')).data;
    const { html } = await read<{ html: string }>(`/v1/captured-emails/${mail?.id}`);
    const reader = await dashboard.browser.newContext(PERSON);
    const inbox = await reader.newPage();
    const pixel = inbox.waitForResponse((answer) => answer.url().includes('/t/') || answer.url().includes('/o/'));
    await inbox.setContent(html);
    assert.equal((await pixel).status(), 200);
    await inbox.getByRole('link', { name: 'See the pictures' }).click();
    await inbox.waitForURL((url) => url.pathname === '/n/nordlicht-weekly');
    await reader.close();
    await statsWhen('the open and the click', ({ opened, clicked }) => opened === 1 && clicked === 1);
    // The page, which has been open all the time, reads them by itself.
    await stat('Opened').getByText('1', { exact: true }).waitFor();
    await stat('Clicked').getByText('1', { exact: true }).waitFor();
    await step('results');
    await readsWell(
      page,
      'heading "Night of lights" [level=1]',
      'status: Sent',
      'region "Results"',
      'link "Delivered: 2"',
      'link "Opened: 1"',
    );
    assert.deepEqual(await axeFaults(page), []);

    // The third one bounces later, as the Outbox simulates it, and is suppressed.
    await main(page, 'Outbox');
    await page.getByRole('searchbox').fill('bob@example.com');
    await page.getByRole('link', { name: /bob@example\.com.*Night of lights/ }).click();
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.getByRole('menuitem', { name: 'Permanent bounce' }).click();
    await page.getByText('Bounced', { exact: true }).waitFor();
    const stats = await statsWhen('the bounce in the results', ({ bounced }) => bounced === 2);
    assert.deepEqual([stats['total'], stats['opened'], stats['clicked']], [3, 1, 1]);
    const { data } = await read<List<{ email: string }>>('/v1/suppressions?search=bob@');
    assert.deepEqual(
      data.map(({ email }) => email),
      ['bob@example.com'],
    );
    assert.deepEqual(withoutPictures(errors), []);
    await close();
  });

  test('all of it, with the start, took less than ten minutes', () => course.isShort());
});
