/** The mail of an issue in a real browser: nothing of it scrolls sideways on a phone, whatever its author wrote. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { preview } from '#features/compositions';
import { newId } from '#platform/ids.ts';
import { Answer } from '#platform/http/route.ts';
import { issueComposition } from '../../src/features/newsletters/issues/content/issue-composition.ts';
import type { Newsletter } from '../../src/features/newsletters/newsletter.ts';
import { openPage, serveAnswers, type ServedAnswers, startBrowser } from '../harness/browser.ts';
import { needsTool, SYSTEM_TOOLS } from '../system-tools.ts';

const WIDTHS = [320, 360, 600];
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik'.repeat(4);
const CELLS = Array.from({ length: 8 }, (_, index) => `<td>Column-${index} ${index}00,000.00</td>`).join('');
/** Each at its own. */
const WIDE = {
  'a wide picture': '<p>A</p><img src="/wide.svg" alt="A wide picture">',
  'a wide picture with its size': '<img src="/wide.svg" width="1200" height="300" alt="A wide picture">',
  'a wide picture with a style': '<p><img src="/wide.svg" style="width:1200px;display:block" alt="A picture"></p>',
  'a wide picture in a table': '<table><tr><td><img src="/wide.svg" width="1200" alt="A picture"></td></tr></table>',
  'long words': `<h1>${LONG}</h1><p>https://example.com/${'a/'.repeat(200)}</p><ul><li>${LONG}</li></ul>`,
  'long lines of code': `<pre><code>${'const answer = compute(everything); '.repeat(12)}\n${'x'.repeat(300)}</code></pre>`,
  'a table of many columns': `<table border="1"><tr>${CELLS}</tr></table>`,
  'a table of a fixed width': '<table width="800" cellpadding="8"><tr><td>A</td><td>B</td></tr></table>',
};

let browser: Browser | undefined;
let served: ServedAnswers;
const pages = new Map<string, Answer>();

before(async () => {
  if (!SYSTEM_TOOLS.chromium.isThere()) return;
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="300"><rect width="1200" height="300"/></svg>';
  pages.set('wide.svg', new Answer(picture, { headers: { 'content-type': 'image/svg+xml' } }));
  served = await serveAnswers((path) => pages.get(path));
  const written = Object.values(WIDE).join('\n');
  for (const [name, htmlBody] of [
    ['part', written],
    ['document', `<!doctype html><html><body style="margin:0">${written}</body></html>`],
  ] as const) {
    pages.set(name, new Answer(await sentHtml(htmlBody), { headers: { 'content-type': 'text/html' } }));
  }
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await served?.close();
});

async function sentHtml(htmlBody: string): Promise<string> {
  const newsletter = {
    workspaceId: newId(),
    id: newId(),
    name: 'Acme Weekly',
    slug: 'acme',
    archiveEnabled: true,
    language: 'en',
    fromName: null,
    postalAddress: 'Street 1\nTown',
    accentColor: null,
    logoUrl: `${served.origin}/wide.svg`,
  };
  const issue = { id: newId(), slug: 'i', subject: 'A subject', preheader: null, htmlBody, textBody: null };
  // oxlint-disable-next-line no-unsafe-type-assertion -- the rest of a newsletter is not read
  const composition = issueComposition('https://n.example.com', newsletter as unknown as Newsletter, issue);
  return (await preview(composition, null)).html;
}

/** The elements that are wider than the screen, as the browser lays them out. */
const TOO_WIDE = `[...document.body.querySelectorAll('*')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
  .map((one) => one.outerHTML.slice(0, 80))`;

test('an issue fits a screen of 320, 360 and 600 pixels: wide pictures, long words, code and tables', async (t) => {
  if (!needsTool(t, 'chromium') || browser === undefined) return;
  const opened = await openPage(browser, [served.origin]);
  for (const name of ['part', 'document']) {
    await opened.page.goto(`${served.origin}/${name}`);
    assert.equal(await opened.page.getByText('Unsubscribe', { exact: true }).count(), 1);
    for (const width of WIDTHS) {
      await opened.page.setViewportSize({ width, height: 800 });
      const taken = await opened.page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(taken <= width, `${name}: ${taken} > ${width}: ${String(await opened.page.evaluate(TOO_WIDE))}`);
    }
  }
  assert.deepEqual([opened.errors, opened.strangers], [[], []]);
  await opened.close();
});

test('a picture keeps its shape when it shrinks, and so does the logo', async (t) => {
  if (!needsTool(t, 'chromium') || browser === undefined) return;
  const opened = await openPage(browser, [served.origin], { viewport: { width: 360, height: 800 } });
  await opened.page.goto(`${served.origin}/part`);
  const shapes = await opened.page.evaluate<number[]>(
    '[...document.images].map((image) => image.getBoundingClientRect()).map(({ width, height }) => width / height)',
  );
  assert.deepEqual(new Set(shapes.map((shape) => Math.round(shape))), new Set([4]));
  await opened.close();
});
