/** Just enough of css to ask what a sheet says about a few elements: rules, their selectors, and declarations. */
import { RefusedHtml } from './refused-html.ts';

export interface CssRule {
  /** Of a style rule; empty for `@font-face` and its like. */
  selectors: string[];
  /** The name of the at-rule it is the block of, `@font-face` for example; '' for a style rule. */
  atRule: string;
  declarations: Declaration[];
}

export interface Declaration {
  /** In lower case, without the prefix of a browser's maker. */
  name: string;
  /** In lower case, without `!important`. */
  value: string;
}

/** Nobody nests styles deeper; beyond it looking for what they mean takes time by the square. */
const NESTED_MAX = 50;

/** The rules of a sheet without comments and escapes; conditions around them (@media) are taken to hold. */
export function rulesOf(css: string): CssRule[] {
  const rules: CssRule[] = [];
  const open: string[] = [];
  const add = (block: string): void => {
    if (!block.includes(':')) return;
    const own = open.at(-1) ?? '';
    const atRule = /^@(?:font-face|keyframes|page|property)/i.exec(own)?.[0].toLowerCase() ?? '';
    const selector = open.findLast((prelude) => !prelude.startsWith('@'));
    if (atRule === '' && selector === undefined) return;
    rules.push({
      selectors: atRule === '' ? splitOutside(selector ?? '', ',') : [],
      atRule,
      declarations: declarationsOf(block),
    });
  };
  for (const [, text = '', sign = ''] of css.matchAll(/([^{}]*)([{}]|$)/g)) {
    if (sign !== '{') {
      add(text);
      open.pop();
      continue;
    }
    const from = text.lastIndexOf(';') + 1;
    add(text.slice(0, from));
    open.push(text.slice(from).trim());
    if (open.length > NESTED_MAX) throw new RefusedHtml(`Its styles are nested more than ${NESTED_MAX} deep.`);
  }
  return rules;
}

/** The declarations of a block, or of a style attribute. */
export const declarationsOf = (block: string): Declaration[] =>
  block.split(';').flatMap((one) => {
    const colon = one.indexOf(':');
    if (colon === -1) return [];
    const name = one.slice(0, colon).trim().toLowerCase();
    const value = one
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
      .toLowerCase();
    return [{ name: name.replace(/^-(?:webkit|moz|ms|o)-/, ''), value }];
  });

/** What a selector is asked about. */
export interface Asked {
  tag: string;
  /** What it stands in, as far as that is known; undefined: anything may be around it. */
  inside?: readonly Asked[];
  /** Undefined: it has no such attribute. */
  attribute(name: string): string | undefined;
}

/**
 * Whether a selector may mean this element. Type, id, classes and attributes are looked at, also of what it stands in;
 * siblings, and what a pseudo-class asks for, are taken to hold. Pseudo-elements are for `pseudoElementOf`.
 */
export function mayMean(selector: string, asked: Asked): boolean {
  const compounds = compoundsOf(selector);
  const last = compounds.pop()?.text ?? '';
  if (last === '') return false;
  const { inside } = asked;
  const isOutside = ({ text, before }: Compound): boolean =>
    inside !== undefined && /^[ >]$/.test(before) && !inside.some((one) => mayMean(text, one));
  if (compounds.some(isOutside)) return false;
  // Nested: whatever it is in.
  if (last.includes('&')) return true;
  const type = /^(?:[\w-]*\|)?([\w-]+|\*)/.exec(last)?.[1] ?? '*';
  if (type !== '*' && type.toLowerCase() !== asked.tag) return false;
  return partsOf(last).every((part) => partHolds(part, asked));
}

/** `before` for `a::before` and for `a:before`; '' for an element itself. */
export const pseudoElementOf = (selector: string): string =>
  /::([\w-]+)|:(before|after|first-line|first-letter)\b/i
    .exec(compoundsOf(selector).at(-1)?.text ?? '')
    ?.slice(1)
    .join('')
    .toLowerCase() ?? '';

function partHolds(part: string, asked: Asked): boolean {
  const name = part.slice(1);
  if (part.startsWith('#')) return asked.attribute('id') === name;
  if (part.startsWith('.')) return (asked.attribute('class') ?? '').split(/\s+/).includes(name);
  if (part.startsWith('[')) return attributeHolds(name.replace(/\]$/, ''), asked);
  const [, pseudo = '', list] = /^::?([\w-]+)(?:\(([\s\S]*)\))?$/.exec(part) ?? [];
  if (/^root$/i.test(pseudo)) return asked.tag === 'html';
  if (list !== undefined && /^(?:is|where|matches|-webkit-any|-moz-any|any)$/i.test(pseudo)) {
    return splitOutside(list, ',').some((one) => mayMean(one, asked));
  }
  return true;
}

function attributeHolds(inside: string, asked: Asked): boolean {
  const [, name = '', operator = '', quoted = ''] =
    /^(?:[\w-]*\|)?([\w-]+)\s*(?:([~|^$*]?)=\s*([\s\S]*))?$/.exec(inside.trim()) ?? [];
  const value = asked.attribute(name.toLowerCase());
  if (value === undefined) return false;
  if (!inside.includes('=')) return true;
  const wanted = (/\s[is]$/i.test(quoted) ? quoted.slice(0, -1).trimEnd() : quoted)
    .replace(/^["']|["']$/g, '')
    .toLowerCase();
  const own = value.toLowerCase();
  if (operator === '~') return own.split(/\s+/).includes(wanted);
  if (operator === '|') return own === wanted || own.startsWith(`${wanted}-`);
  if (operator === '^') return own.startsWith(wanted);
  if (operator === '$') return own.endsWith(wanted);
  return operator === '*' ? own.includes(wanted) : own === wanted;
}

/** `.a`, `#b`, `[c=d]`, `:e(f)` of a compound selector. */
const partsOf = (compound: string): string[] => {
  const parts: string[] = [];
  let part = '';
  for (const [text, depth] of withDepth(compound)) {
    if (depth === 0 && /[.#[:]/.test(text) && !/^:+$/.test(part)) {
      if (/^[.#[:]/.test(part)) parts.push(part);
      part = '';
    }
    part += text;
  }
  return /^[.#[:]/.test(part) ? [...parts, part] : parts;
};

interface Compound {
  text: string;
  /** The combinator behind it; '' for the last. */
  before: string;
}

/** `a.b > c` as `a.b`, which stands before `>`, and `c`. */
function compoundsOf(selector: string): Compound[] {
  const compounds: Compound[] = [];
  let text = '';
  for (const [char, depth] of withDepth(selector.trim())) {
    if (depth > 0 || !/[\s>+~]/.test(char)) {
      text += char;
      continue;
    }
    const previous = compounds.at(-1);
    if (text !== '') compounds.push({ text, before: char.trim() || ' ' });
    else if (previous !== undefined && char.trim() !== '') previous.before = char;
    text = '';
  }
  return [...compounds, { text, before: '' }];
}

function splitOutside(text: string, separator: string): string[] {
  const parts = [''];
  for (const [char, depth] of withDepth(text)) {
    if (depth === 0 && char === separator) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** Every character with how many brackets it stands in; an opening one stands outside itself, and a string is one deeper. */
function* withDepth(text: string): Generator<[char: string, depth: number]> {
  let depth = 0;
  let quote = '';
  for (const char of text) {
    yield [char, quote === '' ? depth : depth + 1];
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') depth = Math.max(0, depth - 1);
  }
}
