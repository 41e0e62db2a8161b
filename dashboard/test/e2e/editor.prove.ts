/**
 * The editor of an issue and the frame of mail, alone on a page, in a real browser. The real server serves the page,
 * with its policy and its frames.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, suite, test } from 'node:test';
import { openPage, type WatchedPage } from '../../../server/test/harness/browser.ts';
import { until } from '../../../server/test/harness/until.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';

interface Body {
  html: string;
  editor: { document: { content: { type: string }[] } } | null;
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../../src/lib/blocks/fixtures/${name}.html`, import.meta.url), 'utf8');

let dashboard: RunningDashboard;
let seen: WatchedPage;
before(async () => {
  dashboard = await startDashboard({ config: 'test/harness/editor/vite.config.ts' });
  seen = await dashboard.open('/');
  await seen.page.waitForFunction('window.render !== undefined');
});
after(() => dashboard?.stop());

const body = (): Promise<Body> => seen.page.evaluate('window.body');
/** The policy refuses pictures of other hosts in the editor, and says so. Nothing else may be refused. */
const forgetPictures = (): void => {
  const others = seen.errors.filter((error) => !/img-src|Loading the image|Failed to load resource/.test(error));
  seen.errors.splice(0, seen.errors.length, ...others);
};
const typesOf = async (): Promise<string[]> => ((await body()).editor?.document.content ?? []).map(({ type }) => type);
const open = async (html: string, editor: unknown = null): Promise<void> => {
  await seen.page.evaluate(`window.open(${JSON.stringify({ html, editor })})`);
};
const text = () => seen.page.getByRole('textbox', { name: 'Body of the issue', exact: true });
const focus = () => text().focus();
const press = (keys: string) => seen.page.keyboard.press(keys);
const type = (words: string) => seen.page.keyboard.type(words);
const paste = (html: string, plain: string) =>
  text().evaluate(
    (element, data) => {
      const clipboardData = new DataTransfer();
      for (const [kind, value] of Object.entries(data)) if (value !== '') clipboardData.setData(kind, value);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { 'text/html': html, 'text/plain': plain },
  );

beforeEach(async () => {
  await open('');
  await focus();
});

suite('the editor of blocks', () => {
  test('writes headings, lists, marks and variables from the keyboard alone', async () => {
    await type('/head');
    await press('Enter');
    await type('News');
    await press('Enter');
    await type('Hello {{na');
    await press('Enter');
    await type(', ');
    await press('Control+b');
    await type('bold');
    await press('Control+b');
    await press('Enter');
    await type('- one');
    await press('Enter');
    await press('Tab');
    await type('two {{ plan | default: "free" }} and {{ size }}');
    const { html } = await body();
    assert.match(html, /two \{\{ plan \| default: "free" \}\} and \{\{ size \}\}/, 'typed braces are a variable');
    assert.match(html, /<h1 style="[^"]*">News<\/h1>/);
    assert.match(html, /Hello \{\{ subscriber\.name \| default: "there" \}\}, <strong>bold<\/strong><\/p>/);
    assert.match(html, /<li[^>]*>one\n<ul/);
    assert.deepEqual((await typesOf()).slice(0, 3), ['heading', 'paragraph', 'bulletList']);
  });

  test('undoes and does again', async () => {
    await type('one');
    await press('Enter');
    await type('two');
    await press('Control+z');
    assert.doesNotMatch((await body()).html, /two/);
    await press('Control+Shift+z');
    assert.match((await body()).html, /two/);
  });

  test('moves, copies and deletes blocks by keys and by the menu of the handle', async () => {
    await type('one');
    await press('Enter');
    await type('two');
    await press('Alt+ArrowUp');
    assert.match((await body()).html, /two[^]*one/);
    await press('Control+Shift+d');
    assert.equal((await body()).html.split('two').length, 3);
    await press('Control+Shift+Backspace');
    assert.equal((await body()).html.split('two').length, 2);
    await press('Alt+F10');
    await press('Enter');
    await seen.page.getByRole('menuitem', { name: /Delete/ }).click();
    assert.equal((await typesOf()).length, 1);
  });

  test('keeps the handle beside its block when the window gets narrow', async () => {
    await type('words '.repeat(20));
    await press('Enter');
    await type('last');
    const tops = () =>
      Promise.all(
        [
          seen.page.getByRole('button', { name: 'Actions on this block' }),
          text().getByText('last', { exact: true }),
        ].map(async (one) => Math.round((await one.boundingBox())?.y ?? 0)),
      );
    const beside = async () => {
      const [handle = 0, line = 0] = await tops();
      return Math.abs(handle - line) < 12 ? true : undefined;
    };
    assert.ok(await beside());
    await seen.page.setViewportSize({ width: 390, height: 800 });
    await until('the handle beside the block', beside);
    await seen.page.setViewportSize({ width: 1280, height: 720 });
  });

  test('makes columns, and a button with its address', async () => {
    await type('/two col');
    await press('Enter');
    await type('Left');
    const { html } = await body();
    assert.match(html, /<td width="48%"[^>]*>\n<p[^>]*>Left<\/p>/);
    await open('');
    await focus();
    await type('/button');
    await press('Enter');
    await seen.page.getByLabel('Address').fill('example.com/go');
    await seen.page.getByLabel('Text', { exact: true }).fill('Go on');
    await seen.page.getByRole('button', { name: 'Done' }).click();
    assert.match(
      (await body()).html,
      /<a href="https:\/\/example\.com\/go"[^>]*background-color:#2f51cb[^>]*>Go on<\/a>/,
    );
  });

  test('links words with Ctrl+K', async () => {
    await type('read');
    await press('Shift+Home');
    await press('Control+k');
    await seen.page.getByLabel('Address of the link').fill('example.com');
    await press('Enter');
    assert.match((await body()).html, /<a href="https:\/\/example\.com">read<\/a>/);
  });

  test('uploads a picture that is dropped or pasted, asks for its alternative text, and says why one failed', async () => {
    const drop = (name: string) =>
      text().evaluate((element, file) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File(['x'], file, { type: 'image/png' }));
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, name);
    await drop('cat.png');
    await seen.page.getByLabel('Alternative text').fill('A cat');
    assert.match((await body()).html, /<img src="https:\/\/pictures\.example\.com\/cat\.png" alt="A cat" width="320"/);
    await drop('bad.png');
    await seen.page.getByText('bad.png: The picture is larger than 10 MB.').waitFor();
    forgetPictures();
  });

  for (const [name, wanted] of [
    ['google-docs', ['heading', 'paragraph', 'heading', 'bulletList', 'orderedList', 'picture', 'table']],
    ['word', ['heading', 'paragraph', 'heading', 'bulletList', 'orderedList', 'table']],
    ['gmail', ['paragraph', 'paragraph', 'bulletList', 'blockquote', 'picture', 'paragraph']],
  ] as const) {
    test(`takes what was copied in ${name}`, async () => {
      await paste(fixture(name), 'plain');
      const types = await typesOf();
      assert.deepEqual(types.slice(0, wanted.length), wanted);
      assert.doesNotMatch((await body()).html, /Mso|docs-internal|gmail|<script|alert/);
      forgetPictures();
    });
  }

  test('takes Markdown, and plain text as it is', async () => {
    await paste('', '# Title\n\n- a\n- b');
    assert.deepEqual((await typesOf()).slice(0, 2), ['heading', 'bulletList']);
    await open('');
    await focus();
    await paste('', 'only words');
    assert.match((await body()).html, />only words</);
    await paste('', ', {{ name }}');
    assert.match((await body()).html, />only words, \{\{ name \}\}</, 'pasted braces are a variable');
  });
});

suite('tables', () => {
  /** The words of each row, with `#` before headings. */
  const rows = async (): Promise<string[]> => {
    const { html } = await body();
    return [...html.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
      [...row.matchAll(/<t([hd])[^>]*>([^]*?)<\/t[hd]>/g)]
        .map(([, kind, words = '']) => `${kind === 'h' ? '#' : ''}${words.replace('&nbsp;', '')}`)
        .join(' | '),
    );
  };
  const choose = async (label: string): Promise<void> => {
    await seen.page.getByRole('button', { name: 'Rows and columns' }).click();
    await seen.page.getByRole('menuitem', { name: label }).click();
  };
  const SHEET =
    '<table><tr><td><b>Plan</b></td><td><b>Price</b></td></tr><tr><td>Small</td><td style="text-align:right">10 €</td></tr></table>';

  test('are pasted with their rows, and written in from cell to cell', async () => {
    await paste(SHEET, 'plain');
    assert.deepEqual(await rows(), ['#Plan | #Price', 'Small | 10 €']);
    assert.match((await body()).html, /<td align="right"[^>]*>10 €</);
    await text().getByText('Small').click();
    await press('End');
    await type('er');
    await press('Tab');
    await type('9 €');
    await press('Tab');
    await type('Large');
    await press('Enter');
    await type('- two /lines');
    await press('Shift+Tab');
    await press('Shift+Tab');
    await type('Smallest');
    assert.deepEqual(await rows(), ['#Plan | #Price', 'Smallest | 9 €', 'Large<br>\n- two /lines | ']);
    await press('Control+Enter');
    await type('Behind');
    assert.match((await body()).html, /<\/div>\n<p [^>]*>Behind<\/p>\n$/);
    const { html, editor } = await body();
    await open(html, editor);
    assert.deepEqual(await rows(), ['#Plan | #Price', 'Smallest | 9 €', 'Large<br>\n- two /lines | ']);
  });

  test('get and lose rows, columns and headings by a menu, and are undone', async () => {
    await type('/table');
    await press('Enter');
    await type('A');
    await press('Tab');
    await type('B');
    assert.deepEqual(await rows(), ['#A | #B | #', ' |  | ', ' |  | ']);
    await choose('Delete the row');
    assert.deepEqual(await rows(), [' |  | ', ' |  | ']);
    await press('Control+z');
    await choose('Add a column on the left');
    await choose('Add a row below');
    assert.deepEqual(await rows(), ['#A | # | #B | #', ' |  |  | ', ' |  |  | ', ' |  |  | ']);
    await choose('Headings in the first row');
    assert.equal((await rows())[0], 'A |  | B | ');
    await choose('Delete the column');
    await choose('Delete the table');
    assert.deepEqual(await rows(), []);
    assert.equal(await seen.page.getByRole('button', { name: 'Rows and columns' }).count(), 0);
  });

  test('take words, and another table, into their cells; what is more stands behind them', async () => {
    await paste(SHEET, 'plain');
    await text().getByText('Small').click();
    await press('End');
    await type(' ');
    await paste('<p>one</p><ul><li>two</li></ul>', 'plain');
    assert.equal((await rows())[1], 'Small one<br>\n• two | 10 €');
    await paste(
      '<table><tr><td>x</td><td>y</td><td>z</td></tr><tr><td>u</td><td>v</td><td>w</td></tr></table>',
      'plain',
    );
    assert.deepEqual(await rows(), ['#Plan | #Price | #', 'x | y | z', 'u | v | w']);
    await paste('<p>a</p><hr><p>b</p>', 'plain');
    await text().getByText('u', { exact: true }).click();
    await type('---');
    await seen.page.getByRole('button', { name: 'Insert a block' }).click();
    await seen.page.getByRole('menuitem', { name: 'Divider' }).click();
    assert.equal((await rows()).length, 3);
    const types = (await typesOf()).filter((one) => one !== 'paragraph');
    assert.deepEqual(types, ['table', 'horizontalRule', 'horizontalRule']);
  });

  test('fit a phone: their words stay whole, and only the table scrolls', async () => {
    const cell = (words: string) => `<td>${words}</td>`;
    const wide = `<tr>${['Registration', 'Cancellation', 'Accessibility', 'Confirmation'].map(cell).join('')}</tr>`;
    await paste(`<table>${wide}${wide}</table>`, 'plain');
    const { html } = await body();
    const { page, close } = await openPage(dashboard.browser, [], { viewport: { width: 320, height: 600 } });
    await page.setContent(`<!doctype html><body style="margin:24px;word-break:break-word">${html}</body>`);
    const size: unknown = await page.evaluate(
      `({ page: document.documentElement.scrollWidth, scrolls: document.querySelector('div').scrollWidth > 272, rows: [...document.querySelectorAll('tr')].map((row) => row.clientHeight < 60) })`,
    );
    assert.deepEqual(size, { page: 320, scrolls: true, rows: [true, true] });
    await close();
  });
});

suite('the source', () => {
  test('gives back every byte of html that nobody changed, and of the rest when a letter is typed', async () => {
    const html = '<p>a</p>\r\n\t<table><tr><td>b\n{% if x %}\u00a0{% endif %}</table>\r\n<P CLASS=x>';
    await open(html);
    await seen.page.locator('.cm-content').waitFor();
    assert.equal(await seen.page.evaluate('window.changes'), 0);
    await seen.page.locator('.cm-content').focus();
    await press('Control+End');
    await type('!');
    assert.deepEqual(await body(), { html: `${html}!`, editor: null });
  });

  test('keeps the blocks until it is typed in, and gives them back after that', async () => {
    await type('words');
    const blocks = await body();
    await seen.page.getByRole('button', { name: 'Edit as HTML' }).click();
    await seen.page.locator('.cm-content').waitFor();
    assert.deepEqual(await body(), blocks);
    await seen.page.locator('.cm-content').focus();
    await press('Control+End');
    await type('<!-- x -->');
    assert.equal((await body()).editor, null);
    await seen.page.getByRole('button', { name: 'Undo and go back to blocks' }).click();
    await text().waitFor();
    assert.deepEqual(await body(), blocks);
  });
});

suite('columns', () => {
  const column = (words: string) => ({
    type: 'column',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
  });
  /** The places of the cells at a width. */
  const places = async (source: string, width: number): Promise<number[][]> => {
    const { page, close } = await openPage(dashboard.browser, [], { viewport: { width, height: 600 } });
    await page.setContent(`<!doctype html><body style="margin:24px">${source}</body>`);
    const rects = (await page.evaluate(
      `[...document.querySelectorAll('td[valign]')].map((cell) => { const { left, top, width } = cell.getBoundingClientRect(); return [left, top, width].map(Math.round); })`,
    )) as number[][];
    await close();
    return rects;
  };
  test('stand side by side in a mail and below one another on a phone, however the source is wrapped', async () => {
    const content = [{ type: 'columns', content: ['one', 'two', 'three'].map(column) }];
    const html: string = await seen.page.evaluate(`window.render(${JSON.stringify({ type: 'doc', content })})`);
    const forms = {
      minified: html.replace(/\n/g, ''),
      're-wrapped': html.replace(/>\s*</g, '>\r\n      <').replace(/(<\w+) /g, '$1\r\n '),
    };
    const wide = await places(html, 600);
    const narrow = await places(html, 320);
    assert.deepEqual(
      wide.map(([, top]) => top),
      [24, 24, 24],
    );
    assert.deepEqual(
      wide.map(([, , width]) => width),
      [171, 171, 171],
    );
    assert.deepEqual(
      narrow.map(([left, , width]) => [left, width]),
      [
        [24, 272],
        [24, 272],
        [24, 272],
      ],
    );
    assert.ok((narrow[0]?.[1] ?? 0) < (narrow[1]?.[1] ?? 0) && (narrow[1]?.[1] ?? 0) < (narrow[2]?.[1] ?? 0));
    for (const [name, source] of Object.entries(forms)) {
      assert.deepEqual(await places(source, 600), wide, name);
      assert.deepEqual(await places(source, 320), narrow, name);
    }
  });
});

suite('the preview', () => {
  test('of hostile mail runs nothing and asks nobody, and pictures load when they are wanted', async () => {
    seen.errors.length = 0;
    seen.strangers.length = 0;
    const hostile = `<html><head><base href="https://evil.test/"><meta http-equiv="refresh" content="0;url=https://evil.test/r"><link rel=stylesheet href="https://evil.test/s.css">
      <style>@import "https://evil.test/i.css"; body{background:url(https://evil.test/b.png)}</style></head><body onload="parent.document.title='ran'">
      <script>parent.document.title='ran'</script><img src=x onerror="parent.document.title='ran'"><img src="https://pictures.test/p.png">
      <iframe src="https://evil.test/f"></iframe><form action="https://evil.test/q"><button>go</button></form>
      <svg><a xlink:href="https://evil.test/svg"><text y=20>svg</text></a></svg><a href="https://evil.test/l" target="_top">link</a><a href="javascript:parent.document.title='ran'">js</a><p>The end</p></body></html>`;
    await seen.page.evaluate(`window.preview(${JSON.stringify(hostile).replaceAll('<', '\\u003c')})`);
    const frame = seen.page.frameLocator('iframe');
    await frame.getByText('The end').waitFor();
    for (const name of ['link', 'js', 'svg']) await frame.getByText(name, { exact: true }).click({ force: true });
    assert.equal(await seen.page.title(), 'Editor');
    assert.deepEqual(seen.strangers, []);
    assert.equal(seen.page.context().pages().length, 1);
    assert.deepEqual(
      seen.errors.filter((error) => !/Content Security Policy|Blocked/i.test(error)),
      [],
    );
    await seen.page.getByRole('radiogroup', { name: 'Pictures' }).getByText('All', { exact: true }).click();
    await frame.getByText('The end').waitFor();
    assert.deepEqual(
      [...new Set<string>(seen.strangers)].sort((one, other) => one.localeCompare(other)),
      ['https://evil.test/b.png', 'https://pictures.test/p.png'],
    );
    assert.equal(await seen.page.title(), 'Editor');
    seen.errors.length = 0;
  });
});

test('nothing that the page did was against its policy', () => {
  assert.deepEqual(seen.errors, []);
});
