/** An issue in trouble: no connection, a tab that died, and HTML of strange bytes, against the real server. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import type { Page } from '../harness/journey.ts';

let dashboard: RunningDashboard;
let newsletter = '';
before(async () => {
  dashboard = await startDashboard();
  newsletter = await make('/v1/newsletters', { name: 'Letters', slug: 'letters', from_email: 'letters@posthorn.test' });
});
after(() => dashboard?.stop());

async function make(path: string, body: unknown): Promise<string> {
  const answer = await dashboard.posthorn.fetch(path, { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { id: string }).id; // an answer of our own API
}
const issuePath = (issue: string) => `/v1/newsletters/${newsletter}/issues/${issue}`;
const read = async (path: string) => (await dashboard.posthorn.fetch(path)).body as Record<string, unknown>;
const draft = (html: string) => make(`/v1/newsletters/${newsletter}/issues`, { subject: 'A letter', html_body: html });
const edit = (issue: string) => `/newsletters/${newsletter}/issues/${issue}/edit`;
const body = (page: Page) => page.getByRole('textbox', { name: 'Body of the issue', exact: true });
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

test('words that were typed without a connection are saved when it is back, and both are announced', async () => {
  const issue = await draft('');
  const { page, context, close } = await dashboard.openSignedIn(edit(issue));
  await body(page).click();
  await context.setOffline(true);
  await page.keyboard.type('Typed in a tunnel');
  const spoken = page.getByRole('status').filter({ hasText: 'Not saved: the server cannot be reached.' });
  await spoken.waitFor();
  assert.equal((await read(issuePath(issue)))['html_body'], '');
  await context.setOffline(false);
  await page.getByRole('status').filter({ hasText: 'Your text is saved again.' }).waitFor();
  assert.match(String((await read(issuePath(issue)))['html_body']), /Typed in a tunnel/);
  await close();
});

test('a draft whose tab died before it was saved is there when the issue is opened again, and is saved', async () => {
  const issue = await draft('');
  const { page, context } = await dashboard.openSignedIn(edit(issue));
  await body(page).click();
  await context.setOffline(true);
  await page.keyboard.type('Not lost');
  await page
    .getByText(/^Not saved/)
    .first()
    .waitFor();
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(`${dashboard.posthorn.url}${edit(issue)}`);
  await body(again).getByText('Not lost').waitFor();
  await saved(again);
  assert.match(String((await read(issuePath(issue)))['html_body']), /Not lost/);
  await again.close();
});

test('HTML keeps every byte when something else is saved, whatever its line endings and characters are', async () => {
  const sources = [
    '<table>\n\t<tr><td>a\u00a0b &nbsp; {% if x %}ü{% endif %}</td></tr>\n</table>\n',
    '<P CLASS=x>one<br/>\r\n  two &amp; <b>three\r\n</P>\r\n',
    '\ufeff<p>old\rMac</p>\n<p>mixed</p>\r\n\u2028😀<!-- end -->',
  ];
  const saveAnother = async (source: string) => {
    const issue = await draft(source);
    const { page, close } = await dashboard.openSignedIn(edit(issue));
    await page.locator('.cm-content').waitFor();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Another subject');
    await until('the subject', async () =>
      (await read(issuePath(issue)))['subject'] === 'Another subject' ? true : undefined,
    );
    await saved(page);
    assert.equal((await read(issuePath(issue)))['html_body'], source);
    await close();
  };
  await Promise.all(sources.map(saveAnother));
});

test('an issue is looked at as a chosen reader gets it, on a phone, dark, and without pictures until they are asked for', async () => {
  const reader = { email: 'ada@example.com', name: 'Ada', skip_confirmation: true, consent: { text: 'asked' } };
  await make(`/v1/newsletters/${newsletter}/subscribers`, reader);
  const issue = await draft('<p>Hello {{ subscriber.name }}</p><img src="https://pictures.example/one.png" alt="One">');
  const { page, errors, strangers, close } = await dashboard.openSignedIn(`${edit(issue)}?view=preview`);
  const frame = page.locator('iframe[title="The issue as mail"]');
  const mail = page.frameLocator('iframe');
  await page.getByRole('combobox', { name: 'As this reader gets it' }).fill('ada');
  await page.getByRole('option', { name: 'ada@example.com' }).click();
  await mail.getByText('Hello Ada').waitFor();
  const widthOf = async () => (await frame.boundingBox())?.width;
  assert.equal(await widthOf(), 600);
  await page.getByText('Phone', { exact: true }).click();
  await until('the width of a phone', async () => ((await widthOf()) === 320 ? true : undefined));

  const isTurned = () => mail.locator('html').evaluate((html) => getComputedStyle(html).filter.startsWith('invert(1)'));
  assert.equal(await isTurned(), false);
  await page.getByRole('switch', { name: 'Dark' }).check({ force: true });
  await until('the mail in the dark', async () => ((await isTurned()) ? true : undefined));

  const one = 'https://pictures.example/one.png';
  assert.equal(strangers.includes(one), false);
  assert.equal(await mail.getByRole('img', { name: 'One' }).count(), 1, 'its words stand in its place');
  errors.length = 0;
  await page.getByRole('switch', { name: 'Load pictures' }).check({ force: true });
  await until('a request for the picture', async () => (strangers.includes(one) ? true : undefined));
  const { searchParams } = new URL(page.url());
  assert.deepEqual(
    [searchParams.get('width'), searchParams.get('scheme'), searchParams.get('pictures')],
    ['320', 'dark', '1'],
  );
  await mail.getByText('Hello Ada').waitFor();
  await close();
});
