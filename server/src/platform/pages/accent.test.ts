import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrastOf, DARK, DEFAULT_ACCENT, LIGHT, paletteOf } from './accent.ts';

// Corners and middles of the colour space, greys, and colours at the edge of what black and white can be read on.
const COLOURS = [
  ...['00', '33', '66', '80', '99', 'cc', 'ff'].flatMap((r, _, parts) =>
    parts.flatMap((g) => parts.map((b) => `#${r}${g}${b}`)),
  ),
  ...Array.from({ length: 256 }, (_, part) => `#${part.toString(16).padStart(2, '0').repeat(3)}`),
];

function assertReadable(accent: string): void {
  for (const surfaces of [LIGHT, DARK]) {
    const palette = paletteOf(accent, surfaces);
    assert.ok(contrastOf(palette.fill, palette.onFill) >= 4.5, `${accent}: text on a button`);
    for (const surface of Object.values(surfaces)) {
      assert.ok(contrastOf(palette.text, surface) >= 4.5, `${accent}: links on ${surface}`);
      assert.ok(contrastOf(palette.edge, surface) >= 3, `${accent}: borders on ${surface}`);
    }
  }
}

test('whatever colour a newsletter has, text reaches 4.5:1 and borders reach 3:1, in light and dark', () => {
  for (const colour of COLOURS) assertReadable(colour);
  const anyColour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(fc.property(anyColour, assertReadable), { numRuns: 2_000 });
});

test('a colour that can be read stays as it is, and one that cannot keeps its fill', () => {
  const blue = paletteOf('#1d4ed8', LIGHT);
  assert.deepEqual([blue.fill, blue.text, blue.edge, blue.onFill], ['#1d4ed8', '#1d4ed8', '#1d4ed8', '#ffffff']);
  const yellow = paletteOf('#ffe000', LIGHT);
  assert.equal(yellow.fill, '#ffe000', 'buttons are in the colour of the brand');
  assert.equal(yellow.onFill, '#000000');
  assert.notEqual(yellow.text, '#ffe000');
  assert.equal(paletteOf('#ffe000', DARK).text, '#ffe000');
});

test('short colours are read, and whatever is none is the default: nothing else gets into a style', () => {
  assert.equal(paletteOf('#FA0', LIGHT).fill, '#ffaa00');
  for (const none of [null, '', 'red', '#12345', '#1234567', 'url(//x)', '#fff;}body{display:none', ' #ffffff'])
    assert.equal(paletteOf(none, LIGHT).fill, DEFAULT_ACCENT, String(none));
});

test('contrast is that of WCAG: 21 for black on white, 4.54 for #767676 on white', () => {
  assert.equal(contrastOf('#000', '#fff'), 21);
  assert.equal(contrastOf('#767676', '#fff').toFixed(2), '4.54');
  assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48');
});
