/** The possible meanings of a selector. If it asks for something that is not known here, it may match. */
import {
  type ComponentValue,
  type FunctionNode,
  isFunctionNode,
  isSimpleBlockNode,
  isTokenNode,
  isWhitespaceNode,
  isWhiteSpaceOrCommentNode,
  type SimpleBlockNode,
} from '@csstools/css-parser-algorithms';
import { TokenType } from '@csstools/css-tokenizer';
import type { CssRule } from './css-rules.ts';

/** The element that a selector is asked about. */
export interface Asked {
  tag: string;
  /** Its ancestors, as far as they are known; undefined: anything may be around it. */
  inside?: readonly Asked[];
  /** Undefined: it has no such attribute. */
  attribute(name: string): string | undefined;
}

/** One of the selectors that commas separate. */
export interface Selector {
  /** As its author wrote it. */
  text: string;
  /** `before` for `a::before` and for `a:before`; '' for an element itself. */
  pseudoElement: string;
  /** Whether it may mean this element, or a pseudo-element of it. */
  mayMean(asked: Asked): boolean;
}

type Test = (asked: Asked) => boolean;

interface Compound {
  tests: Test[];
  pseudoElement: string;
  /** Whether it has `&`. */
  isNested: boolean;
  /** The combinator behind it; '' for the last. */
  before: string;
}

/**
 * The selectors of a rule. Type, id, classes and attributes are looked at, also of what an element stands in; siblings,
 * and what a pseudo-class asks for, are taken to hold. So is what no selector may have.
 */
export function selectorsOf(rule: CssRule): Selector[] {
  const known = read.get(rule);
  if (known !== undefined) return known;
  const { selector, parent } = rule;
  const nesting =
    parent === undefined ? isRoot : once((asked) => selectorsOf(parent).some((one) => one.mayMean(asked)));
  const selectors = selectorsIn(selector, nesting, parent !== undefined);
  read.set(rule, selectors);
  return selectors;
}

const read = new WeakMap<CssRule, Selector[]>();
const isRoot: Test = ({ tag }) => tag === 'html';

/** Asks once for each element: `&, & { &, & { … } }` would ask twice as often with every level. */
function once(test: Test): Test {
  const answers = new WeakMap<Asked, boolean>();
  return (asked) => {
    const answer = answers.get(asked) ?? test(asked);
    answers.set(asked, answer);
    return answer;
  };
}

function selectorsIn(values: readonly ComponentValue[], nesting: Test, isRelative: boolean): Selector[] {
  return splitAtCommas(values).map((part) => {
    const compounds = compoundsOf(part, nesting);
    const last = compounds.at(-1);
    const isAlone = compounds.every(({ isNested }) => !isNested);
    const mayMean: Test = (asked) => {
      if (last === undefined || !last.tests.every((test) => test(asked))) return false;
      const { inside } = asked;
      if (inside === undefined) return true;
      // Nested without `&`: inside whatever the outer rule means.
      if (isRelative && isAlone && !inside.some(nesting)) return false;
      return compounds
        .slice(0, -1)
        .every(({ tests, before }) => !/^[ >]$/.test(before) || inside.some((one) => tests.every((test) => test(one))));
    };
    const text = part.map((value) => value.toString()).join('');
    return { text: text.trim(), pseudoElement: last?.pseudoElement ?? '', mayMean };
  });
}

/** `a.b > c` as `a.b`, which stands before `>`, and `c`. */
function compoundsOf(values: readonly ComponentValue[], nesting: Test): Compound[] {
  const compounds: Compound[] = [];
  let open: ComponentValue[] = [];
  const close = (combinator: string): void => {
    const previous = compounds.at(-1);
    if (open.length > 0) compounds.push(compoundOf(open, combinator, nesting));
    else if (previous !== undefined && combinator !== ' ') previous.before = combinator;
    open = [];
  };
  for (const value of values) {
    const sign = delimOf(value);
    if (isWhitespaceNode(value)) close(' ');
    else if (sign === '>' || sign === '+' || sign === '~') close(sign);
    else if (!isWhiteSpaceOrCommentNode(value)) open.push(value);
  }
  if (open.length > 0) compounds.push(compoundOf(open, '', nesting));
  return compounds;
}

function compoundOf(values: readonly ComponentValue[], before: string, nesting: Test): Compound {
  const compound: Compound = { tests: [], pseudoElement: '', isNested: false, before };
  values.forEach((value, at) => {
    const previous = values[at - 1];
    const sign = delimOf(previous);
    if (delimOf(value) === '&') {
      compound.isNested = true;
      compound.tests.push(nesting);
    } else if (isColon(previous)) addPseudo(compound, value, isColon(values[at - 2]), nesting);
    else if (isSimpleBlockNode(value) && value.startToken[0] === TokenType.OpenSquare) {
      compound.tests.push(attributeTest(value));
    } else if (isTokenNode(value)) {
      const token = value.value;
      if (token[0] === TokenType.Hash) compound.tests.push(hasId(token[4].value));
      if (token[0] === TokenType.Ident) {
        const name = token[4].value;
        const isNamespace = delimOf(values[at + 1]) === '|';
        if (sign === '.') compound.tests.push(hasClass(name));
        else if (!isNamespace) compound.tests.push(({ tag }) => tag === name.toLowerCase());
      }
    }
  });
  return compound;
}

function addPseudo(compound: Compound, value: ComponentValue, isElement: boolean, nesting: Test): void {
  const name = nameOf(value);
  if (isElement || /^(?:before|after|first-line|first-letter)$/.test(name)) compound.pseudoElement ||= name;
  else if (name === 'root') compound.tests.push(isRoot);
  else if (isFunctionNode(value) && /^(?:is|where|matches|any|-webkit-any|-moz-any)$/.test(name)) {
    const list = selectorsIn(value.value, nesting, false);
    compound.tests.push((asked) => list.some((one) => one.mayMean(asked)));
  }
}

// Without a doctype, ids and classes are the same in upper and lower case.
const hasId =
  (id: string): Test =>
  ({ attribute }) =>
    attribute('id')?.toLowerCase() === id.toLowerCase();

const hasClass =
  (name: string): Test =>
  (asked) =>
    classesOf(asked).has(name.toLowerCase());

/** Read once for each element: thousands of rules may ask for the classes of one. */
function classesOf(asked: Asked): ReadonlySet<string> {
  let found = classes.get(asked);
  if (found === undefined) {
    found = new Set((asked.attribute('class') ?? '').toLowerCase().split(/\s+/));
    classes.set(asked, found);
  }
  return found;
}

const classes = new WeakMap<Asked, ReadonlySet<string>>();

/** `[name]`, `[name = value]`, `[ns|name ^= "value" i]`. */
function attributeTest({ value: inside }: SimpleBlockNode): Test {
  const parts = inside.filter((value) => !isWhiteSpaceOrCommentNode(value));
  const equals = parts.findIndex((value) => delimOf(value) === '=');
  const operator = equals > 0 ? (delimOf(parts[equals - 1]) ?? '') : '';
  const left = parts.slice(0, equals === -1 ? parts.length : equals);
  const name = left.map(nameOf).findLast((one) => one !== '') ?? '';
  if (equals === -1) return ({ attribute }) => attribute(name) !== undefined;
  const wanted = nameOf(parts[equals + 1]);
  return ({ attribute }) => {
    const own = attribute(name)?.toLowerCase();
    if (own === undefined) return false;
    if (operator === '~') return own.split(/\s+/).includes(wanted);
    if (operator === '|') return own === wanted || own.startsWith(`${wanted}-`);
    if (operator === '^') return own.startsWith(wanted);
    if (operator === '$') return own.endsWith(wanted);
    return operator === '*' ? own.includes(wanted) : own === wanted;
  };
}

function splitAtCommas(values: readonly ComponentValue[]): ComponentValue[][] {
  const parts: ComponentValue[][] = [[]];
  for (const value of values) {
    if (isTokenNode(value) && value.value[0] === TokenType.Comma) parts.push([]);
    else parts.at(-1)?.push(value);
  }
  return parts;
}

/** Of a name, a string or a function, in lower case; '' for anything else. */
function nameOf(value: ComponentValue | FunctionNode | undefined): string {
  if (value === undefined) return '';
  if (isFunctionNode(value)) return value.getName().toLowerCase();
  if (!isTokenNode(value)) return '';
  const token = value.value;
  if (token[0] === TokenType.Ident || token[0] === TokenType.String) return token[4].value.toLowerCase();
  return token[0] === TokenType.Number || token[0] === TokenType.Dimension ? token[1].toLowerCase() : '';
}

function delimOf(value: ComponentValue | undefined): string | undefined {
  const token = value !== undefined && isTokenNode(value) ? value.value : undefined;
  return token?.[0] === TokenType.Delim ? token[4].value : undefined;
}

const isColon = (value: ComponentValue | undefined): boolean =>
  value !== undefined && isTokenNode(value) && value.value[0] === TokenType.Colon;
