/**
 * The rules of a style sheet, as browsers read it: tokens and component values by a library that follows CSS Syntax
 * Level 3, and from them its algorithms for the contents of a sheet and of a block (nesting with and without `&`).
 */
import {
  type ComponentValue,
  isSimpleBlockNode,
  isTokenNode,
  isWhiteSpaceOrCommentNode,
  parseListOfComponentValues,
  type SimpleBlockNode,
} from '@csstools/css-parser-algorithms';
import { type CSSToken, stringify, tokenize, TokenType } from '@csstools/css-tokenizer';
import { plainText } from './css-text.ts';
import { RefusedHtml } from './refused-html.ts';

export interface CssRule {
  /** Of a style rule; empty for `@font-face` and its like. */
  selector: readonly ComponentValue[];
  /** The rule it is nested in, whose selector `&` means. */
  parent: CssRule | undefined;
  /** `font-face` for a block that is no style of an element; '' for a style rule. */
  atRule: string;
  declarations: Declaration[];
}

export interface Declaration {
  /** In lower case, without the prefix of a browser's maker. */
  name: string;
  /** In lower case and one spelling, without `!important`. */
  value: string;
  /** As its author wrote it, for a message. */
  shown: string;
}

/** Nobody nests styles deeper; beyond it looking for what they mean takes time by the square. */
const NESTED_MAX = 50;
/** Tokens of a declaration that a message may show. */
const SHOWN_MAX = 20;
/** Their blocks are no styles of elements. All others are conditions, and are taken to hold. */
const NO_STYLE =
  /^(?:font-face|keyframes|page|property|counter-style|font-feature-values|font-palette-values|color-profile|position-try|view-transition)$/;
const MAKER = /^-(?:webkit|moz|ms|o)-/;

/** The rules of a sheet. Conditions around them (@media, @supports, @layer) are taken to hold. */
export function rulesOf(css: string): CssRule[] {
  const rules: CssRule[] = [];
  readContents(valuesOf(css), { rules, into: undefined, parent: undefined, depth: 0 });
  return rules.filter(({ declarations }) => declarations.length > 0);
}

/** The declarations of a style attribute. */
export function declarationsOf(css: string): Declaration[] {
  const into: CssRule = { selector: [], parent: undefined, atRule: '', declarations: [] };
  readContents(valuesOf(css), { rules: [], into, parent: undefined, depth: 0 });
  return into.declarations;
}

/** The tokens of a sheet with what their brackets hold. */
export function valuesOf(css: string): ComponentValue[] {
  try {
    return parseListOfComponentValues(tokenize({ css }));
  } catch (error) {
    // The library goes 512 brackets deep.
    throw new RefusedHtml(`Its styles are nested more than ${NESTED_MAX} deep.`, { cause: error });
  }
}

interface Place {
  rules: CssRule[];
  /** Where declarations go; undefined at the top of a sheet and inside its conditions. */
  into: CssRule | undefined;
  /** The meaning of `&` in rules that stand here. */
  parent: CssRule | undefined;
  depth: number;
}

function readContents(values: readonly ComponentValue[], place: Place): void {
  if (place.depth > NESTED_MAX) throw new RefusedHtml(`Its styles are nested more than ${NESTED_MAX} deep.`);
  for (let at = 0; at < values.length; ) {
    const value = values[at];
    if (value === undefined || isIgnored(value, place)) at += 1;
    else if (atKeyword(value) !== undefined) at = readAtRule(values, at, place);
    else at = readDeclaration(values, at, place) ?? readRule(values, at, place);
  }
}

function isIgnored(value: ComponentValue, { into }: Place): boolean {
  if (isWhiteSpaceOrCommentNode(value)) return true;
  const type = typeOf(value);
  // `<!--` and `-->` are from times when browsers showed what they did not know.
  return type === TokenType.Semicolon ? into !== undefined : type === TokenType.CDO || type === TokenType.CDC;
}

function readAtRule(values: readonly ComponentValue[], at: number, place: Place): number {
  const end = endOfPrelude(values, at + 1, true);
  const block = values[end];
  const name = (atKeyword(values[at]) ?? '').toLowerCase().replace(MAKER, '');
  if (block === undefined || !isCurly(block)) return end + 1;
  const depth = place.depth + 1;
  if (NO_STYLE.test(name)) {
    const into: CssRule = { selector: [], parent: undefined, atRule: name, declarations: [] };
    place.rules.push(into);
    readContents(block.value, { rules: [], into, parent: undefined, depth });
  } else if (name === 'scope') {
    // Declarations that stand in it by themselves are for its root, whatever that is.
    const into: CssRule = { selector: valuesOf('*'), parent: undefined, atRule: '', declarations: [] };
    place.rules.push(into);
    readContents(block.value, { rules: place.rules, into, parent: undefined, depth });
  } else readContents(block.value, { ...place, depth });
  return end + 1;
}

/** `name: value`; answers with where it ends, or undefined when this is no declaration. */
function readDeclaration(values: readonly ComponentValue[], at: number, { into }: Place): number | undefined {
  const first = tokenOf(values[at]);
  if (into === undefined || first?.[0] !== TokenType.Ident) return undefined;
  let colon = at + 1;
  for (let next = values[colon]; next !== undefined && isWhiteSpaceOrCommentNode(next); next = values[colon])
    colon += 1;
  if (typeOf(values[colon]) !== TokenType.Colon) return undefined;
  const name = first[4].value.toLowerCase();
  const isCustom = name.startsWith('--');
  let end = colon + 1;
  for (let value = values[end]; value !== undefined && typeOf(value) !== TokenType.Semicolon; value = values[end]) {
    // Only a custom property may have a block in its value: `a:hover { … }` is a rule.
    if (!isCustom && isCurly(value)) return undefined;
    end += 1;
  }
  const text = plainText(values.slice(colon + 1, end));
  const shown = stringify(...values.slice(at, Math.min(end, at + SHOWN_MAX)).flatMap((value) => value.tokens()));
  into.declarations.push({ name: name.replace(MAKER, ''), value: text.replace(/! ?important$/, '').trim(), shown });
  return end + 1;
}

/** A selector and its block. Without a block it is nothing; inside another rule a semicolon ends the attempt. */
function readRule(values: readonly ComponentValue[], at: number, place: Place): number {
  const end = endOfPrelude(values, at, place.into !== undefined);
  const block = values[end];
  if (block === undefined || !isCurly(block)) return end + 1;
  const depth = place.depth + 1;
  if (place.into !== undefined && place.into.atRule !== '') {
    readContents(block.value, { ...place, depth }); // a step of an animation, a margin of a page: no element is meant
    return end + 1;
  }
  const rule: CssRule = { selector: values.slice(at, end), parent: place.parent, atRule: '', declarations: [] };
  place.rules.push(rule);
  readContents(block.value, { rules: place.rules, into: rule, parent: rule, depth });
  return end + 1;
}

/** Where the block of a rule stands, or the semicolon that ends it before, or the end of everything. */
function endOfPrelude(values: readonly ComponentValue[], from: number, atSemicolon: boolean): number {
  let end = from;
  for (let value = values[end]; value !== undefined && !isCurly(value); value = values[end]) {
    if (atSemicolon && typeOf(value) === TokenType.Semicolon) break;
    end += 1;
  }
  return end;
}

const tokenOf = (value: ComponentValue | undefined): CSSToken | undefined =>
  value !== undefined && isTokenNode(value) ? value.value : undefined;

const typeOf = (value: ComponentValue | undefined): TokenType | undefined => tokenOf(value)?.[0];

const isCurly = (value: ComponentValue): value is SimpleBlockNode =>
  isSimpleBlockNode(value) && value.startToken[0] === TokenType.OpenCurly;

function atKeyword(value: ComponentValue | undefined): string | undefined {
  const token = tokenOf(value);
  return token?.[0] === TokenType.AtKeyword ? token[4].value : undefined;
}
