import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

/** The sheet of the font, with a face for each part of Unicode. */
const SHEET = /\/@fontsource-variable\/inter\/wght\.css$/;
const LATIN = 'files/inter-latin-wght-normal.woff2';
const SMALL = 'posthorn-ascii.woff2';
/** The letters of nearly every page: ASCII, and the signs between words and numbers. */
const RANGE = 'U+0020-007E,U+00A0,U+00B7,U+00D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026,U+2190-2193,U+2212';
/** `base.css` asks for the last four; without the first three, words would look different. */
const FEATURES = ['kern', 'calt', 'ccmp', 'locl', 'mark', 'tnum', 'cv05', 'cv08', 'ss03'];
/** As the other faces say it: faces of other weights would not be looked at for the letters that this one has not. */
const OTHERS = '100 900';
/** As the styles use them. */
const WEIGHTS = { min: 400, max: 700 };

/** Its types do not know `keepFeatures` yet. */
const SMALLER = { targetFormat: 'woff2', keepFeatures: FEATURES, variationAxes: { wght: WEIGHTS } } as const;

/**
 * The font in two parts: a small one that a page loads at first, and the rest of Latin, which a browser loads where a
 * text has a letter of it. The last face of a sheet that has a letter is the one that is used. While developing, the
 * font is one.
 */
export const smallFont = (): Plugin => ({
  name: 'posthorn-font',
  apply: 'build',
  enforce: 'pre',
  async load(id) {
    const path = id.split('?', 1)[0] ?? '';
    if (!SHEET.test(path.replaceAll('\\', '/'))) return null;
    const folder = dirname(path);
    const sheet = readFileSync(path, 'utf8');
    if (!sheet.includes(LATIN)) throw new Error(`${path} has no ${LATIN}, which font.config.ts makes smaller`);
    const small = await subsetFont(readFileSync(join(folder, LATIN)), lettersOf(RANGE), SMALLER);
    const cache = join(import.meta.dirname, 'node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, SMALL), small);
    return `${sheet}
@font-face {
  font-family: 'Inter Variable';
  font-style: normal;
  font-display: swap;
  font-weight: ${OTHERS};
  src: url(../../.cache/${SMALL}) format('woff2-variations');
  unicode-range: ${RANGE};
}`;
  },
});

function lettersOf(range: string): string {
  const codes = range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  return String.fromCodePoint(...codes);
}
