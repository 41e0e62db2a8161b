import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Answer } from '#platform/http/route.ts';
import { embedScript } from '#platform/pages/embed-script.ts';
import { LANGUAGES } from '#features/reader-pages';
import { pageContext } from '../../src/features/newsletters/public/pages/page-context.ts';
import { subscribePage } from '../../src/features/newsletters/public/pages/subscribe-page.ts';
import { A_NEWSLETTER, everyPage } from '../../src/features/newsletters/public/pages/test-kit.ts';
import { aPng } from '../harness/a-png.ts';
import { DESKTOP, openPage, PHONE, serveAnswers, type ServedAnswers, startBrowser } from '../harness/browser.ts';
import { until } from '../harness/until.ts';
import { needsTool, SYSTEM_TOOLS } from '../system-tools.ts';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
/** Of these, some depend on the colour scheme, and some on the width. */
const BY_COLOUR = ['color-contrast', 'link-in-text-block'];
const BY_ROOM = [...BY_COLOUR, 'target-size', 'scrollable-region-focusable'];
/** The focused element, as the browser shows it. The tests are compiled without the types of a browser. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth, transitionDuration } = getComputedStyle(element);
  const { height } = element.getBoundingClientRect();
  return { says: element.id || element.textContent, outlineStyle, outlineWidth, transitionDuration, height };
})()`;
type Focused = Record<'says' | 'outlineStyle' | 'outlineWidth' | 'transitionDuration', string> & { height: number };
/** The text that is seen where the name of the newsletter stands. */
const AT_THE_TOP = `(() => {
  const { x, y, width, height } = document.querySelector('.brand bdi').getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2)?.textContent;
})()`;
/** The letters in a line of the first paragraph, the sizes of what is written, and where columns and the button are. */
const SET = `(() => {
  const of = (selector) => [...document.querySelectorAll('.written ' + selector)];
  const sizeOf = (selector) => Number.parseFloat(getComputedStyle(of(selector)[0]).fontSize);
  const [text] = of('p');
  const lines = text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight);
  const [left, right] = of('td[width="48%"]').map((cell) => cell.getBoundingClientRect());
  return {
    letters: text.textContent.length / (lines - 0.5),
    sizes: ['h2', 'h3', 'h4', 'p'].map(sizeOf),
    columns: [right.x - left.x, right.y - left.y, right.width - left.width],
    button: of('a[data-button]')[0].getBoundingClientRect().height,
    empty: of('td:empty').at(-1).getBoundingClientRect().height,
    folded: of('details')[0].getBoundingClientRect().height,
  };
})()`;
interface Setting {
  letters: number;
  sizes: [h2: number, h3: number, h4: number, text: number];
  columns: [right: number, down: number, wider: number];
  button: number;
  empty: number;
  folded: number;
}
const A_SETTING = `<p>${'This week we walked along the river, from the mill to the sea, and wrote down what was there. '.repeat(12)}</p>
<h2>One</h2><h3>Two</h3><h4>Three</h4>
<table role="presentation" width="100%"><tr><td width="48%"><p>Short</p></td><td width="4%"></td><td width="48%"><p>${'Longer '.repeat(30)}</p></td></tr></table>
<table role="presentation"><tr><td><a href="https://example.com/" style="display:inline-block;padding:12px 24px;background-color:#18181b">Go</a></td></tr>
<tr><td height="16"></td></tr></table><details><summary>More</summary><p>In its place</p></details>`;
const LOGOS = 'https://cdn.example.com';
/** The logos of a page, and the room that they have. */
const LOGOS_SEEN = `[...document.querySelectorAll('img.logo, .brand img')].map((logo) => {
  const { width, height, left, right } = logo.getBoundingClientRect();
  const ratio = logo.naturalWidth / logo.naturalHeight;
  return { width, height, left, right, ratio, room: document.querySelector('main').getBoundingClientRect().right };
})`;
type Logo = Record<'width' | 'height' | 'left' | 'right' | 'ratio' | 'room', number>;
const HTML = { headers: { 'content-type': 'text/html' } };
const HOSTILE = `"><img src=x onerror=alert(1)></title></style><script>alert(1)</script><svg onload=alert(1)>`;
/** Everything an author might try, or might be made to try. */
const HOSTILE_ISSUE = `<!doctype html><html><head><meta http-equiv="refresh" content="0;url=/canary-refresh">
<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/canary.css"></head>
<body onload="alert(1)"><style>@import url(https://evil.example/canary-import.css);body{background:#efe}</style>
<script>alert(1);top.location='/canary-script'</script><script src="https://evil.example/canary.js"></script>
<img src=x onerror="alert(1)"><svg onload="alert(1)"></svg><iframe srcdoc="<script>alert(1)</script>"></iframe>
<object data="/canary-object"></object><embed src="/canary-embed"><video src="https://evil.example/canary-video"></video>
<form action="/canary-form" method="post"><button id="post">post</button></form>
<a id="script" href="javascript:alert(1)">script</a>
<div style="position:fixed;inset:0;z-index:9999;background:red">over the page</div>
<div style="margin-top:-2000px;height:4000px;background:url(https://evil.example/canary-css)">pulled up</div>
<h1 style="font-size:900px" id="email" class="brand">Big</h1>
<p>What the author wrote</p></body></html>`;

const pages = new Map<string, Answer>();
const asked: string[] = [];
let browser: Browser | undefined;
let served: ServedAnswers;

before(async () => {
  if (!SYSTEM_TOOLS.chromium.isThere()) return;
  for (const [name, shown] of Object.entries(everyPage())) pages.set(name, shown);
  for (const language of LANGUAGES)
    pages.set(`subscribe-in-${language}`, everyPage({}, language)['subscribe'] ?? assert.fail());
  for (const accentColor of ['#ffe000', '#000000', '#ffffff', '#808080'])
    pages.set(
      `subscribe-${accentColor.slice(1)}`,
      everyPage({ newsletter: { accentColor } })['subscribe-invalid'] ?? assert.fail(),
    );
  const named = { name: HOSTILE, description: HOSTILE };
  const hostile = everyPage({
    newsletter: named,
    email: HOSTILE,
    name: HOSTILE,
    workspaceName: HOSTILE,
    subject: HOSTILE,
    preheader: HOSTILE,
  });
  for (const [name, shown] of Object.entries(hostile)) pages.set(`hostile/${name}`, shown);
  pages.set('hostile/author', everyPage({ body: HOSTILE_ISSUE })['issue'] ?? assert.fail());
  served = await serveAnswers((path) => {
    asked.push(path);
    return pages.get(path);
  });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await served?.close();
});

/** The names of the pages that people see, one in each language and some in difficult colours among them. */
const shownNames = (): string[] => [...pages.keys()].filter((name) => !name.includes('/'));

function theBrowser(t: TestContext): Browser | undefined {
  return needsTool(t, 'chromium') ? browser : undefined;
}

/** Pages that are looked at at the same time; a browser gives each a process of its own. */
const TABS = 3;

/** Looks at each page once, in several tabs. Nothing of any of them was an error or asked a stranger. */
async function inTabs(
  on: Browser,
  { names, options }: { names: readonly string[]; options: BrowserContextOptions },
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const left = [...names];
  const tab = async (): Promise<void> => {
    const opened = await openPage(on, [served.origin], options);
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      await opened.page.goto(`${served.origin}/${name}`);
      await look(opened.page, name);
    }
    assert.deepEqual([opened.errors, opened.strangers], [[], []]);
    await opened.close();
  };
  await Promise.all(Array.from({ length: TABS }, tab));
}

/** The part of what axe answers that is read here. */
interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

/**
 * The faults that axe, loaded in the page already, finds in it. `rules`: only these, where the rest has been asked.
 * The pages have no frames and load no sheets, so that axe need not look for them.
 */
async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  const runOnly = rules === undefined ? { type: 'tag', values: AXE_TAGS } : { type: 'rule', values: rules };
  const asked = JSON.stringify({ runOnly, resultTypes: ['violations'], iframes: false, preload: false });
  const { violations } = await page.evaluate<Found>(`axe.run(document, ${asked})`);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}

test('every page carries an icon that a browser shows, out of the page itself', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const icons = new Map<string, string>();
  for (const [name, { body }] of pages) {
    const links = [
      ...String(body).matchAll(/<link rel="icon" type="image\/svg\+xml" href="(data:image\/svg\+xml,[^"]+)">/g),
    ];
    assert.equal(links.length, 1, name);
    icons.set(links[0]?.[1] ?? '', name); // one page of each icon is looked at
  }
  assert.ok(icons.size > 4, 'icons of several names and colours');
  await inTabs(on, { names: [...icons.values()], options: {} }, async (page, name) => {
    // The policy of the page judges it as it judges the icon of a tab: both are images.
    const width = await page.evaluate<number>(`(async () => {
      const image = new Image();
      image.src = document.querySelector('link[rel=icon]').href;
      await image.decode().catch(() => undefined);
      return image.naturalWidth;
    })()`);
    assert.ok(width > 0, name);
  });
});

test('every page is clean to axe, on a phone and on a desktop, in light and dark, without an error or a request to anybody', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  await inTabs(on, { names: shownNames(), options: { viewport: PHONE } }, async (page, name) => {
    await page.evaluate(axe.source);
    assert.deepEqual(await violationsOf(page), [], `${name} on a phone`);
    // The same document: what depends on colours and on room is asked again.
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await violationsOf(page, BY_COLOUR), [], `${name} in the dark`);
    await page.setViewportSize(DESKTOP);
    assert.deepEqual(await violationsOf(page, BY_ROOM), [], `${name} on a desktop`);
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'light' });
  });
});

test('nothing is cut off and nothing scrolls sideways at 320 pixels, which is a desktop enlarged fourfold', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const names = [...shownNames(), 'hostile/subscribe', 'hostile/preferences', 'hostile/archive'];
  await inTabs(on, { names, options: { viewport: { width: 320, height: 256 } } }, async (page, name) => {
    const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
    assert.ok((widths[0] ?? 0) <= (widths[1] ?? 0), `${name}: ${widths.join(' > ')}`);
  });
});

test('a logo that is wide and one that is tall keep their shape on the pages, and are at most 64 pixels high', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const shapes = { wide: await aPng(1200, 100, '#2f51cb'), tall: await aPng(100, 1200, '#2f51cb') };
  const opened = await openPage(on, [served.origin, LOGOS]);
  await opened.context.route(`${LOGOS}/*`, (route) => {
    const body = route.request().url().endsWith('wide.png') ? shapes.wide : shapes.tall;
    return route.fulfill({ body, contentType: 'image/png' });
  });
  for (const shape of Object.keys(shapes)) {
    const every = everyPage({ newsletter: { logoUrl: `${LOGOS}/${shape}.png` } });
    for (const name of ['subscribe', 'archive', 'issue', 'embed', 'confirm-button', 'preferences']) {
      pages.set('logo/shown', every[name] ?? assert.fail(name));
      await opened.page.goto(`${served.origin}/logo/shown`);
      for (const width of [320, DESKTOP.width]) {
        await opened.page.setViewportSize({ width, height: 800 });
        const [logo, ...more] = await opened.page.evaluate<Logo[]>(LOGOS_SEEN);
        const at = `${name}, ${shape}, ${width}: ${JSON.stringify([logo, ...more])}`;
        assert.ok(logo !== undefined && more.length === 0, at);
        assert.ok(Math.abs(logo.height * logo.ratio - logo.width) <= 1 && logo.width >= 2 && logo.height <= 64, at);
        assert.ok(logo.left >= 0 && logo.right <= logo.room, at);
      }
    }
  }
  assert.deepEqual([opened.errors, opened.strangers], [[], []]);
  await opened.close();
});

test('an issue is set for reading: 60 to 75 letters a line, headings above the text in size, columns and buttons as they were meant', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  pages.set('set/issue', everyPage({ body: A_SETTING })['issue'] ?? assert.fail());
  const opened = await openPage(on, [served.origin], { viewport: DESKTOP });
  await opened.page.goto(`${served.origin}/set/issue`);
  const wide = await opened.page.evaluate<Setting>(SET);
  assert.ok(wide.letters >= 60 && wide.letters <= 75, `${wide.letters} letters`);
  const [h2, h3, h4, text] = wide.sizes;
  assert.ok(h2 > h3 && h3 > h4 && h4 >= text, wide.sizes.join());
  assert.ok(wide.columns[0] > 100 && Math.abs(wide.columns[1]) < 1 && Math.abs(wide.columns[2]) < 2, 'side by side');
  assert.deepEqual([wide.button, wide.empty], [44, 0]);
  await opened.page.setViewportSize(PHONE);
  const narrow = await opened.page.evaluate<Setting>(SET);
  assert.ok(Math.abs(narrow.columns[0]) < 1 && narrow.columns[1] > 30, 'one below the other');
  assert.equal(narrow.button, 44);
  const inDetails = opened.page.locator('.written details p');
  assert.deepEqual([await inDetails.isVisible(), narrow.folded >= 44 && narrow.folded < 60], [false, true]);
  await opened.page.locator('.written summary').click();
  assert.equal(await inDetails.isVisible(), true);
  await opened.close();
});

test('the widget of a proof service, which is 303 pixels wide, fits into its card on a phone of 360 pixels', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const settings = {
    dashboardUrl: 'https://app.example.com',
    humanProof: 'hcaptcha',
    humanProofSiteKey: 'a-key',
  } as const;
  const context = pageContext(settings, { ...A_NEWSLETTER, language: 'en' }, { embedded: null });
  pages.set('proof/hcaptcha', subscribePage(context, { fillTime: 'now' }));
  // Nobody asks the service: its script is refused here, and what is asked is the room for what it would put there.
  const opened = await openPage(on, [served.origin], { viewport: { width: 360, height: 640 } });
  await opened.page.goto(`${served.origin}/proof/hcaptcha`);
  const [widget = 0, card = 0] = await opened.page.evaluate<number[]>(
    '[document.querySelector(".proof").clientWidth, document.querySelector("main").clientWidth]',
  );
  assert.ok(widget >= 303 && widget <= card, `${widget} of ${card}`);
  await opened.close();
});

test('on paper an issue has the margins of the paper alone', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const opened = await openPage(on, [served.origin], { viewport: DESKTOP });
  await opened.page.emulateMedia({ media: 'print' });
  await opened.page.goto(`${served.origin}/issue`);
  const inset = await opened.page.evaluate<number[]>(
    '[document.querySelector("h1").getBoundingClientRect().x, document.querySelector(".written").clientWidth - innerWidth]',
  );
  assert.deepEqual(inset, [0, 0]);
  await opened.close();
});

test('a frame of the documented height shows the whole form on a phone, and the script gives it its own height', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const docs = await readFile(join(import.meta.dirname, '../../../docs/newsletter-reference.md'), 'utf8');
  const documented = [...docs.matchAll(/<iframe [^]*?height: (\d+)px/g)].map(([, height]) => Number(height));
  assert.equal(documented.length, 2);
  pages.set('n/embed.js', embedScript());
  const frames = ['embed', 'embed-line'].map((name) => `<iframe src="${served.origin}/${name}" width="320"></iframe>`);
  const around = `<!doctype html><title>host</title>${frames.join('')}<script src="${served.origin}/n/embed.js"></script>`;
  const host = await serveAnswers(() => new Answer(around, HTML));
  t.after(() => host.close());
  const opened = await openPage(on, [served.origin, host.origin]);
  await opened.page.goto(host.origin);
  const heights = await until('the frames have the height of their forms', async () => {
    const given = await opened.page.evaluate<string[]>(
      '[...document.querySelectorAll("iframe")].map((one) => one.style.height)',
    );
    return given.every((height) => height !== '') ? given.map((height) => Number.parseInt(height, 10)) : undefined;
  });
  heights.forEach((height, index) => assert.ok(height > 80 && height <= (documented[index] ?? 0), heights.join()));
  assert.deepEqual(opened.errors, []);
  // A message of anybody else changes nothing.
  await opened.page.evaluate('postMessage({ posthornHeight: 1999 }, "*")');
  await opened.page.evaluate(
    'new Promise((resolve) => { addEventListener("message", resolve); postMessage(0, "*"); })',
  );
  assert.equal(await opened.page.evaluate('parseInt(document.querySelector("iframe").style.height, 10)'), heights[0]);
  await opened.close();
});

test('with the keyboard alone: every field and button in order, each with a ring, and never the trap for programs', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const opened = await openPage(on, [served.origin], { viewport: DESKTOP });
  const { page } = opened;
  await page.goto(`${served.origin}/subscribe-latest`);
  const reached: string[] = [];
  for (let press = 0; press < 7; press += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused>(FOCUSED);
    assert.deepEqual([focused.outlineStyle, focused.outlineWidth], ['solid', '3px'], focused.says);
    assert.ok(focused.height >= 24, `${focused.says} is ${focused.height} pixels high`);
    assert.equal(focused.transitionDuration, '0s', 'nothing moves for those who asked for that');
    reached.push(focused.says);
  }
  const issues = ['The gaps in every map', 'The case for the long way home', 'Small rituals'];
  assert.deepEqual(reached, ['email', 'name', 'Subscribe', ...issues, 'Read past issues']);
  await page.goto(`${served.origin}/subscribe-invalid`);
  assert.equal(await page.evaluate('document.activeElement.id'), 'email', 'the field that is wrong has the focus');
  await opened.close();
});

test('nothing that anybody called themselves runs, on any page', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const names = [...pages.keys()].filter((key) => key.startsWith('hostile/'));
  // No dialog, no refusal, no request.
  await inTabs(on, { names, options: {} }, async (page, name) => {
    // A frame of ours tells its height: its policy lets that one script run. Data for search engines is none.
    const strange = await page
      .locator('script:not(body > script:last-child,[type="application/ld+json"]),body svg,[onerror],[onload]')
      .count();
    assert.equal(strange, 0, name);
  });
});

test('an issue in the archive shows what its author wrote, and nothing of it runs, loads, posts or lies over the page', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const opened = await openPage(on, [served.origin], { viewport: PHONE });
  const { page } = opened;
  asked.length = 0;
  await page.goto(`${served.origin}/hostile/author`);
  assert.equal(await page.locator('.written p').last().textContent(), 'What the author wrote');
  await page.locator('#i-script').click({ noWaitAfter: true });
  await page.screenshot(); // whatever a click began has been drawn
  assert.equal(page.url(), `${served.origin}/hostile/author`);
  assert.equal(
    await page.locator('.written :is(form,button,input,style,link,meta,base,iframe,object,[style])').count(),
    0,
  );
  // Our own parts are where they are without it.
  assert.equal(await page.evaluate(AT_THE_TOP), 'Slow Mornings');
  assert.deepEqual(
    asked.filter((path) => /canary/.test(path)),
    [],
  );
  assert.deepEqual([opened.errors, opened.strangers], [[], []]);
  await opened.close();
});

test('only the form for frames can be framed, on a site of another origin, where its answers stay inside', async (t) => {
  const on = theBrowser(t);
  if (on === undefined) return;
  const host = await serveAnswers(
    (path) => new Answer(`<!doctype html><title>host</title><iframe src="${served.origin}/${path}"></iframe>`, HTML),
  );
  t.after(() => host.close());
  const opened = await openPage(on, [served.origin, host.origin]);
  const { page } = opened;
  // Another site, not only another port: cookies and storage would be told apart too.
  const shown = async (name: string): Promise<string> => {
    await page.goto(`${host.origin.replace('127.0.0.1', 'localhost')}/${name}`);
    // A page of another site is another process: the browser tells of it in its own time. A refusal is an error page.
    const frame = await until('the page in the frame, or the refusal', async () => {
      const [, inside] = page.frames();
      return /^(?:http|chrome-error):/.test(inside?.url() ?? '') ? inside : undefined;
    });
    return frame.url().startsWith(served.origin) ? ((await frame.locator('h1').textContent()) ?? '') : '';
  };
  opened.allow(host.origin.replace('127.0.0.1', 'localhost'));
  assert.equal(await shown('embed'), 'Slow Mornings');
  assert.equal(await shown('embed-invalid'), 'Slow Mornings');
  assert.equal(await shown('embed-check-inbox'), 'Check your inbox');
  assert.deepEqual(opened.errors, []);
  for (const name of ['subscribe', 'unsubscribed', 'preferences', 'archive', 'issue'])
    assert.equal(await shown(name), '', name);
  assert.deepEqual(await page.context().cookies(), []);
  await opened.close();
});
