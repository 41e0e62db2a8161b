/**
 * Mail of an issue in a real browser, on a phone and in a column, in light and in three kinds of dark: the program asks
 * for a dark form, paints every colour anew (as Chromium does by a setting), or turns all colours round and the
 * pictures back (as the preview of the dashboard does).
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { frameHtml } from '#mail/frame/frame-html.ts';
import { listFrame } from '#mail/list-mail/list-frame.ts';
import { Answer } from '#platform/http/route.ts';
import { aPng } from '../harness/a-png.ts';
import { openPage, serveAnswers, type ServedAnswers, startBrowser } from '../harness/browser.ts';
import { CONTRAST_MIN, drawnIn, type Place } from '../harness/pixels.ts';
import { needsTool, SYSTEM_TOOLS } from '../system-tools.ts';

const HTML = { headers: { 'content-type': 'text/html; charset=utf-8' } };
const WIDTHS = [320, 600];
const TURNED = '<style>html{filter:invert(1) hue-rotate(180deg)}img{filter:invert(1) hue-rotate(180deg)}</style>';
const PICTURE = '#b4532a';

let plain: Browser | undefined;
let forced: Browser | undefined;
let served: ServedAnswers;
const pages = new Map<string, string>();

before(async () => {
  if (!SYSTEM_TOOLS.chromium.isThere()) return;
  served = await serveAnswers((path) => {
    const html = pages.get(path);
    return html === undefined ? undefined : new Answer(html, HTML);
  });
  [plain, forced] = await Promise.all([startBrowser(), startBrowser(['--blink-settings=forceDarkModeEnabled=true'])]);
});
after(async () => {
  await plain?.close();
  await forced?.close();
  await served?.close();
});

/** As the editor of the dashboard writes it: no colour but those of rules. */
const written = (picture: string): string => `<h1 id="heading">The edge of a map</h1>
<p id="text">This week we walked along the river, from the mill to the sea.</p>
<p><a id="link" href="https://example.com/bread">The smell of bread</a> at the third bridge.</p>
<p><code id="code">grep -r bread map/</code></p>
<p id="word">${'Donaudampfschiff'.repeat(20)}</p>
<blockquote style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #a1a1aa"><p id="quote">Not lost.</p></blockquote>
<pre id="pre" style="margin:0 0 16px;padding:12px 16px;border:1px solid #d4d4d8;white-space:pre-wrap;overflow-wrap:break-word">const answer = compute(everything, that, is, on, one, very, long, line, of, code);</pre>
<div style="overflow-x:auto"><table><tr><th>Place</th><th>Minutes</th></tr>
<tr><td id="cell" style="border-bottom:1px solid #d4d4d8">The mill</td><td>12</td></tr></table></div>
<p><img id="picture" src="${picture}" alt="" width="1200" height="300" style="width:100%;height:auto"></p>`;

async function mail(): Promise<string> {
  const uri = async (png: Promise<Buffer>) => `data:image/png;base64,${(await png).toString('base64')}`;
  const frame = listFrame({
    language: 'en',
    title: 'A subject',
    mark: { name: 'Slow Mornings', accentColor: '#b4532a', logoUrl: null },
    preheader: 'Pre',
    footer: {
      reason: 'You subscribed to Slow Mornings.',
      sender: 'Slow Mornings',
      postalAddress: '1 Main Street',
      links: [{ label: 'Unsubscribe', url: 'https://example.com/u' }],
    },
  });
  return frameHtml(written(await uri(aPng(1200, 300, PICTURE))), frame.html);
}

/** Where each text and the middle of the picture is. The tests are compiled without the types of a browser. */
const PLACES = `(() => {
  const boxOf = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };
  const ids = ['heading', 'text', 'link', 'code', 'word', 'quote', 'pre', 'cell', 'picture'];
  const places = Object.fromEntries(ids.map((id) => [id, boxOf(document.getElementById(id))]));
  const footer = document.querySelector('a[data-posthorn-no-track]');
  places['the link that leads out'] = boxOf(footer);
  places['the footer'] = boxOf(footer.closest('td'));
  return { places, wide: [document.documentElement.scrollWidth, innerWidth] };
})()`;
interface Laid {
  places: Record<string, Place>;
  wide: [number, number];
}
const WAYS = {
  light: { isForced: false, colorScheme: 'light', head: '' },
  'dark that asks for a dark form': { isForced: false, colorScheme: 'dark', head: '' },
  'dark that paints colours anew': { isForced: true, colorScheme: 'dark', head: '' },
  'dark that turns colours round': { isForced: false, colorScheme: 'light', head: TURNED },
} as const;

for (const [name, { isForced, colorScheme, head }] of Object.entries(WAYS)) {
  test(`every text of an issue is read and no picture is changed, on a phone and in a column: ${name}`, async (t) => {
    if (!needsTool(t, 'chromium') || plain === undefined || forced === undefined) return;
    pages.set(
      'mail',
      (await mail()).replace('</head>', () => `${head}</head>`),
    );
    for (const width of WIDTHS) {
      const opened = await openPage(isForced ? forced : plain, [served.origin], {
        viewport: { width, height: 1800 },
        colorScheme,
        javaScriptEnabled: false,
      });
      await opened.page.goto(`${served.origin}/mail`);
      const { places, wide } = await opened.page.evaluate<Laid>(PLACES);
      const picture = await opened.page.screenshot();
      await opened.close();
      assert.ok(wide[0] <= wide[1], `${width}: it scrolls sideways, ${wide.join(' > ')}`);
      const { picture: image, ...texts } = places;
      const [inPicture, ...drawn] = await drawnIn(plain, picture, [image ?? null, ...Object.values(texts)]);
      for (const [at, of] of Object.keys(texts).entries()) {
        const contrast = drawn[at]?.contrast ?? 0;
        assert.ok(contrast >= CONTRAST_MIN, `${width}, ${of}: a contrast of ${contrast.toFixed(2)}`);
      }
      const colour = [1, 3, 5].map((at) => Number.parseInt(PICTURE.slice(at, at + 2), 16));
      const isKept = inPicture?.middle.every((part, at) => Math.abs(part - (colour[at] ?? 0)) <= 40);
      assert.ok(isKept, `${width}: the picture is drawn in ${inPicture?.middle.join()}, and is ${colour.join()}`);
    }
  });
}
