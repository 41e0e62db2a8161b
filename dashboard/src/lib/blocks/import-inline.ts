import { isLink, trimAddress } from './address.ts';
import type { Inline, Mark } from './document.ts';
import {
  attributeOf,
  childrenOf,
  DEPTH_MAX,
  type Element,
  IGNORED,
  isElement,
  isHidden,
  isText,
  type Node,
  styleOf,
  withBraces,
} from './html-tree.ts';
import { piecesOf, writtenVariable } from './template-text.ts';
import { ownEntry } from '../own-entry.ts';

const TAGS: Readonly<Record<string, Mark['type']>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  cite: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strike',
  strike: 'strike',
  del: 'strike',
  code: 'code',
  kbd: 'code',
  samp: 'code',
  tt: 'code',
};

/** The marks of its words, before white space is settled. */
export function inlinesIn(nodes: readonly Node[], marks: readonly Mark[] = [], depth = 0): Inline[] {
  if (depth > DEPTH_MAX) return [];
  return nodes.flatMap((node): Inline[] => {
    if (isText(node)) return wordsOf(isLoneGap(node) ? ' ' : node.value, marks);
    if (!isElement(node) || IGNORED.has(node.tagName) || isHidden(node)) return [];
    if (node.tagName === 'br') return [{ type: 'hardBreak' }];
    return inlinesIn(node.childNodes, marksWith(node, marks), depth + 1);
  });
}

/** Word and browsers write a space that somebody typed as a no-break space in a <span> of its own. */
const isLoneGap = (node: Extract<Node, { value: string }>): boolean =>
  node.value === '\u00a0' && node.parentNode?.nodeName === 'span';

function wordsOf(text: string, marks: readonly Mark[]): Inline[] {
  const all = marks.length === 0 ? {} : { marks: [...marks] };
  return piecesOf(text).map((piece) =>
    typeof piece === 'string'
      ? { type: 'text', text: piece, ...all }
      : { type: 'variable', attrs: { path: piece.path, fallback: withBraces(piece.fallback) }, ...all },
  );
}

function marksWith(element: Element, marks: readonly Mark[]): readonly Mark[] {
  const weight = styleOf(element, 'font-weight');
  const isHeavy = /^(?:bold|bolder|[6-9]00)$/.test(weight);
  // Google Docs puts everything into a <b> that is not bold.
  const isLight = /^(?:normal|[1-5]00)$/.test(weight);
  const slanted = styleOf(element, 'font-style');
  const lines = `${styleOf(element, 'text-decoration')} ${styleOf(element, 'text-decoration-line')}`;
  const tag = ownEntry(TAGS, element.tagName);
  const found: Mark[] = [];
  if (
    tag !== undefined &&
    tag !== 'link' &&
    !(tag === 'bold' && isLight) &&
    !(tag === 'italic' && slanted === 'normal')
  ) {
    found.push({ type: tag });
  }
  if (isHeavy) found.push({ type: 'bold' });
  if (slanted === 'italic' || slanted === 'oblique') found.push({ type: 'italic' });
  const isLink = element.tagName === 'a' || marks.some(({ type }) => type === 'link') || isAroundLink(element);
  // Links are underlined anyway.
  if (lines.includes('underline') && !isLink) found.push({ type: 'underline' });
  if (lines.includes('line-through')) found.push({ type: 'strike' });
  if (element.tagName === 'a') found.push(...linkOf(element));
  const kept = marks.filter(
    ({ type }) => !(type === 'bold' && isLight) && !(type === 'italic' && slanted === 'normal'),
  );
  const added = found.filter(({ type }, index) => found.findIndex((one) => one.type === type) === index);
  return [...kept.filter(({ type }) => !added.some((one) => one.type === type)), ...added];
}

const isAroundLink = (element: Element): boolean => {
  const [only, ...others] = childrenOf(element);
  return only?.tagName === 'a' && others.length === 0;
};

/** The value of an attribute as a document writes it: variables as Liquid, the rest as text. */
export const templateOf = (written: string): string =>
  piecesOf(written)
    .map((piece) =>
      typeof piece === 'string'
        ? withBraces(piece)
        : writtenVariable({ path: piece.path, fallback: withBraces(piece.fallback) }),
    )
    .join('');

export const addressOf = (written: string): string => unwrapped(trimAddress(templateOf(written)));

function linkOf(element: Element): Mark[] {
  const href = addressOf(attributeOf(element, 'href'));
  // A link within the document it came from.
  return isLink(href) && !href.startsWith('#') ? [{ type: 'link', attrs: { href } }] : [];
}

/** Google Docs and Gmail lead through an address of Google's. */
function unwrapped(address: string): string {
  if (!/^https:\/\/www\.google\.com\/url\?/.test(address)) return address;
  const target = URL.parse(address)?.searchParams.get('q') ?? '';
  return isLink(target) ? target : address;
}

/** White space as a browser shows it: runs are one space, and none stands at the beginning and end of a line. */
export function settleSpaces(inlines: readonly Inline[]): Inline[] {
  const settled: Inline[] = [];
  let afterSpace = true;
  for (const inline of inlines) {
    if (inline.type === 'hardBreak') {
      trimEnd(settled);
      settled.push(inline);
      afterSpace = true;
    } else if (inline.type === 'variable') {
      settled.push(inline);
      afterSpace = false;
    } else {
      let text = withBraces(inline.text).replace(/[ \t\r\n\f]+/g, ' ');
      if (afterSpace) text = text.replace(/^ /, '');
      if (text === '') continue;
      afterSpace = text.endsWith(' ');
      settled.push({ ...inline, text });
    }
  }
  trimEnd(settled);
  return settled;
}

function trimEnd(inlines: Inline[]): void {
  const last = inlines.at(-1);
  if (last?.type !== 'text' || !last.text.endsWith(' ')) return;
  inlines.pop();
  const text = last.text.slice(0, -1);
  if (text !== '') inlines.push({ ...last, text });
}

/** Whether there is nothing in it that anybody could see. */
export const isBlank = (inlines: readonly Inline[]): boolean =>
  inlines.every(
    (inline) => inline.type === 'hardBreak' || (inline.type === 'text' && /^[\s\u200b\ufeff]*$/.test(inline.text)),
  );
