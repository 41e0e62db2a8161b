/** Styles that hide a whole message, or lay something over it, and with it over what we add to it. */
import { LRUCache } from 'lru-cache';
import { type CssRule, type Declaration, declarationsOf, rulesOf } from './css-rules.ts';
import { type Asked, type Selector, selectorsOf } from './css-selectors.ts';
import { type Element, elementsOf } from './read-tree.ts';
import { RefusedHtml } from './refused-html.ts';
import { ownEntry } from '#platform/own-entry.ts';

/** They take a page with everything in it away from its reader. */
const ATTRIBUTES = ['hidden', 'popover', 'inert'];
/** The fonts of the footer: one that only has the name may have no letters. */
const OUR_FONTS = /^["']?\s*(?:arial|helvetica)\b/;
/** Further out of the page than any layout needs. */
const PULLED_AWAY = /-\s*\d{4,}/;

/** Nothing done, whatever the property. */
const NEUTRAL = /^(?:none|auto|initial|inherit|unset|revert|revert-layer|normal|0(?:px|%|deg)?|static|visible)$/;
/** Where a value that is not neutral is never needed around a whole mail. */
const ALWAYS =
  /^(?:content-visibility|clip|clip-path|transform|scale|translate|rotate|filter|mask(?:-.*)?|animation(?:-.*)?|perspective|mix-blend-mode|contain|offset(?:-.*)?|columns|column-count|column-width|interactivity|top|right|bottom|left|inset(?:-.*)?)$/;
const SIZES = /^(?:min-|max-)?(?:width|height|inline-size|block-size)$/;
/** A mail narrower than this is no mail, by unit. */
const LEAST: Readonly<Record<string, number>> = { px: 150, pt: 110, em: 9, rem: 9, '%': 30, vw: 30, dvw: 30 };
/** The properties by which a pseudo-element lies over something else. */
const COVERING =
  /^(?:position|box-shadow|outline(?:-.*)?|margin(?:-.*)?|transform|translate|scale|zoom|border-image(?:-.*)?|z-index|float|(?:backdrop-)?filter|(?:min-)?(?:width|height))$/;

/** Paints the box of a pseudo-element, which stands in its own place and covers nothing unless it is made larger. */
const PAINT = /^background(?:-.*)?$/;
/** Above these a painted box is larger than its line. */
const PAINTED_PX = 12;
const PAINTED_FONT_PX = 24;
/** Room that nobody needs around a sign behind a link; more of it, painted, covers what is beside it. */
const THICK =
  /^(?:border(?:-.*)?|padding(?:-.*)?|font|font-size|line-height|text-indent|text-shadow|(?:letter|word)-spacing)$/;
const THICK_PX = 100;
/** Roughly, for screens of phones. */
const PX: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, em: 16, rem: 16, '%': 4, vw: 4, vh: 8 };

/**
 * Throws when a style sheet, an attribute or a style of <html> or <body> hides everything, or covers the footer: by a
 * pseudo-element of one of them, or of an element of the footer, whose own declarations are all important.
 */
export function refuseHiddenPage(
  roots: readonly (Element | undefined)[],
  footer: Element,
  styles: readonly string[],
): void {
  const asked: Asked[] = [];
  for (const element of roots) if (element !== undefined) asked.push({ ...askedOf(element), inside: [...asked] });
  for (const { tag, attribute } of asked) {
    const name = ATTRIBUTES.find((one) => attribute(one) !== undefined);
    if (name !== undefined) throw refused(`the attribute ${name} on <${tag}>`);
    refuseHiding(declarationsOf(attribute('style') ?? ''), tag);
  }
  const judged = styles.flatMap((css) => judgementsOn(css));
  for (const { hiding, selector } of judged) {
    if (hiding === undefined || selector.pseudoElement !== '') continue;
    if (asked.some((one) => selector.mayMean(one))) throw refused(`${said(hiding)} for ${selector.text.slice(0, 60)}`);
  }
  refuseCovering(judged, [...asked, ...[footer, ...elementsOf(footer)].map(askedOf)]);
}

/** The judged declarations of a rule, for each of its selectors. */
interface Judgement {
  selector: Selector;
  hiding: Declaration | undefined;
  covering: Declaration | undefined;
  /** A background, and what makes a box with one cover its neighbours. */
  paint: Declaration | undefined;
  bulky: Declaration | undefined;
  /** Whether its pseudo-element comes to be by it. */
  isGenerating: boolean;
}

// All emails of an issue have the same sheets: reading 14 KB of css is a third of the time that framing a mail takes.
const read = new LRUCache<string, readonly Judgement[]>({
  max: 50,
  maxSize: 300_000,
  sizeCalculation: (_, css) => css.length + 1,
});

/** Throws for what hides or covers wherever it stands. */
function judgementsOn(css: string): readonly Judgement[] {
  const known = read.get(css);
  if (known !== undefined) return known;
  const rules = rulesOf(css);
  for (const rule of rules) refuseAnywhere(rule);
  const judged = rules.filter(({ atRule }) => atRule === '').flatMap(judgementsOf);
  read.set(css, judged);
  return judged;
}

function judgementsOf(rule: CssRule): Judgement[] {
  const hiding = rule.declarations.find(isHiding);
  const covering = rule.declarations.find(isCovering);
  const paint = rule.declarations.find(({ name, value }) => PAINT.test(name) && !isNoPaint(value));
  const bulky = rule.declarations.find(isBulky);
  const isGenerating = rule.declarations.some(
    ({ name, value }) => name === 'content' && !/^(?:none|normal)$/.test(value),
  );
  const found = hiding ?? covering ?? paint ?? bulky;
  if (found === undefined && !isGenerating) return [];
  return selectorsOf(rule).map((selector) => ({ selector, hiding, covering, paint, bulky, isGenerating }));
}

/** A pseudo-element is there only when something gives it content; what it looks like, other rules may say. */
function refuseCovering(judged: readonly Judgement[], targets: readonly Asked[]): void {
  // ::backdrop needs no content.
  const generated = new Map([
    ['before', new Set<Asked>()],
    ['after', new Set<Asked>()],
    ['backdrop', new Set(targets)],
  ]);
  for (const { isGenerating, selector } of judged) {
    if (!isGenerating) continue;
    for (const one of targets) if (selector.mayMean(one)) generated.get(selector.pseudoElement)?.add(one);
  }
  const painted = new Map([...generated.keys()].map((name) => [name, new Set<Asked>()]));
  for (const { paint, selector } of judged) {
    if (paint === undefined) continue;
    for (const one of generated.get(selector.pseudoElement) ?? []) {
      if (selector.mayMean(one)) painted.get(selector.pseudoElement)?.add(one);
    }
  }
  for (const { covering, paint, bulky, selector } of judged) {
    const { pseudoElement } = selector;
    // A ::backdrop is as large as the window.
    const always = covering ?? (pseudoElement === 'backdrop' ? paint : undefined);
    refuseFor(always, selector, generated.get(pseudoElement));
    refuseFor(bulky, selector, painted.get(pseudoElement));
  }
}

function refuseFor(found: Declaration | undefined, selector: Selector, there: ReadonlySet<Asked> = new Set()): void {
  if (found === undefined || ![...there].some((one) => selector.mayMean(one))) return;
  throw refused(`${said(found)} for ${selector.text.slice(0, 60)}`);
}

/** Declarations that hide or cover wherever they stand. */
function refuseAnywhere({ atRule, declarations }: CssRule): void {
  for (const { name, value } of declarations) {
    if (name.startsWith('margin') && PULLED_AWAY.test(value)) {
      throw refused('a margin that pulls what follows out of the page');
    }
    if (atRule === 'font-face' && name === 'font-family' && OUR_FONTS.test(value)) {
      throw refused('a font that takes the name of Arial or Helvetica');
    }
  }
}

function askedOf({ tagName, attrs }: Element): Asked {
  const values = new Map(attrs.map(({ name, value }) => [name, value]));
  return { tag: tagName, attribute: (name) => values.get(name) };
}

function refuseHiding(declarations: readonly Declaration[], tag: string): void {
  const found = declarations.find(isHiding);
  if (found !== undefined) throw refused(`${said(found)} on <${tag}>`);
}

/** Whether a declaration hides, clips or moves the element it is for with all that is in it. */
function isHiding({ name, value }: Declaration): boolean {
  const isJudged = ALWAYS.test(name) || SIZES.test(name) || OTHERS.has(name) || name.startsWith('margin');
  if (!isJudged) return false;
  if (/\b(?:var|env|attr|if)\(/.test(value)) return true;
  if (SIZES.test(name)) return isTooSmall(name, value);
  if (name.startsWith('margin')) return /(?:^|[\s(])-\s*(?:\d{2,}|\d*\.?\d+(?!\d*(?:\.\d+)?(?:px|pt)))/.test(value);
  if (NEUTRAL.test(value)) return name === 'opacity' || name === 'zoom' || (name === 'display' && value === 'none');
  return ALWAYS.test(name) || (OTHERS.get(name)?.(value) ?? false);
}

/** Whether a declaration lays a pseudo-element over something else. */
function isCovering({ name, value }: Declaration): boolean {
  if (COVERING.test(name)) return !NEUTRAL.test(value);
  return THICK.test(name) && isThicker(name, value, THICK_PX);
}

/** Whether a painted pseudo-element leaves its line by it. Lines that are lower than their letters let them overlap. */
function isBulky({ name, value }: Declaration): boolean {
  if (name === 'vertical-align' || name === 'font') return !/^(?:baseline|middle|inherit|normal)$/.test(value);
  if (name === 'line-height') return !/^(?:normal|inherit|[12](?:\.\d+)?(?:em)?|1\d\d%|[1-3]\dpx)$/.test(value);
  if (!THICK.test(name)) return false;
  return /\(/.test(value) || isThicker(name, value, name === 'font-size' ? PAINTED_FONT_PX : PAINTED_PX);
}

const isNoPaint = (value: string): boolean => NEUTRAL.test(value) || value === 'transparent';

function isThicker(name: string, value: string, most: number): boolean {
  const ofFont = /^(?:font|line)/.test(name);
  return [...value.matchAll(/(\d+(?:\.\d+)?)([a-z%]*)/g)].some(([, number = '', unit = '']) => {
    const isRelative = ofFont && (unit === '%' || (unit === '' && name === 'line-height'));
    return Number(number) * (isRelative ? (unit === '%' ? 0.16 : 16) : (ownEntry(PX, unit) ?? 1)) > most;
  });
}

const OTHERS = new Map<string, (value: string) => boolean>([
  ['display', (value) => /none|contents|flex|grid/.test(value)],
  ['visibility', () => true],
  ['position', (value) => value !== 'relative'],
  ['overflow', (value) => /hidden|clip/.test(value.split(/\s+/).at(-1) ?? '')],
  ['overflow-y', (value) => /hidden|clip/.test(value)],
  ['overflow-block', (value) => /hidden|clip/.test(value)],
  ['writing-mode', (value) => value !== 'horizontal-tb'],
  ['opacity', isFaint],
  ['zoom', isFaint],
]);

/** Less than most of it, or no number at all. */
function isFaint(value: string): boolean {
  const [, number = '', percent] = /^(\+?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)(%?)$/.exec(value) ?? [];
  return number === '' || Number(number) / (percent === '%' ? 100 : 1) < 0.7;
}

function isTooSmall(name: string, value: string): boolean {
  if (name.startsWith('min-')) return false;
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?|\.\d+)([a-z%]*)$/.exec(value) ?? [];
  if (/height|block-size/.test(name)) return Number(number) === 0 && number !== '';
  if (number === '') return value.includes('(') && !/100(?:%|d?vw)/.test(value);
  return Number(number) < (ownEntry(LEAST, unit) ?? 0) || Number(number) === 0;
}

const said = ({ shown }: Declaration): string =>
  `“${shown
    .replace(/^([^:]*?)\s*:\s*/, '$1: ')
    .slice(0, 78)
    .trim()}”`;

const refused = (what: string): RefusedHtml =>
  new RefusedHtml(`Its styles hide or move the whole message, or cover its end: ${what}.`);
