/** Pictures in an issue: uploaded, dropped, pasted, chosen again, refused, and shown in the mail by our server. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { aPng as picture } from '../../../server/test/harness/a-png.ts';
import type { WatchedPage } from '../../../server/test/harness/browser.ts';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaults } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';

let dashboard: RunningDashboard;
let seen: WatchedPage;
let newsletter = '';
let issue = '';
/** Another server: it shows one picture to everybody, and another one to nobody. */
const other = createServer(({ url = '' }, response) => {
  if (url.startsWith('/private')) response.writeHead(403).end();
  else void picture(500, 250, url.includes('boat') ? '#224466' : '#664422').then((bytes) => response.end(bytes));
});
before(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  dashboard = await startDashboard({ env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' } });
  newsletter = await make('/v1/newsletters', { name: 'Letters', slug: 'letters', from_email: 'letters@posthorn.test' });
  await make(`/v1/newsletters/${newsletter}/subscribers`, {
    email: 'ada@simulator.posthorn.test',
    skip_confirmation: true,
    consent: { text: 'asked', ip: '203.0.113.7', at: '2026-01-01T00:00:00Z' },
  });
  issue = await make(`/v1/newsletters/${newsletter}/issues`, { subject: 'Pictures', html_body: '<p>Hello</p>' });
  seen = await dashboard.openSignedIn(`/newsletters/${newsletter}/issues/${issue}/edit`);
  await seen.page.getByRole('button', { name: 'Make blocks of it' }).click();
  await text().waitFor();
});
after(async () => {
  await dashboard?.stop();
  other.close();
  other.closeAllConnections();
});

async function make(path: string, body: unknown): Promise<string> {
  const answer = await dashboard.posthorn.fetch(path, { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { id: string }).id; // an answer of our own API
}
const read = async <T>(path: string): Promise<T> => (await dashboard.posthorn.fetch(path)).body as T; // our own API
const text = () => seen.page.getByRole('textbox', { name: 'Body of the issue', exact: true });
const body = async () => (await read<{ html_body: string }>(`/v1/newsletters/${newsletter}/issues/${issue}`)).html_body;

/** Drops or pastes files and texts, as a browser would. */
const give = (kind: 'drop' | 'paste', files: { name: string; type: string; base64: string }[], html = '') =>
  text().evaluate(
    (element, given) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given.files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      if (given.html !== '') {
        data.setData('text/html', given.html);
        data.setData('text/plain', 'words');
      }
      const { left, bottom } = element.getBoundingClientRect();
      const at = { clientX: left + 5, clientY: bottom - 5, bubbles: true, cancelable: true };
      element.dispatchEvent(
        given.kind === 'drop'
          ? new DragEvent('drop', { ...at, dataTransfer: data })
          : new ClipboardEvent('paste', { ...at, clipboardData: data }),
      );
    },
    { kind, files, html },
  );
const describe = async (words: string): Promise<void> => {
  await seen.page.getByLabel('Alternative text').fill(words);
  await seen.page.getByRole('button', { name: 'Done' }).click();
};
const images = (html: string) => [...html.matchAll(/<img src="([^"]+)" alt="([^"]*)" width="(\d+)" height="(\d+)"/g)];

test('a picture is uploaded from the dialog, dropped, and pasted out of a text, and each asks for its words', async () => {
  await seen.page.getByRole('button', { name: 'Picture', exact: true }).click();
  const dialog = seen.page.getByRole('dialog', { name: 'Pictures' });
  await dialog.getByText('No pictures yet').waitFor();
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'office.png', mimeType: 'image/png', buffer: await picture(1_600, 800, '#3366aa') });
  await describe('Our office');

  const dropped = (await picture(300, 150, '#aa3366')).toString('base64');
  await give('drop', [{ name: 'cat.png', type: 'image/png', base64: dropped }]);
  await describe('A cat');

  await text().focus();
  await seen.page.keyboard.press('Control+End');
  const inText = (await picture(200, 100, '#33aa66')).toString('base64');
  await give('paste', [], `<p>From a text</p><p><img alt="A tree" src="data:image/png;base64,${inText}"></p>`);
  await seen.page.getByAltText('A tree').waitFor();

  const html = await until('it is saved', async () => {
    const saved = await body();
    return images(saved).length === 3 && saved.includes('Our office') && saved.includes('A cat') ? saved : undefined;
  });
  const all = images(html).map(([, src = '', alt, width, height]) => [new URL(src).pathname, alt, width, height]);
  assert.deepEqual(all.map(([, ...rest]) => rest.join(' ')).sort(), [
    'A cat 300 150',
    'A tree 200 100',
    'Our office 552 276',
  ]);
  assert.doesNotMatch(html, /held:|data:/);
  assert.deepEqual(await axeFaults(seen.page), []);
  assert.deepEqual([seen.errors, seen.strangers], [[], []]);
});

test('the mail shows the pictures from our server', async () => {
  await seen.page.getByText('Saved', { exact: true }).waitFor();
  const sent = await dashboard.posthorn.fetch(`/v1/newsletters/${newsletter}/issues/${issue}/send`, { method: 'POST' });
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const [mail] = await until('it is sent', async () => {
    const { data } = await read<{ data: { id: string }[] }>('/v1/captured-emails');
    return data.length > 0 ? data : undefined;
  });
  const { html } = await read<{ html: string }>(`/v1/captured-emails/${mail?.id}`);
  const sources = [...html.matchAll(/<img src="([^"]*\/images\/[^"]+)"/g)].map(([, src = '']) => new URL(src).pathname);
  assert.equal(sources.length, 3);
  for (const path of sources) {
    const answer = await fetch(`${dashboard.posthorn.url}${path}`);
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png']);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
});

test('an earlier picture is chosen again, by keyboard, and refused files say why', async () => {
  const draft = await make(`/v1/newsletters/${newsletter}/issues`, { subject: 'Second', html_body: '<p>Hello</p>' });
  const { page } = seen;
  await page.goto(`${dashboard.posthorn.url}/newsletters/${newsletter}/issues/${draft}/edit`);
  await page.getByRole('button', { name: 'Make blocks of it' }).click();
  await text().focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/earlier');
  await page.keyboard.press('Enter');
  const chosen = page.getByRole('dialog', { name: 'Pictures' }).getByRole('button', { name: /office\.png/ });
  await chosen.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Decoration, which needs no text' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Done' }).click();
  await until('it is saved', async () => {
    const { html_body: html } = await read<{ html_body: string }>(`/v1/newsletters/${newsletter}/issues/${draft}`);
    return /<img src="[^"]*\/images\/[^"]+" alt="" role="presentation" width="552" height="276"/.test(html)
      ? true
      : undefined;
  });

  const base64 = (words: string) => Buffer.from(words, 'latin1').toString('base64');
  await give('drop', [
    { name: 'photo.heic', type: 'image/heic', base64: base64('\0\0\0\x18ftypheic\0\0\0\0') },
    { name: 'drawing.svg', type: 'image/svg+xml', base64: base64('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    { name: 'broken.png', type: 'image/png', base64: base64('\x89PNG\r\n\x1a\nbroken') },
  ]);
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await uploads.getByText(/photo\.heic: This is a HEIC photo.*Save it as JPEG\./).waitFor();
  await uploads.getByText(/drawing\.svg: SVG images can contain programs/).waitFor();
  await uploads.getByText(/broken\.png: The image is damaged or incomplete\./).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  assert.equal(seen.errors.filter((error) => !error.includes('422')).length, 0, seen.errors.join('\n'));
  seen.errors.length = 0;
});

test('pictures of other servers are copied after a paste, those that cannot be say why, and one is copied alone', async () => {
  const draft = await make(`/v1/newsletters/${newsletter}/issues`, { subject: 'Third', html_body: '<p>Hello</p>' });
  const { page } = seen;
  await page.goto(`${dashboard.posthorn.url}/newsletters/${newsletter}/issues/${draft}/edit`);
  await page.getByRole('button', { name: 'Make blocks of it' }).click();
  await text().focus();
  await page.keyboard.press('Control+End');
  const { port } = other.address() as AddressInfo; // it listens on a port, not on a path
  const origin = `http://127.0.0.1:${port}`;
  const sources = async () => {
    const { html_body: html } = await read<{ html_body: string }>(`/v1/newsletters/${newsletter}/issues/${draft}`);
    return [...html.matchAll(/<img src="([^"]+)" alt="([^"]*)"/g)].map(([, src = '', alt = '']) => {
      const url = new URL(src);
      return `${alt}: ${url.origin === origin ? url.pathname : url.pathname.slice(0, 8)}`;
    });
  };
  const becomes = (wanted: readonly string[]) =>
    until(wanted.join(', '), async () => ((await sources()).join() === wanted.join() ? true : undefined));

  await give(
    'paste',
    [],
    `<p>The harbour</p><p><img alt="A boat" src="${origin}/boat.png?key=${'x'.repeat(200)}"></p>` +
      `<p>and</p><p><img alt="A letter" src="${origin}/private.png"></p>`,
  );
  const notice = page.getByRole('status').filter({ hasText: '2 pictures come from other servers.' });
  await notice.waitFor();
  await becomes(['A boat: /boat.png', 'A letter: /private.png']);
  assert.deepEqual(await axeFaults(page), []);
  await notice.getByRole('button', { name: 'Copy them to this server' }).click();
  await page.getByText('One picture is copied.').waitFor();
  const failed = page.getByRole('list', { name: 'Pictures that could not be copied' }).getByRole('listitem');
  await failed.getByText(/127\.0\.0\.1:\d+ … private\.png: The server of the image answers 403\./).waitFor();
  assert.equal(await failed.count(), 1);
  await becomes(['A boat: /images/', 'A letter: /private.png']);
  assert.deepEqual(await axeFaults(page), []);

  // Undo takes the paste back, and nothing else.
  await text().focus();
  await page.keyboard.press('Control+z');
  await becomes([]);
  await text().getByText('Hello').waitFor();

  await page.keyboard.press('Control+End');
  await give('paste', [], `<p>Once more</p><p><img alt="A mast" src="${origin}/mast.png"></p>`);
  const one = page.getByRole('status').filter({ hasText: 'One picture comes from another server.' });
  await one.getByRole('button', { name: 'Close' }).click();
  await text().locator('figure[data-elsewhere^="A mast (of 127.0.0.1"]').click();
  await page.getByRole('button', { name: 'Copy it to this server' }).click();
  await page.getByRole('button', { name: 'Copy it to this server' }).waitFor({ state: 'detached' });
  await becomes(['A mast: /images/']);
  assert.equal(
    seen.errors.filter((error) => !/422|Content Security Policy/.test(error)).length,
    0,
    seen.errors.join('\n'),
  );
  seen.errors.length = 0;
  seen.strangers.length = 0;
});

test('a logo is uploaded in the settings; a viewer is told why they may not', async () => {
  const { page } = seen;
  await page.goto(`${dashboard.posthorn.url}/newsletters/${newsletter}?tab=settings`);
  await page.getByRole('button', { name: 'Upload or choose' }).click();
  await page
    .getByRole('dialog', { name: 'Pictures' })
    .getByRole('button', { name: /cat\.png/ })
    .click();
  await page.getByAltText('The logo').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings are saved.').waitFor();
  const { logo_url: logo } = await read<{ logo_url: string }>(`/v1/newsletters/${newsletter}`);
  assert.match(logo, /\/images\/[\w-]{22}$/);

  await page.route('**/workspaces?*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll('"role":"owner"', '"role":"viewer"'),
    });
  });
  await page.reload();
  const button = page.getByRole('button', { name: 'Upload or choose' });
  await button.focus();
  await page
    .getByRole('tooltip')
    .getByText(/Your role \(viewer\) may not change issues/)
    .waitFor();
  await button.press('Enter');
  assert.equal(await page.getByRole('dialog').count(), 0);
  const { key } = (await dashboard.posthorn.fetch('/v1/api-keys', { body: { name: 'reads', scopes: ['issues:read'] } }))
    .body as { key: string }; // an answer of our own API
  const refused = await fetch(`${dashboard.posthorn.url}/v1/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
    body: new Uint8Array(await picture(10, 10, '#000000')),
  });
  assert.equal(refused.status, 403);
});
