/** Styles that hide a whole message, or lay something over it, and with it over what we add to it. */
import { type Asked, type Declaration, declarationsOf, mayMean, pseudoElementOf, rulesOf } from './css-rules.ts';
import { plainCss } from './html-hazards.ts';
import type { Element } from './read-tree.ts';
import { RefusedHtml } from './refused-html.ts';

/** What a frame's footer may be made of: bare elements, whose own declarations are all important. */
const BARE: readonly Asked[] = ['table', 'tbody', 'tr', 'td', 'a'].map((tag) => ({
  tag,
  // A style, a link or a role of ours: a selector may ask for any of them.
  attribute: (name) => (name === 'class' || name === 'id' ? undefined : ''),
}));
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
/** What of a pseudo-element lies over something else. */
const COVERING =
  /^(?:position|box-shadow|outline(?:-.*)?|margin(?:-.*)?|transform|translate|scale|zoom|background(?:-.*)?|border-image(?:-.*)?|z-index|float|(?:backdrop-)?filter|(?:min-)?(?:width|height))$/;

/** Throws when a style sheet, an attribute or a style of <html> or <body> hides everything, or covers what is last. */
export function refuseHiddenPage(roots: readonly (Element | undefined)[], styles: readonly string[]): void {
  const asked: Asked[] = [];
  for (const element of roots) if (element !== undefined) asked.push({ ...askedOf(element), inside: [...asked] });
  for (const { tag, attribute } of asked) {
    const name = ATTRIBUTES.find((one) => attribute(one) !== undefined);
    if (name !== undefined) throw refused(`the attribute ${name} on <${tag}>`);
    refuseHiding(declarationsOf(plainCss(attribute('style') ?? '')), tag);
  }
  for (const { selectors, atRule, declarations } of styles.flatMap((css) => rulesOf(plainCss(css)))) {
    if (declarations.some(({ name, value }) => name.startsWith('margin') && PULLED_AWAY.test(value))) {
      throw refused('a margin that pulls what follows out of the page');
    }
    if (
      atRule === '@font-face' &&
      declarations.some(({ name, value }) => name === 'font-family' && OUR_FONTS.test(value))
    ) {
      throw refused('a font that takes the name of Arial or Helvetica');
    }
    if (atRule !== '') continue;
    const hiding = declarations.find(isHiding);
    const covering = declarations.find(({ name, value }) => COVERING.test(name) && !NEUTRAL.test(value));
    if (hiding === undefined && covering === undefined) continue;
    for (const selector of selectors) {
      const pseudo = pseudoElementOf(selector);
      const found = pseudo === '' ? hiding : covering;
      if (found === undefined || (pseudo !== '' && !/^(?:before|after|backdrop)$/.test(pseudo))) continue;
      const meant = (pseudo === '' ? asked : [...asked, ...BARE]).find((one) => mayMean(selector, one));
      if (meant !== undefined) throw refused(`${said(found)} for ${selector.trim().slice(0, 60)}`);
    }
  }
}

function askedOf({ tagName, attrs }: Element): Asked {
  return { tag: tagName, attribute: (name) => attrs.find((one) => one.name === name)?.value };
}

function refuseHiding(declarations: readonly Declaration[], tag: string): void {
  const found = declarations.find(isHiding);
  if (found !== undefined) throw refused(`${said(found)} on <${tag}>`);
}

/** Whether a declaration hides, clips or moves the element it is for with all that is in it. */
function isHiding({ name, value }: Declaration): boolean {
  const isJudged = ALWAYS.test(name) || SIZES.test(name) || OTHERS[name] !== undefined || name.startsWith('margin');
  if (!isJudged) return false;
  if (/\b(?:var|env|attr|if)\(/.test(value)) return true;
  if (SIZES.test(name)) return isTooSmall(name, value);
  if (name.startsWith('margin')) return /(?:^|[\s(])-\s*(?:\d{2,}|\d*\.?\d+(?!\d*(?:\.\d+)?(?:px|pt)))/.test(value);
  if (NEUTRAL.test(value)) return name === 'opacity' || name === 'zoom' || (name === 'display' && value === 'none');
  return ALWAYS.test(name) || (OTHERS[name]?.(value) ?? false);
}

const OTHERS: Readonly<Record<string, (value: string) => boolean>> = {
  display: (value) => /none|contents|flex|grid/.test(value),
  visibility: () => true,
  position: (value) => value !== 'relative',
  overflow: (value) => /hidden|clip/.test(value.split(/\s+/).at(-1) ?? ''),
  'overflow-y': (value) => /hidden|clip/.test(value),
  'overflow-block': (value) => /hidden|clip/.test(value),
  'writing-mode': (value) => value !== 'horizontal-tb',
  opacity: isFaint,
  zoom: isFaint,
};

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
  return Number(number) < (LEAST[unit] ?? 0) || Number(number) === 0;
}

const said = ({ name, value }: Declaration): string => `“${name}: ${value}”`.slice(0, 80);

const refused = (what: string): RefusedHtml =>
  new RefusedHtml(`Its styles hide or move the whole message, or cover its end: ${what}.`);
