/**
 * Whatever an author writes, or was made to paste: the way out of a newsletter is seen in a real browser, or the
 * issue is refused before anybody gets it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Answer } from '#platform/http/route.ts';
import { openPage, serveAnswers, type ServedAnswers, startBrowser } from '../harness/browser.ts';
import { CONTRAST_MIN, type Drawn, drawnIn, type Place } from '../harness/pixels.ts';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import type { PosthornProcess } from '../harness/posthorn-process.ts';
import { startBoth } from '../harness/start-both.ts';
import { needsTool, SYSTEM_TOOLS } from '../system-tools.ts';

/** A test reads fields of many shapes. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const HTML = { headers: { 'content-type': 'text/html; charset=utf-8' } };
const FRAME = { width: 480, height: 180 };

let posthorn: PosthornProcess | undefined;
let browser: Browser | undefined;
let served: ServedAnswers;
const pages = new Map<string, string>();

before(async () => {
  if (!SYSTEM_TOOLS.chromium.isThere()) return;
  served = await serveAnswers((path) => {
    const html = pages.get(path);
    return html === undefined ? undefined : new Answer(html, HTML);
  });
  [posthorn, browser] = await startBoth(
    { started: startOnTestDatabase({ startTimeoutMs: 60_000 }), end: (it) => it.stop() },
    { started: startBrowser(), end: (it) => it.close() },
  );
});
after(async () => {
  await browser?.close();
  await served?.close();
  await posthorn?.stop();
});

async function api(method: string, pathname: string, body?: unknown): Promise<{ status: number; body: Body }> {
  assert.ok(posthorn !== undefined);
  return posthorn.fetch(pathname, body === undefined ? { method } : { method, body });
}

/** The check reports an issue that cannot be previewed, and it is not sent. */
async function assertNotSent(issue: string): Promise<void> {
  const checked = await api('POST', `${issue}/check`, {});
  assert.deepEqual(
    [checked.body.ok, checked.body.checks.filter(({ level }: Body) => level === 'error').map(({ id }: Body) => id)],
    [false, ['html_body']],
  );
  const sent = await api('POST', `${issue}/send`, {});
  assert.deepEqual([sent.status, sent.body.param], [422, 'html_body']);
  assert.equal((await api('GET', issue)).body.status, 'draft');
}

/** The browser's view of the link of ours that leads out. The tests are compiled without the types of a browser. */
const LOOK = `(() => {
  const link = [...document.querySelectorAll('a[data-posthorn-no-track]')].find((one) => one.textContent === 'Unsubscribe');
  if (link === undefined) return { problem: 'there is no link' };
  link.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const { x, y, width, height, right } = link.getBoundingClientRect();
  const at = JSON.stringify({ x, y, width, height });
  if (width < 40 || height < 10) return { problem: 'it has no size: ' + at };
  if (x < 0 || right > innerWidth || y < 0 || y + height > innerHeight) return { problem: 'it is out of sight: ' + at };
  const root = document.documentElement;
  const scroller = [root, document.body].find((one) => getComputedStyle(one).overflowY !== 'visible');
  if (scroller !== undefined && /hidden|clip/.test(getComputedStyle(scroller).overflowY) && root.scrollHeight > innerHeight)
    return { problem: 'nobody can scroll to it' };
  for (const [dx, dy] of [[0.05, 0.5], [0.5, 0.5], [0.95, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
    const top = document.elementFromPoint(x + width * dx, y + height * dy);
    if (top !== link) return { problem: 'it is covered by ' + (top === null ? 'nothing' : top.outerHTML.slice(0, 80)) };
  }
  return { x, y, width, height };
})()`;
type Look = { problem: string } | Place;

type Problems = [index: number, problem: string][];
const LOOKS = 5;

/**
 * What is wrong with the pages of these numbers: judged by the place and the very pixels of the link. A busy browser
 * may take its picture before all of many frames are painted: what is hidden is so by itself as well, at every look.
 */
async function problemsOf(on: Browser, numbers: readonly number[], javaScriptEnabled: boolean): Promise<Problems> {
  let problems = await lookAt(on, numbers, javaScriptEnabled);
  for (let looks = 1; looks < LOOKS && problems.length > 0; looks += 1) {
    const again: Problems = [];
    for (const [index] of problems) again.push(...(await lookAt(on, [index], javaScriptEnabled)));
    problems = again;
  }
  return problems;
}

async function lookAt(on: Browser, numbers: readonly number[], javaScriptEnabled: boolean): Promise<Problems> {
  if (numbers.length === 0) return [];
  // One picture of many frames takes a tenth of the time of many pictures.
  const opened = await openPage(on, [served.origin], {
    viewport: { width: FRAME.width, height: FRAME.height * numbers.length },
    javaScriptEnabled,
  });
  const frames = numbers.map(
    (index) => `<iframe src="/issue-${index}" width="${FRAME.width}" height="${FRAME.height}"></iframe>`,
  );
  pages.set('all', `<!doctype html><style>body{margin:0}iframe{display:block;border:0}</style>${frames.join('')}`);
  await opened.page.goto(`${served.origin}/all`);
  const looks = await Promise.all(
    opened.page
      .frames()
      .slice(1)
      .map((frame) => frame.evaluate<Look>(LOOK)),
  );
  const picture = await opened.page.screenshot({ animations: 'disabled' });
  await opened.close();
  const places = looks.map((look, row) => ('problem' in look ? null : { ...look, y: look.y + row * FRAME.height }));
  const drawn = await drawnIn(on, picture, places);
  return looks.flatMap((look, row): [number, string][] => {
    const problem = 'problem' in look ? look.problem : drawnProblem(drawn[row] ?? assert.fail());
    return problem === null ? [] : [[numbers[row] ?? -1, problem]];
  });
}

function drawnProblem({ contrast, dark }: Drawn): string | null {
  if (contrast < CONTRAST_MIN) return `its words are not drawn: a contrast of ${contrast.toFixed(2)}`;
  // Words and what is between them: a plain area is no word.
  return dark > 0.05 && dark < 0.6 ? null : `no words are drawn there: ${(dark * 100).toFixed(1)} % is dark`;
}

const P = '<p>What we wrote this week.</p>';
const COVER = 'position:fixed;inset:0;background:#fff;z-index:2147483647';
const doc = (head: string, body: string, attributes = ''): string =>
  `<!doctype html><html><head><title>t</title>${head}</head><body${attributes}>${body}</body></html>`;
const sheet = (css: string): string => `<style>${css}</style>`;

const CASES: Record<string, string[]> = {
  'things that never end': [
    `${P}<!-- todo`,
    `${P}<!--[if mso]><table><tr><td>`,
    `${P}<!--[if !mso]><!-->${P}`,
    `${P}<![if !vml]>${P}`,
    `${P}<!--[if gte mso 9]><xml><o:x></xml><![endif]`,
    `${P}<div style="display:none">`,
    `${P}<div hidden><div><span>`,
    `<table><tr><td style="display:none">${P}`,
    '<table width=100%><tr><td><table><tr>',
    `${P}<textarea>`,
    `${P}<xmp>`,
    `${P}<noembed>`,
    `${P}<noframes>`,
    `${P}<title>`,
    `${P}<template>`,
    `${P}<svg><g>`,
    `${P}<svg><foreignObject width=1 height=1>`,
    `${P}<svg><title>`,
    `${P}<math><annotation-xml encoding="text/html">`,
    `${P}<details><summary>more`,
    `${P}<dialog>`,
    `${P}<button>`,
    `${P}<a href="https://example.com/">`,
    `${P}<noscript>`,
    `${P}<noscript><style>`,
    `${P}<noscript><p title="</noscript><!-- ">x</p></noscript>`,
    `${P}<noscript><p title="</noscript><div style='display:none'>">x</p>`,
    `${P}<select><option>`,
    `${P}<select><table><tr><td></select>`,
    `${P}<select><div></select>`,
    `${P}<marquee>`,
    `${P}<img alt="`,
    `${P}<style>.x{`,
    `${P}<style>@media screen{.x{color:red}`,
    `${P}<![CDATA[`,
    `${P}<svg><![CDATA[`,
    `${P}<video>`,
    `${P}<audio><p>`,
    `${P}<canvas>`,
    `${P}<plaintext>`,
    `${P}<b><i><u><font size=1 color=#f4f4f5>`,
    doc('', `${P}<div style="display:none">`),
    doc('', `<template shadowrootmode="open"><p>shadow</p></template>${P}`),
    doc('', `${P}<select><table><tr><td></select>`),
    doc('', `${P}<!--`),
  ],
  'an early end': [
    `${P}</body></html>${P}`,
    `</td></tr></table></td></tr></table>${P}`,
    '</div></div></center></table></body></html>',
    `${doc('', P)}${P}<div style="display:none">`,
    `${doc('', P)}<div style="${COVER}"></div>`,
    `${doc('', P)}<!-- end`,
    doc('', `${P}</body></html><div style="${COVER}"></div>`),
    `<body>${P}</body><body style="display:none">`,
    `<body>${P}<html style="display:none">`,
  ],
  'style sheets': [
    sheet('*{display:none!important}') + P,
    sheet('body{display:none}') + P,
    sheet('html{visibility:hidden!important}') + P,
    sheet('table,tbody,tr,td,a,span,div{display:none!important}') + P,
    sheet('table,tbody,tr,td,a{visibility:collapse!important;opacity:0!important;height:0!important}') + P,
    sheet('tbody{display:none!important}') + P,
    sheet('tbody,tr{opacity:0!important}') + P,
    sheet('table{position:absolute!important;left:-9999px!important;top:-999px!important}') + P,
    sheet('table{left:-999px!important;inset:-999px auto auto -999px!important}') + P,
    sheet('a{margin-left:-999px!important;padding:0 0 0 900px!important}') + P,
    sheet('a{margin:0 0 0 -400px!important}') + P,
    sheet('td{padding:0 0 0 2000px!important}') + P,
    sheet('a,td{-webkit-text-fill-color:transparent!important}') + P,
    sheet('a{text-indent:-999px!important;display:block!important}') + P,
    sheet('a{rotate:90deg!important;scale:0!important;translate:-900px!important}') + P,
    sheet('a{transform:rotateY(90deg)!important}') + P,
    sheet('a{-webkit-mask-image:linear-gradient(#0000,#0000)!important}') + P,
    sheet('td{-webkit-clip-path:circle(0)!important}') + P,
    sheet('a{color:#f4f4f5!important;font-size:0!important}') + P,
    sheet('a{line-height:0!important;word-spacing:900px!important;letter-spacing:-9em!important}') + P,
    sheet('a{pointer-events:none!important}') + P,
    sheet('a{mix-blend-mode:screen!important;filter:contrast(0)!important}') + P,
    sheet('td{background-image:linear-gradient(#52525b,#52525b)!important}') + P,
    sheet('a{background:#52525b!important}') + P,
    sheet(`a::after{content:"";${COVER}}`) + P,
    sheet(`*::before{content:"";${COVER}}`) + P,
    sheet(`td::before{content:"";display:block;${COVER}}`) + P,
    sheet(`table:last-of-type::after{content:"";${COVER}}`) + P,
    sheet(`body::after{content:"";${COVER}}`) + P,
    sheet(`html::after{content:"";${COVER}}`) + P,
    sheet(`:root::before{content:"";${COVER}}`) + P,
    sheet('td::first-line{font-size:0;color:#f4f4f5}') + P,
    sheet('@font-face{font-family:Arial;src:url(data:font/woff2;base64,d09GMgABAAAAAA)}') + P,
    sheet(':root{--x:none}body{display:var(--x)}') + P,
    sheet('body{opacity:.0}') + P,
    sheet('body{opacity:0.02}') + P,
    sheet('body{opacity:calc(0)}') + P,
    sheet('body{-webkit-mask-image:linear-gradient(#0000,#0000)}') + P,
    sheet('body{-webkit-filter:opacity(0)}') + P,
    sheet('body{-webkit-transform:scale(0)}') + P,
    sheet('[style]{display:none!important}') + P,
    sheet(':is(body,p){display:none!important}') + P,
    sheet(':where(html) > :not(head){display:none!important}') + P,
    sheet('html > :last-child{display:none!important}') + P,
    sheet('[lang]{visibility:hidden}') + P,
    sheet(':root:root{opacity:0}') + P,
    sheet('@scope (html){:scope{display:none}}') + P,
    sheet('html{&{display:none}}') + P,
    sheet('html{body{display:none!important}}') + P,
    sheet('@layer a{body{display:none!important}}') + P,
    sheet('@supports (display:block){body{display:none!important}}') + P,
    sheet('@media screen{@media (min-width:1px){body{display:none!important}}}') + P,
    sheet('@container (min-width:1px){table{display:none!important}}') + P,
    sheet('/*}*/b\\6fdy{disp\\6cay:none!important}') + P,
    sheet('body{rotate:180deg;translate:0 -3000px}') + P,
    sheet('body{overflow:hidden!important;height:20px!important}html{overflow:auto}') + P,
    sheet('html,body{overflow:hidden!important;height:100%}') + P.repeat(60),
    sheet('html,body{margin:0;padding:0;height:100%!important;width:100%!important}') + P.repeat(60),
    sheet('body{margin-top:-600px!important}') + P,
    sheet('body{display:flex!important}p{flex:0 0 9000px}') + P,
    sheet('body{width:1px!important;overflow:hidden}') + P,
    sheet('body{writing-mode:vertical-rl!important}') + P,
    sheet('body{direction:rtl!important;unicode-bidi:bidi-override!important}') + P,
    sheet('body{-webkit-text-fill-color:transparent;-webkit-text-stroke:9px #f4f4f5;pointer-events:none}') + P,
    sheet('*{-webkit-text-security:disc!important;interactivity:inert!important}') + P,
    sheet('a::after{content:"";box-shadow:0 0 0 99px #f4f4f5}') + P,
    sheet('*{writing-mode:vertical-rl!important}') + P,
    sheet('body{color:#f4f4f5!important;font-size:0!important;line-height:0!important}') + P,
    sheet('@keyframes x{to{opacity:0}}body{animation:x 0s forwards}') + P,
    sheet('@keyframes x{to{opacity:0}}a,td,table{animation:x 0s forwards!important}') + P,
    sheet('body{position:fixed;left:-3000px}') + P,
    sheet('body{display:contents!important}table{display:contents!important}') + P,
    sheet('body{column-count:9;column-width:9px}') + P,
    sheet('body{zoom:0.01}') + P,
    sheet('table{zoom:0.01!important}') + P,
    sheet('body{contain:strict}') + P,
    sheet('body{perspective:1px;transform-style:preserve-3d}') + P,
    sheet('body{content-visibility:hidden}') + P,
    sheet('body{visibility:var(--v,hidden)}') + P,
    sheet('body{max-height:1px!important;overflow:clip!important}') + P,
  ],
  'what lies over it': [
    `${P}<div style="${COVER}"></div>`,
    `${P}<div style="position:absolute;top:0;left:0;width:100%;height:9000px;background:#fff;z-index:99999"></div>`,
    `${P}<img alt="" style="${COVER};width:100%;height:100%">`,
    `${P}<dialog open style="${COVER};width:100%;height:100%;border:0">x</dialog>`,
    `${P}<svg style="${COVER};width:100%;height:100%"><rect width="9999" height="9999" fill="#fff"/></svg>`,
    `${P}<div style="margin-bottom:-900px;height:10px">x</div>`,
    doc('', `${P}<div style="${COVER}"></div>`),
    doc('', `${P}<div style="margin-bottom:-900px;height:10px">x</div>`),
    doc('', `${P}<div style="margin-top:-990px;height:10px">x</div>`),
    doc('', `${P}<div style="margin:0 0 -90vh">x</div>`),
    doc('', `${P}<div style="margin-bottom:calc(-1px * 900)">x</div>`),
    doc('', `${`<p style="margin:0 0 -80px">x</p>`.repeat(20)}`),
    doc(sheet('p{margin:0 0 -80px}'), P.repeat(20)),
    doc('', `${P}<div style="float:left;width:100%;height:900px;background:#fff"></div>`),
    doc(sheet('.x{position:relative;z-index:9}'), `<div class="x">${P}</div>`),
  ],
  'the body itself': [
    doc('', P, ' style="display:none"'),
    doc('', P, ' style="color:#f4f4f5;background:#f4f4f5"'),
    doc('', P, ' bgcolor="#000000" text="#000000" link="#000000" style="background:#000"'),
    doc('', P, ' style="opacity:0.01"'),
    doc('', P, ' hidden="until-found"'),
    doc('', P, ' popover'),
    doc('', P, ' style="overflow:hidden;height:10px"'),
    doc('', P, ' inert'),
    doc(sheet('[bgcolor]{visibility:hidden}'), P, ' bgcolor="#fff"'),
    doc(sheet('.wrap{opacity:0}'), P, ' class="wrap"'),
    doc(sheet('[class~=wrap]{opacity:0}'), P, ' class="a wrap"'),
    doc('<base href="https://example.com/">', P),
    doc('<meta name="viewport" content="width=1">', P),
    doc('<meta http-equiv="refresh" content="0;url=https://example.com/">', P),
    doc(sheet('u + .body .gwfw{width:100vw!important}*[class="hide"]{display:none!important}'), P, ' class="body"'),
    `<!--[if mso]><body class="mso"><![endif]-->${P}<!--[if !mso]><!--><div><!--<![endif]-->${P}</div>`,
    `<!doctype html><html><head></head>${P}`,
    '<html><head><style>body{}',
  ],
  'much of it': [
    `<table width="3000"><tr>${'<td>wide cell here</td>'.repeat(40)}</tr></table>`,
    `<table>${'<tr><td>x</td></tr>'.repeat(3_000)}</table>`,
    `${'<div>'.repeat(250)}deep`,
    `${'<table><tr><td>'.repeat(60)}deep`,
    `<p>${'word'.repeat(5_000)}</p>`,
    `${P}<div style="height:60000px"></div>`,
    `<pre>${'x'.repeat(4_000)}</pre>`,
    doc('', `<table width="3000"><tr>${'<td>wide cell here</td>'.repeat(40)}</tr></table>`),
  ],
};

/** The messages that must be accepted: everybody's honest mail looks like this. */
const HONEST = [
  sheet('.hide *,.x > .y *{display:none!important}body .z > *{position:absolute}') + P,
  sheet('html,body{margin:0;padding:0;height:100%!important;width:100%!important}') + P.repeat(60),
  doc(sheet('u + .body .gwfw{width:100vw!important}*[class="hide"]{display:none!important}'), P, ' class="body"'),
  `${P}<!--[if !mso]><!-->${P}`,
];

CASES['what everybody’s mail looks like'] = HONEST;

for (const [group, cases] of Object.entries(CASES)) {
  test(`the link that leads out is seen, or the issue is refused: ${group}`, async (t) => {
    if (!needsTool(t, 'chromium') || browser === undefined) return;
    const { body: made } = await api('POST', '/v1/newsletters', {
      name: 'Slow Mornings',
      slug: `mornings-${Object.keys(CASES).indexOf(group)}`,
      from_email: 'letters@posthorn.test',
      postal_address: '1 Main Street',
    });
    const list = `/v1/newsletters/${made.id}/issues`;
    const { body: issue } = await api('POST', list, { subject: 'Issue', html_body: P });
    const problems: string[] = [];
    const shown: string[] = [];
    let refused = 0;
    for (const html of cases) {
      const changed = await api('PATCH', `${list}/${issue.id}`, { html_body: html });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      const preview = await api('GET', `${list}/${issue.id}/preview`);
      if (preview.status === 422) {
        assert.equal(preview.body.param, 'html_body', JSON.stringify(preview.body));
        if (refused === 0) await assertNotSent(`${list}/${issue.id}`);
        refused += 1;
        if (HONEST.includes(html)) problems.push(`${html.slice(0, 200)}\n  refused: ${preview.body.message}`);
        continue;
      }
      assert.equal(preview.status, 200, JSON.stringify(preview.body));
      shown.push(html);
      pages.set(`issue-${shown.length - 1}`, preview.body.html);
    }
    for (const [index, problem] of await problemsOf(browser, shown.keys().toArray(), false))
      problems.push(`${shown[index]?.slice(0, 200)}\n  ${problem}`);
    // Mail is read without scripts. Where a browser would run them, it reads <noscript> as another text.
    const unlike = shown.keys().filter((index) => shown[index]?.includes('<noscript') ?? false);
    for (const [index, problem] of await problemsOf(browser, unlike.toArray(), true))
      problems.push(`${shown[index]?.slice(0, 200)}\n  with scripts: ${problem}`);
    assert.deepEqual(problems, []);
  });
}
