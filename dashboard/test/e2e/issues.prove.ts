/**
 * An issue is written, also in trouble (no connection, a tab that died, HTML of strange bytes), checked, looked at,
 * sent and read in a real browser, against the real server.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { holdLaterFiles } from '../harness/held-files.ts';
import type { Page } from '../harness/journey.ts';
import { aMember } from '../harness/people.ts';
import { byHand } from '../harness/roles.ts';

let dashboard: RunningDashboard;
let newsletter = '';
before(async () => {
  dashboard = await startDashboard();
  newsletter = await make('/v1/newsletters', { name: 'Letters', slug: 'letters', from_email: 'letters@posthorn.test' });
  const consent = { text: 'asked', ip: '203.0.113.7', at: '2026-01-01T00:00:00Z' };
  for (const name of ['ada', 'grace']) {
    await make(`/v1/newsletters/${newsletter}/subscribers`, {
      email: `${name}@simulator.posthorn.test`,
      skip_confirmation: true,
      consent,
    });
  }
});
after(() => dashboard?.stop());

async function make(path: string, body: unknown): Promise<string> {
  const answer = await dashboard.posthorn.fetch(path, { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { id: string }).id; // an answer of our own API
}

const NOT_FOR_EDITORS = /^Your role \(editor\) may not send/;
const draft = (html = '<p>Hello</p>', subject = 'News') =>
  make(`/v1/newsletters/${newsletter}/issues`, { subject, html_body: html });
const read = async (issue: string) =>
  (await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}`)).body as Record<string, unknown>;
const edit = (issue: string) => `/newsletters/${newsletter}/issues/${issue}/edit`;
const body = (page: Page) => page.getByRole('textbox', { name: 'Body of the issue', exact: true });
/** Why a button is disabled. */
const reasonOf = (page: Page, name: string) =>
  page
    .getByRole('button', { name })
    .and(page.locator('[aria-disabled=true]'))
    .evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent);
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

test('an issue is written, saved by itself, looked at, and sent after the exact count was typed', async () => {
  const issue = await draft('<p>Hello</p>', 'Untitled issue');
  const { page, errors, strangers, close } = await dashboard.openSignedIn(
    `/newsletters/${newsletter}/issues/${issue}/edit`,
  );
  assert.equal(await reasonOf(page, 'Send now'), 'Write a subject first.');
  await page.getByRole('textbox', { name: 'Subject' }).fill('News of November');
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await read(issue))['subject'], 'News of November');
  assert.equal((await read(issue))['html_body'], '<p>Hello</p>');

  await page.getByText('Preview', { exact: true }).click();
  await page.frameLocator('iframe').getByText('Hello').waitFor();
  await page.getByText('Write', { exact: true }).click();

  await page.getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('2');
  await dialog.getByRole('button', { name: 'Send to 2 readers' }).click();
  await page.waitForURL((url) => url.pathname === `/newsletters/${newsletter}/issues/${issue}`);
  await page.getByText('Sent', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Recipients' }).click();
  await page.getByRole('link', { name: 'ada@simulator.posthorn.test' }).waitFor();
  assert.equal((await read(issue))['status'], 'sent');
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

const LONG =
  'The long night is the shortest word for what happened here, and goes on for more than a line of a phone. ';
const words = (text: string, ...marks: string[]) => ({ type: 'text', text, marks: marks.map((type) => ({ type })) });
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', attrs: { align: 'left' }, content });
const cell = (type: string, text: string) => ({ type, content: [paragraph(words(text))] });
/** One of each block. */
const EACH_BLOCK = [
  { type: 'heading', attrs: { level: 1, align: 'center' }, content: [words('The long night')] },
  paragraph(
    words('Hello '),
    { type: 'variable', attrs: { path: 'subscriber.name', fallback: '' } },
    words(LONG, 'bold'),
  ),
  { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(words(LONG, 'italic'))] }] },
  { type: 'orderedList', attrs: { start: 3 }, content: [{ type: 'listItem', content: [paragraph(words('Three'))] }] },
  { type: 'blockquote', content: [paragraph(words(`${LONG}${LONG}`))] },
  paragraph(),
  { type: 'codeBlock', content: [words('one\n  two')] },
  { type: 'horizontalRule' },
  { type: 'picture', attrs: { src: 'https://elsewhere.example/a.png', alt: 'A ship', width: 300, ratio: 0.5 } },
  { type: 'button', attrs: { text: 'Read on', href: 'https://posthorn.test/', align: 'center' } },
  { type: 'columns', content: [LONG, 'Short'].map((text) => ({ type: 'column', content: [paragraph(words(text))] })) },
  {
    type: 'table',
    content: ['tableHeader', 'tableCell'].map((type) => ({
      type: 'tableRow',
      content: [cell(type, 'A'), cell(type, LONG)],
    })),
  },
  { type: 'rawHtml', attrs: { html: '<marquee>now</marquee>' } },
  paragraph(words('The end.')),
];

test('a text can be read before its editor is loaded, and each block stays in its place when the editor comes', async () => {
  const issue = await inBlocks();
  for (const width of [390, 1280]) {
    const { page, close } = await dashboard.openSignedIn('/keys', { viewport: { width, height: 900 } });
    const gate = Promise.withResolvers<void>();
    await holdLaterFiles(page, `${dashboard.posthorn.url}${edit(issue)}`, () => gate.promise);
    await page.goto(`${dashboard.posthorn.url}${edit(issue)}`);
    const before = page.getByRole('group', { name: 'Body of the issue, being loaded' });
    await before.getByText('The end.').waitFor();
    const placesOf = (last: ReturnType<Page['locator']>): Promise<string[]> =>
      last.evaluate((one) =>
        [...(one.parentElement?.children ?? [])].map((block) => {
          const { x, y, width: wide, height } = block.getBoundingClientRect();
          return [block.tagName, ...[x, y, wide, height].map(Math.round)].join(' ');
        }),
      );
    await fontsAreThere(page);
    const places = await placesOf(before.getByText('The end.'));
    assert.equal(places.length, EACH_BLOCK.length);
    gate.resolve();
    await body(page).waitFor();
    assert.equal(await before.count(), 0);
    assert.deepEqual((await placesOf(body(page).getByText('The end.'))).slice(0, places.length), places);
    await close();
  }
});

test('HTML can be read before its editor is loaded, and nothing below it moves when that comes', async () => {
  const issue = await draft(Array.from({ length: 6 }, (_, n) => `<p>${n} ${LONG}</p>`).join('\n'));
  const { page, close } = await dashboard.openSignedIn('/keys', { viewport: { width: 390, height: 900 } });
  const gate = Promise.withResolvers<void>();
  await holdLaterFiles(page, `${dashboard.posthorn.url}${edit(issue)}`, () => gate.promise);
  await page.goto(`${dashboard.posthorn.url}${edit(issue)}`);
  const text = page.getByRole('group', { name: 'Body of the issue as HTML, being loaded' });
  await text.getByText('<p>5 The long night').waitFor();
  await fontsAreThere(page);
  const below = page.getByRole('heading', { name: 'Before you send' });
  const before = await below.boundingBox();
  gate.resolve();
  await page.getByRole('textbox', { name: 'Body of the issue as HTML' }).waitFor();
  assert.deepEqual(await below.boundingBox(), before);
  await close();
});

/** Another font moves the words. */
const fontsAreThere = (page: Page) => page.evaluate(() => document.fonts.ready.then(() => true));

/** Opens an issue whose editor is held back, and presses its text behind “The”. */
async function pressEarly(issue: string) {
  const { page, close } = await dashboard.openSignedIn('/keys', {});
  const gate = Promise.withResolvers<void>();
  await holdLaterFiles(page, `${dashboard.posthorn.url}${edit(issue)}`, () => gate.promise);
  await page.goto(`${dashboard.posthorn.url}${edit(issue)}`);
  const text = page.getByRole('group', { name: /being loaded$/ }).getByText('The end.');
  await fontsAreThere(page);
  const position = await text.evaluate((one) => {
    const range = document.createRange();
    const behind = String(one.textContent).indexOf(' end.');
    range.setStart(one.firstChild ?? one, behind);
    range.setEnd(one.firstChild ?? one, behind + 1);
    const [place, around] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
    return { x: place.left - around.left + 1, y: place.top - around.top + place.height / 2 };
  });
  await text.click({ position });
  return { page, close, letEditorCome: () => gate.resolve() };
}
const inBlocks = () =>
  make(`/v1/newsletters/${newsletter}/issues`, {
    subject: 'Blocks',
    html_body: '<p>Blocks</p>',
    editor: { kind: 'blocks', version: 2, document: { type: 'doc', content: EACH_BLOCK } },
  });
const anyBody = (page: Page) => page.getByRole('textbox', { name: /^Body of the issue/ });

test('a text that is pressed before its editor is loaded is written in at that place', async () => {
  for (const issue of [await inBlocks(), await draft('<p>One</p>\n<p>The end.</p>')]) {
    const { page, close, letEditorCome } = await pressEarly(issue);
    letEditorCome();
    await anyBody(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('X');
    await until('the X behind its word', async () =>
      /<p[^>]*>TheX end\.<\/p>/.test(String((await read(issue))['html_body'])) ? true : undefined,
    );
    await close();
  }
});

test('somebody who presses a text and goes on to another field stays there when the editor comes', async () => {
  for (const issue of [await inBlocks(), await draft('<p>The end.</p>')]) {
    const { html_body: before } = await read(issue);
    const { page, close, letEditorCome } = await pressEarly(issue);
    await page.getByRole('textbox', { name: 'Subject' }).click();
    letEditorCome();
    await anyBody(page).waitFor();
    await page.keyboard.type('X');
    await until('the X in the subject', async () =>
      String((await read(issue))['subject']).includes('X') ? true : undefined,
    );
    assert.equal((await read(issue))['html_body'], before);
    await close();
  }
});

test('an issue is scheduled in a zone, with a word about the hours that its clocks skip and repeat', async () => {
  const issue = await draft();
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${issue}/edit`);
  await page.getByRole('button', { name: 'Schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'When should it be sent?' });
  const zone = dialog.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('Berlin');
  await page.getByRole('option', { name: 'Europe/Berlin' }).click();
  const time = dialog.getByLabel('Day and time');
  await time.fill('2027-03-28T02:30');
  await dialog.getByText('The clocks in Europe/Berlin skip this time when summer time begins.').waitFor();
  await time.fill('2027-10-31T02:30');
  await dialog.getByText(/show this time twice.*The issue is sent the first time: .*2027/).waitFor();
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await dialog.getByRole('alert').filter({ hasText: '30 days' }).waitFor();
  assert.equal((await read(issue))['status'], 'draft');

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await time.fill(`${tomorrow}T09:00`);
  await dialog.getByText(/^For you this is /).waitFor();
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.waitForURL((url) => url.pathname === `/newsletters/${newsletter}/issues/${issue}`);
  await page.getByText('Scheduled', { exact: true }).first().waitFor();
  await page.getByText(/\(.*09:00.* in Europe\/Berlin\)/).waitFor();
  const { status, scheduled_for: at, timezone } = await read(issue);
  assert.deepEqual([status, timezone], ['scheduled', 'Europe/Berlin']);
  const inBerlin = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Berlin',
    timeStyle: 'short',
    dateStyle: 'short',
  });
  assert.equal(inBerlin.format(new Date(String(at))), `${tomorrow} 09:00`);

  await page.getByRole('button', { name: 'Cancel the issue' }).click();
  const cancel = page.getByRole('dialog', { name: 'Cancel this issue?' });
  await cancel.getByText('It will not be sent to 2 readers. A duplicate of it can be sent later.').waitFor();
  await cancel.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('button', { name: 'Back to draft' }).click();
  await page.getByText('The issue is a draft again. It is sent when you say so.').waitFor();
  const back = await read(issue);
  assert.deepEqual([back['status'], back['scheduled_for'], back['html_body']], ['draft', null, '<p>Hello</p>']);
  await page.getByRole('button', { name: 'Back to draft' }).waitFor({ state: 'detached' });
  // The browser notes the refused date.
  assert.deepEqual(
    errors.filter((text) => !/status of 4/.test(text)),
    [],
  );
  await close();
});

test('the buttons stay as they are while the text is being saved, and a test has the last words', async () => {
  const issue = await draft();
  const { page, close } = await dashboard.openSignedIn(edit(issue));
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.waitFor();
  const test = page.getByRole('button', { name: 'Send a test' });
  await page.getByRole('button', { name: 'Send now' }).and(page.locator(':not([aria-disabled=true])')).waitFor();
  await subject.fill('The last words');
  await page.getByText('Not saved yet').waitFor();
  for (const name of ['Send a test', 'Schedule', 'Send now'])
    assert.equal(await page.getByRole('button', { name }).getAttribute('aria-disabled'), null, name);
  await test.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^This server captures mail and sends none/).waitFor();
  const { body: sent } = await dashboard.posthorn.fetch('/v1/emails?subject=last words');
  assert.equal((sent as { data: { subject: string }[] }).data[0]?.subject, '[Test] The last words');
  await close();
});

test('a text that is missing is no fault while it is being written, and none once it is saved', async () => {
  const issue = await make(`/v1/newsletters/${newsletter}/issues`, { subject: 'News', html_body: '' });
  const { page, errors, close } = await dashboard.openSignedIn(edit(issue));
  const fault = page.getByRole('list', { name: 'Findings' }).getByText('The issue has no body. Write one first.');
  await fault.waitFor();
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(`**/issues/${issue}`, async (route) => {
    if (route.request().method() === 'PATCH') await held;
    await route.continue();
  });
  await body(page).click();
  await page.keyboard.type('Dear readers');
  await page.locator('p', { hasText: 'The text is checked again once it is saved.' }).waitFor();
  assert.equal(await fault.count(), 0);
  assert.equal(await reasonOf(page, 'Send now'), 'The text is checked again once it is saved.');
  letGo();
  await saved(page);
  await page.getByRole('button', { name: 'Send now' }).and(page.locator(':not([aria-disabled=true])')).waitFor();
  assert.equal(await fault.count(), 0);
  assert.deepEqual(errors, []);
  await close();
});

test('an issue that somebody else has changed meanwhile is not sent', async () => {
  const issue = await draft();
  const { page, close } = await dashboard.openSignedIn(edit(issue));
  await page.getByRole('button', { name: 'Send now' }).and(page.locator(':not([aria-disabled=true])')).waitFor();
  await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}`, {
    method: 'PATCH',
    body: { html_body: '<p>Theirs</p>' },
  });
  await page.getByRole('button', { name: 'Send now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('2');
  await dialog.getByRole('button', { name: 'Send to 2 readers' }).click();
  await page.getByText(/The record has been changed since you read it/).waitFor();
  assert.equal((await read(issue))['status'], 'draft');
  await close();
});

test('two people write: the second sees both versions, and the chosen one stands', async () => {
  const issue = await draft();
  const { page, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${issue}/edit`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.waitFor();
  await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}`, {
    method: 'PATCH',
    body: { subject: 'Theirs', preheader: 'Before the text' },
  });
  await subject.fill('Mine');
  const keep = page.getByRole('button', { name: 'Keep yours' });
  await keep.waitFor();
  await page.getByRole('region', { name: 'Two versions' }).getByText('Before the text').waitFor();
  assert.equal((await read(issue))['subject'], 'Theirs');
  await keep.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await read(issue))['subject'], 'Mine');
  await close();
});

test('two people write: versions that differ in layout alone are shown as mail, with an outline', async () => {
  const issue = await draft('');
  const { page, close } = await dashboard.openSignedIn(edit(issue));
  await body(page).click();
  await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}`, {
    method: 'PATCH',
    body: { html_body: '<p style="margin:0 0 16px">First words</p>\n<h2>Last words</h2>\n' },
  });
  await page.keyboard.type('First words');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+b');
  await page.keyboard.type('Last words');
  const versions = page.getByRole('region', { name: 'Two versions' });
  await versions.getByText('its layout differs. Outlined: “Last words”.').waitFor();
  const outlined = async (name: string) => {
    const mail = versions.locator(`iframe[title^="${name}"]`).contentFrame();
    await mail.getByText('Last words').waitFor();
    return mail.locator('[style*="outline:"]').evaluateAll((found) => found.map(({ tagName }) => tagName));
  };
  assert.deepEqual([await outlined('Yours'), await outlined('Theirs')], [['P'], ['H2']]);
  await close();
});

test('a version that was given up for that of somebody else is there after a reload, until it is used or discarded', async () => {
  const issue = await draft();
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${issue}/edit`);
  const subject = page.getByRole('textbox', { name: 'Subject' });
  await subject.waitFor();
  await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}`, {
    method: 'PATCH',
    body: { subject: 'Theirs' },
  });
  await subject.fill('Mine');
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal(await subject.inputValue(), 'Theirs');
  await page.reload();
  await page.getByText(/Yours, “Mine”, is kept in this browser/).waitFor();
  await page.getByRole('button', { name: 'Use your version' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  assert.equal((await read(issue))['subject'], 'Mine');
  assert.equal(await page.getByText(/is kept in this browser/).count(), 0);
  // The browser writes the refused save into its console.
  assert.deepEqual(
    errors.filter((text) => !/status of 409/.test(text)),
    [],
  );
  await close();
});

test('an editor writes an issue and sees why somebody else sends it; so says the server', async () => {
  const issue = await draft();
  const path = `/newsletters/${newsletter}/issues/${issue}`;
  const editor = await dashboard.openSignedIn(`${path}/edit`, {}, await aMember(dashboard, 'editor'));
  const { page } = editor;
  await page.getByRole('textbox', { name: 'Subject' }).fill('By an editor');
  await page.getByText('Saved', { exact: true }).waitFor();
  for (const name of ['Send now', 'Schedule', 'Send a test'])
    assert.match((await reasonOf(page, name)) ?? '', NOT_FOR_EDITORS);
  for (const [call, body] of [
    ['send', {}],
    ['schedule', { scheduled_for: new Date(Date.now() + 3_600_000).toISOString() }],
  ] as const) {
    assert.match(await byHand(page, 'POST', `/v1${path}/${call}`, body), /^403 .*role.*editor/, call);
  }
  const { status, subject } = await read(issue);
  assert.deepEqual([status, subject], ['draft', 'By an editor']);
  assert.deepEqual(
    editor.errors.filter((text) => !/status of 403/.test(text)),
    [],
  );
  await editor.close();
});

test('words that were typed without a connection are saved when it is back, and both are announced', async () => {
  const issue = await draft('');
  const { page, context, close } = await dashboard.openSignedIn(edit(issue));
  await body(page).click();
  await context.setOffline(true);
  await page.keyboard.type('Typed in a tunnel');
  const spoken = page.getByRole('status').filter({ hasText: 'Not saved: the server cannot be reached.' });
  await spoken.waitFor();
  assert.equal((await read(issue))['html_body'], '');
  await context.setOffline(false);
  await page.getByRole('status').filter({ hasText: 'Your text is saved again.' }).waitFor();
  assert.match(String((await read(issue))['html_body']), /Typed in a tunnel/);
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
  assert.match(String((await read(issue))['html_body']), /Not lost/);
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
    await until('the subject', async () => ((await read(issue))['subject'] === 'Another subject' ? true : undefined));
    await saved(page);
    assert.equal((await read(issue))['html_body'], source);
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
  const pictures = page.getByRole('radiogroup', { name: 'Pictures' });
  await pictures.getByText('All', { exact: true }).click();
  await until('a request for the picture', async () => (strangers.includes(one) ? true : undefined));
  const { searchParams } = new URL(page.url());
  assert.deepEqual(
    [searchParams.get('width'), searchParams.get('scheme'), searchParams.get('pictures')],
    ['320', 'dark', 'all'],
  );
  await mail.getByText('Hello Ada').waitFor();
  strangers.length = 0;
  await pictures.getByText('No pictures', { exact: true }).click();
  await mail.getByText('Hello Ada').waitFor();
  assert.deepEqual(strangers, []);
  errors.length = 0;
  await close();
});

/** More than are in the queue at once, which is ten seconds of sending. */
const MANY = 200;

test('the progress of a sending is followed, and its cancellation tells exactly how many emails still leave', async () => {
  newsletter = await make('/v1/newsletters', { name: 'Many', slug: 'many', from_email: 'many@posthorn.test' });
  const file = ['email', ...Array.from({ length: MANY }, (_, n) => `reader${n}@example.com`)].join('\n');
  const path = `/v1/newsletters/${newsletter}/subscribers/import?consent=already_confirmed`;
  const { status } = await fetch(`${dashboard.posthorn.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dashboard.posthorn.key}`, 'content-type': 'text/csv' },
    body: file,
  });
  assert.equal(status, 202);
  await until('the import', async () => {
    const { body } = await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}`);
    return (body as { subscriber_counts: { active: number } }).subscriber_counts.active === MANY || undefined;
  });
  const issue = await draft();
  await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}/send`, { body: {} });
  const { page, errors, close } = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${issue}`);
  const progress = page.getByRole('progressbar', { name: `Sending to ${MANY} people` });
  const doneSoFar = async () => Number(await progress.getAttribute('aria-valuenow'));
  await until('a first step', async () => ((await doneSoFar()) > 0 ? true : undefined));
  const first = await doneSoFar();
  await until('another step', async () => ((await doneSoFar()) > first ? true : undefined));

  await page.getByRole('button', { name: 'Cancel the issue' }).click();
  const dialog = page.getByRole('dialog');
  const announced = async () => {
    const words = await dialog.getByText(/ in the queue/).innerText();
    return Number(/^([\d,]+) emails? ha(?:s|ve) not left, and will not be sent\./.exec(words)?.[1]?.replace(',', ''));
  };
  const atFirst = await announced();
  assert.ok(atFirst > 0 && atFirst < MANY, String(atFirst));
  assert.deepEqual(
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).count(),
    0,
    'there are two cancels',
  );
  await dialog.getByRole('button', { name: 'Go back' }).waitFor();
  await until('the number follows the sending', async () => ((await announced()) < atFirst ? true : undefined));
  await dialog.getByRole('textbox').fill('cancel');
  await dialog.getByRole('button', { name: 'Cancel the issue' }).click();
  const said = await page.getByText(/^The issue is cancelled\./).innerText();
  const stillLeft = Number(/ ([\d,]+) emails? had been released/.exec(said)?.[1]);
  // The answer comes before those who wait are cancelled.
  const stats = await until('nobody waits any more', async () => {
    const now = (await read(issue))['stats'] as Record<string, number>; // our own API
    return now['waiting'] === 0 ? now : undefined;
  });
  assert.equal(stats['total'], MANY);
  // Emails may have left between the two answers, and none is lost or sent twice.
  const left = MANY - (stats['cancelled'] ?? 0);
  assert.ok(stillLeft > 0 && stillLeft <= left && left < MANY, `${said} ${JSON.stringify(stats)}`);
  await page.getByRole('progressbar', { name: 'The last emails leave' }).waitFor();
  assert.deepEqual(errors, []);
  await close();
});
