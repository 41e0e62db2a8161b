/** A line of text in which variables are whole, in a real browser: a subject, and the fields of the editor. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { WatchedPage } from '../../../server/test/harness/browser.ts';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaults } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';

const NAME = '{{ subscriber.name }}';

let dashboard: RunningDashboard;
let seen: WatchedPage;
before(async () => {
  dashboard = await startDashboard({ config: 'test/harness/editor/vite.config.ts' });
  seen = await dashboard.open('/');
  await until('the field', async () => (await seen.page.evaluate<boolean>('window.line !== undefined')) || undefined);
});
after(() => dashboard?.stop());

const field = (name = 'Subject') => seen.page.getByRole('textbox', { name, exact: true });
const press = async (...keys: string[]) => {
  for (const key of keys) await seen.page.keyboard.press(key);
};
const type = (words: string) => seen.page.keyboard.type(words);
const text = (name?: string) => field(name).inputValue();
const changes = () => seen.page.evaluate<number>('window.changes');
/** The selected words; of a caret, `|` and the text behind it. A browser tells of a selection a moment later. */
const selected = (name?: string) =>
  field(name).evaluate(async (element) => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const { value, selectionStart: from, selectionEnd: to } = element as HTMLInputElement; // a textbox of one line
    return from === to ? `|${value.slice(from ?? 0)}` : value.slice(from ?? 0, to ?? 0);
  });
const show = async (value: string) => {
  await seen.page.evaluate(`window.line(${JSON.stringify(value)})`);
  await until('the text', async () => (await text()) === value || undefined);
  await field().focus();
  await press('Home');
};
/** The place of a part of the text in the window, from its mark. */
const markBox = async (index = 0) => {
  const box = await seen.page.locator('mark').nth(index).boundingBox();
  assert.ok(box);
  return { ...box, middle: box.x + box.width / 2, line: box.y + box.height / 2 };
};

suite('a variable in a line', () => {
  test('is passed, selected and deleted whole by the keyboard, and Ctrl+Z brings it back', async () => {
    await show('');
    await type(`Hi ${NAME}, news`);
    await press('Home', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    assert.equal(await selected(), `|${NAME}, news`);
    await press('ArrowRight');
    assert.equal(await selected(), '|, news');
    await press('ArrowLeft');
    await type('x');
    assert.equal(await text(), `Hi x${NAME}, news`);
    await press('Shift+ArrowRight');
    assert.equal(await selected(), NAME);
    await press('Shift+ArrowRight');
    assert.equal(await selected(), `${NAME},`);
    await press('Shift+ArrowLeft', 'Shift+ArrowLeft');
    assert.equal(await selected(), `|${NAME}, news`);
    await press('Delete');
    assert.equal(await text(), 'Hi x, news');
    await press('Control+z');
    assert.equal(await text(), `Hi x${NAME}, news`);
    await press('Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Backspace');
    assert.equal(await text(), 'Hi x, news');
    await press('Control+z', 'End', 'Control+Backspace', 'Control+Backspace', 'Control+Backspace');
    assert.equal(await text(), 'Hi x');
  });

  test('is selected by a click and by a drag over half of it, and typed over', async () => {
    await show(`Hi ${NAME}, news`);
    const { x, middle, line } = await markBox();
    await seen.page.mouse.click(middle, line);
    assert.equal(await selected(), NAME);
    await press('Home');
    await seen.page.mouse.move(x - 12, line);
    await seen.page.mouse.down();
    await seen.page.mouse.move(middle, line, { steps: 4 });
    await seen.page.mouse.up();
    assert.match(await selected(), /^(Hi|i)? ?\{\{ subscriber\.name \}\}$/);
    await type('you');
    assert.match(await text(), /^(Hi|H)? ?you, news$/);
  });

  test('stays whole when words are dropped into it, and moves whole', async () => {
    await show(`one ${NAME} two`);
    const { x, middle, line } = await markBox();
    await seen.page.mouse.dblclick(x - 20, line);
    await seen.page.mouse.down();
    await seen.page.mouse.move(middle, line, { steps: 8 });
    await seen.page.mouse.up();
    assert.match(await text(), /^ ?\{\{ subscriber\.name \}\}one ? two$/);
  });

  test('is copied, cut and pasted whole, and pasted lines become one', async () => {
    await dashboard.browser.contexts()[0]?.grantPermissions(['clipboard-read', 'clipboard-write']);
    await show(`a${NAME}b`);
    await press('ArrowRight', 'Shift+ArrowRight', 'Control+x');
    assert.equal(await text(), 'ab');
    await press('End', 'Control+v', 'Control+v', 'ArrowLeft', 'Backspace');
    assert.equal(await text(), `ab${NAME}`);
    await show('{{ subscriber.nick }}');
    await press('Shift+ArrowRight', 'Control+v');
    assert.equal(await text(), NAME, 'one variable takes the place of another');
    await field().evaluate(async (element) => {
      await navigator.clipboard.writeText('first\nsecond');
      (element as HTMLInputElement).select(); // a textbox of one line
    });
    await press('Control+v');
    assert.equal(await text(), 'first second');
    await press('Enter');
    assert.equal(await text(), 'first second');
  });

  test('stays whole under an input method, also one that changes letters in it', async () => {
    await show(`a${NAME}b`);
    const session = await seen.page.context().newCDPSession(seen.page);
    await press('ArrowRight', 'ArrowRight');
    await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await session.send('Input.insertText', { text: '日本' });
    assert.equal(await text(), `a${NAME}日本b`);
    await session.send('Input.imeSetComposition', {
      text: 'x',
      selectionStart: 1,
      selectionEnd: 1,
      replacementStart: 4,
      replacementEnd: 10,
    });
    await session.send('Input.insertText', { text: 'x' });
    assert.equal(await text(), 'ax日本b');
    assert.equal(await seen.page.evaluate('document.activeElement.value'), 'ax日本b');
  });

  test('can be written between braces that stand already', async () => {
    await show('{{}}');
    await press('ArrowRight', 'ArrowRight');
    await type('plan');
    assert.equal(await text(), '{{plan}}');
    await press('End', 'Backspace');
    assert.equal(await text(), '');
  });

  test('opens at its fallback by F2 and by a double click, and is whole again when the caret has left it', async () => {
    await show('Hi {{ subscriber.name | default: "there" }}, news');
    await press('End', ...Array.from({ length: 6 }, () => 'ArrowLeft'), 'F2');
    assert.equal(await selected(), 'there');
    await type('dear reader');
    await press('Backspace');
    assert.equal(await text(), 'Hi {{ subscriber.name | default: "dear reade" }}, news');
    await press('Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight');
    assert.equal(await selected(), '|, news');
    const { middle, line } = await markBox();
    await seen.page.mouse.dblclick(middle, line);
    assert.equal(await selected(), 'dear reade');
    await press('Control+z', 'Control+z');
    assert.match(await text(), /default: "there"/);
  });

  test('gets a place for a fallback where it has none, and Ctrl+Z takes that back', async () => {
    await show(`Hi ${NAME}, news`);
    const { middle, line } = await markBox();
    await seen.page.mouse.dblclick(middle, line);
    await type('you');
    assert.equal(await text(), 'Hi {{ subscriber.name | default: "you" }}, news');
    await press('Control+z', 'Control+z');
    assert.equal(await text(), `Hi ${NAME}, news`);
  });

  test('stays as it is at F2 when no variable is beside the caret', async () => {
    await show(`Hi ${NAME}, news`);
    await press('End', 'F2');
    assert.equal(await selected(), '|');
    assert.equal(await text(), `Hi ${NAME}, news`);
  });

  test('is put in by the menu at the caret', async () => {
    await show(`a${NAME}b`);
    await press('ArrowRight', 'ArrowRight');
    await seen.page.getByRole('button', { name: 'Insert a variable into the subject' }).click();
    await seen.page.getByRole('menuitem', { name: 'Name', exact: true }).click();
    assert.equal(await text(), `a${NAME}{{ subscriber.name | default: "there" }}b`);
  });
});

suite('the menu of variables', () => {
  test('fits on a phone, with the sentence about fallbacks', async () => {
    await seen.page.setViewportSize({ width: 360, height: 740 });
    await show('');
    await seen.page.getByRole('button', { name: 'Insert a variable into the subject' }).click();
    const sentence = await seen.page.getByText('to change its fallback').boundingBox();
    const menu = await seen.page.getByRole('menu').boundingBox();
    assert.ok(sentence && menu);
    for (const { x, width } of [sentence, menu]) assert.ok(x >= 0 && x + width <= 360, `from ${x}, ${width} px wide`);
    await press('Escape');
    await seen.page.setViewportSize({ width: 1280, height: 900 });
  });
});

suite('a line that nobody edits', () => {
  test('is no change: Liquid, odd spaces and braces stay byte by byte while a person walks through', async () => {
    const odd = "{%if a%}{{a|upcase}}{%endif%} {{\u00a0b\u00a0}} {{{c}}} } {{ d.e|default:'x' }} {{";
    await show(odd);
    await press(...Array.from({ length: 40 }, () => 'ArrowRight'), 'Shift+Home', 'End', 'Control+ArrowLeft');
    const { middle, line } = await markBox();
    await seen.page.mouse.click(middle, line);
    await press('Tab');
    assert.equal(await text(), odd);
    assert.equal(await changes(), 0);
  });
});

suite('the fields of the editor', () => {
  test('keep variables whole in the address and the words of a button, and in the text of a picture', async () => {
    await seen.page.evaluate(`window.open({ html: '', editor: null })`);
    await field('Body of the issue').focus();
    await type('/button');
    await press('Enter');
    for (const [name, words] of [
      ['Text', `Hi ${NAME}`],
      ['Address', `https://a.test/?n=${NAME}`],
    ] as const)
      await field(name).fill(words);
    for (const [name, rest] of [
      ['Text', 'Hi '],
      ['Address', 'https://a.test/?n='],
    ] as const) {
      await field(name).focus();
      await press('End', 'ArrowLeft');
      assert.equal(await selected(name), `|${NAME}`);
      await press('Delete');
      assert.equal(await text(name), rest);
    }
    await seen.page.getByRole('button', { name: 'Done' }).click();
    await field('Body of the issue').evaluate((element) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['x'], 'sea.png', { type: 'image/png' }));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await field('Alternative text').fill(`Of ${NAME}`);
    await field('Alternative text').focus();
    await press('End', 'Backspace');
    assert.equal(await text('Alternative text'), 'Of ');
  });
});

suite('the mark of a variable', () => {
  test('lies where its letters are, also when a phone scrolls the line, and passes axe in light and dark', async () => {
    await seen.page.setViewportSize({ width: 360, height: 740 });
    await show(`A long beginning of a subject line, then ${NAME}`);
    await press('End');
    await seen.page.waitForTimeout(100);
    const box = await field().boundingBox();
    const { x, width } = await markBox();
    assert.ok(box);
    const ofField = await field().evaluate((element) => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      return element.scrollWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    });
    const ofMarks = await seen.page.locator('span:has(mark)').first().boundingBox();
    assert.ok(
      Math.abs(ofField - (ofMarks?.width ?? 0)) <= 2,
      `${ofField} px of letters, ${ofMarks?.width} px of marks`,
    );
    const right = box.x + box.width - (x + width);
    assert.ok(right >= 0 && right < 20, `the mark ends ${right} px before the edge of the field`);
    assert.ok((await seen.page.evaluate<number>('document.documentElement.scrollWidth')) <= 360);
    for (const colorScheme of ['light', 'dark'] as const) {
      await seen.page.emulateMedia({ colorScheme });
      assert.deepEqual(await axeFaults(seen.page), []);
      if (process.env['LINE_PICTURES'] !== undefined)
        await seen.page.screenshot({ path: `${process.env['LINE_PICTURES']}/${colorScheme}.png` });
    }
    assert.equal(await field().evaluate((element) => element.getAttribute('aria-describedby') !== null), true);
  });
});

test('nothing that the page did was against its policy', () => {
  assert.deepEqual(
    seen.errors.filter((error) => !/img-src|Loading the image|Failed to load resource/.test(error)),
    [],
  );
});
