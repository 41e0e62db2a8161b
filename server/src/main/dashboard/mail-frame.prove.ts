import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import type { Browser } from 'playwright-core';
import { openPage, startBrowser } from '../../../test/harness/browser.ts';
import { needsTool, SYSTEM_TOOLS } from '../../../test/system-tools.ts';
import { dashboardPages, installDashboardFiles } from './serve-dashboard.ts';

const asked: string[] = [];
const stranger = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.setHeader('content-type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>');
});
const app: FastifyInstance = fastify();
/** The server of the pictures that people upload; here one of its own, so that its requests are counted apart. */
const ownAsked: string[] = [];
const own = createServer((request, response) => {
  ownAsked.push(request.url ?? '');
  response.setHeader('content-type', 'image/svg+xml').end('<svg xmlns="http://www.w3.org/2000/svg"/>');
});
let ownUrl: string;
let browser: Browser | undefined;
let url: string;
let elsewhere: string;

before(async () => {
  if (!SYSTEM_TOOLS.chromium.isThere()) return;
  // A stand-in for the dashboard, with the policy that it has.
  const dashboard = { pageAt: () => ['<!doctype html><title>Page</title>'], files: new Map() };
  const answerPage = dashboardPages(dashboard);
  app.addHook('onRequest', async (request, reply) => answerPage(request, reply));
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  ownUrl = `http://127.0.0.1:${(own.address() as AddressInfo).port}`; // it listens on TCP
  installDashboardFiles(app, dashboard, { publicUrl: ownUrl });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`; // it listens on TCP
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await app.close();
  stranger.close();
  own.close();
});

const hostile = (): string => `<!doctype html><html><head>
  <link rel="stylesheet" href="${elsewhere}/link"><link rel="preconnect" href="${elsewhere}">
  <meta http-equiv="refresh" content="0; url=${elsewhere}/refresh"><base href="${elsewhere}/">
  <style>@import url(${elsewhere}/import); p { color: rgb(1, 2, 3) } body { background: url(${elsewhere}/css) }
    @font-face { font-family: f; src: url(${elsewhere}/font) }</style>
  <script>parent.postMessage({ height: 'script ran' }, '*')</script>
  </head><body onload="parent.postMessage({ height: 'handler ran' }, '*')">
  <p style="height: 700px; font-family: f">Hello</p>
  <img src="${elsewhere}/picture" onerror="parent.postMessage({ height: 'handler ran' }, '*')">
  <svg><a><text y="9">drawn</text></a></svg>
  <iframe src="${elsewhere}/frame"></iframe><object data="${elsewhere}/object"></object>
  <video poster="${elsewhere}/poster" src="${elsewhere}/video"></video>
  <form action="${elsewhere}/form"><button>Send</button></form><a href="${elsewhere}/clicked">A link</a>
</body></html>`;

/** Shows a mail as the dashboard does. The tests are compiled without the types of a browser. */
async function show(t: TestContext, path: string, html: string) {
  assert.ok(browser !== undefined);
  const seen = await openPage(browser, [url, elsewhere, ownUrl]);
  t.after(() => seen.close());
  await seen.page.goto(`${url}/`);
  // The policy of the page applies to `waitForFunction`, and not to this.
  await seen.page.evaluate(`new Promise((shown) => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    window.heights = [];
    addEventListener('message', ({ data }) => {
      if (data.ready === true) frame.contentWindow.postMessage({ html: ${JSON.stringify(html).replaceAll('<', '\\u003c')} }, '*');
      else {
        window.heights.push(data.height);
        shown();
      }
    });
    frame.src = ${JSON.stringify(path)};
    document.body.append(frame);
  })`);
  const inside = seen.page.frames().find((one) => one.url().includes('/frames/'));
  assert.ok(inside !== undefined);
  return { inside, heights: (): Promise<unknown[]> => seen.page.evaluate('window.heights') };
}

test('a hostile mail is shown with its styles, runs nothing and asks nobody', async (t) => {
  if (!needsTool(t, 'chromium')) return;
  const { inside, heights } = await show(t, '/frames/mail', hostile());
  const style = await inside.evaluate(`(() => {
    const { color, height } = getComputedStyle(document.querySelector('p'));
    return { color, height, mode: document.compatMode, origin: self.origin };
  })()`);
  assert.deepEqual(style, { color: 'rgb(1, 2, 3)', height: '700px', mode: 'CSS1Compat', origin: 'null' });
  await inside.getByRole('button').click();
  await inside.getByRole('link').click();
  const told = await heights();
  assert.ok(
    told.every((height) => typeof height === 'number' && height >= 700),
    JSON.stringify(told),
  );
  assert.deepEqual(asked, []);
});

test('the pictures of a mail are loaded where a person asks for them, and nothing else is', async (t) => {
  if (!needsTool(t, 'chromium')) return;
  const { inside } = await show(t, '/frames/mail-with-pictures', hostile());
  await inside.evaluate(`(async () => {
    const picture = document.querySelector('img');
    if (!picture.complete) await new Promise((loaded) => picture.addEventListener('load', loaded));
  })()`);
  assert.deepEqual([...new Set(asked)].toSorted(), ['/css', '/picture', '/poster']);
});

test('pictures that this server serves are loaded at once, and nothing else of it: no pixel', async (t) => {
  if (!needsTool(t, 'chromium')) return;
  const html = `<style>p { background: url(${ownUrl}/images/style) }</style><p>x</p>
    <img id="mine" src="${ownUrl}/images/mine"><img src="${ownUrl}/t/o/pixel"><img src="${elsewhere}/pixel">
    <video poster="${ownUrl}/t/o/poster"></video>`;
  asked.length = 0;
  const { inside } = await show(t, '/frames/mail', html);
  await inside.evaluate(`(async () => {
    const picture = document.querySelector('#mine');
    if (!picture.complete) await new Promise((loaded) => picture.addEventListener('load', loaded));
  })()`);
  assert.deepEqual([ownAsked.toSorted(), asked], [['/images/mine', '/images/style'], []]);
});

test('a badge at the right edge of a mail is moved to where it is whole, and no other is', async (t) => {
  if (!needsTool(t, 'chromium')) return;
  const badge = (at: string) =>
    `<span style="position: absolute; top: 0; ${at}"><span data-badge style="position: absolute; white-space: nowrap">12: 345</span></span>`;
  const { inside } = await show(
    t,
    '/frames/mail',
    `<body style="margin: 0"><div style="position: relative; width: 200px; height: 40px; overflow: hidden">
      ${badge('left: 195px')}${badge('left: 20px')}</div>${badge('right: 0')}</body>`,
  );
  const places = await inside.evaluate(`[...document.querySelectorAll('[data-badge]')].map((badge) => {
    const { left, right } = badge.getBoundingClientRect();
    return [left, right];
  })`);
  const [cut, whole, atEdge] = places as [number, number][]; // of the three badges
  assert.deepEqual([cut?.[1], whole?.[0]], [198, 20]);
  assert.equal(atEdge?.[1], Number(await inside.evaluate('innerWidth')) - 2);
});

/** `html` and `body` take their height from the frame in many mails. */
const STYLES = [
  '<!doctype html>',
  '<!doctype html><style>html, body { height: 100% !important; margin: 0 }</style>',
  '<!doctype html><style>body { min-height: 100vh }</style>',
  '<!doctype html><body style="min-height: 100vh !important; padding: 10px">',
  '',
  '<style>body { height: 100% }</style>',
];

for (const style of STYLES) {
  test(`a frame grows with its mail, and shrinks again with a shorter one: ${style || 'quirks mode'}`, async (t) => {
    if (!needsTool(t, 'chromium')) return;
    assert.ok(browser !== undefined);
    const { page, close } = await openPage(browser, [url]);
    t.after(close);
    await page.goto(`${url}/`);
    const settled = await page.evaluate(`(async () => {
      const style = ${JSON.stringify(style).replaceAll('<', '\\u003c')};
      const frame = document.createElement('iframe');
      frame.sandbox.add('allow-scripts');
      frame.style.height = '96px';
      let told = 0;
      await new Promise((ready) => {
        addEventListener('message', ({ data }) => {
          if (data.ready === true) ready();
          else {
            frame.style.height = data.height + 'px';
            told += 1;
          }
        });
        frame.src = '/frames/mail';
        document.body.append(frame);
      });
      const heights = [];
      for (const height of [900, 200, 600]) {
        const html = style + '<p style="margin: 0; height: ' + height + 'px">Hello</p>';
        frame.contentWindow.postMessage({ html }, '*');
        // Settled: nothing is told for as long as thirty pictures of the screen take.
        for (let before = -1, quiet = 0; quiet < 30 && told < 100; quiet = before === told ? quiet + 1 : 0) {
          before = told;
          await new Promise((drawn) => requestAnimationFrame(drawn));
        }
        heights.push(frame.getBoundingClientRect().height);
      }
      return { heights, told };
    })()`);
    const { heights, told } = settled as { heights: number[]; told: number }; // as it is returned there
    const over = heights.map((height, at) => height - ([900, 200, 600][at] ?? 0));
    assert.ok(
      over.every((pixels) => pixels >= 0 && pixels <= 80),
      `${heights.join()} after ${told} messages`,
    );
    assert.ok(told < 30, `${told} messages`);
  });
}
