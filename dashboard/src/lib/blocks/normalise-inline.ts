import { isLink, trimAddress } from './address.ts';
import type { Inline, Mark, Text } from './document.ts';
import { MARK_ORDER } from './document.ts';
import { cleanText } from './escape.ts';
import { isPath } from './template-text.ts';
import { fieldOf, listOf, textField } from './unknown-json.ts';

/** The marks that mail knows, each once, in their order; code has no other marks but a link. */
function marksOf(value: unknown): Mark[] {
  const given = listOf(value);
  const find = (type: string) => given.find((mark) => fieldOf(mark, 'type') === type);
  const isCode = find('code') !== undefined;
  return MARK_ORDER.flatMap((type): Mark[] => {
    const mark = find(type);
    if (mark === undefined) return [];
    if (type !== 'link') return isCode && type !== 'code' ? [] : [{ type }];
    const href = trimAddress(textField(fieldOf(mark, 'attrs'), 'href'));
    return isLink(href) ? [{ type, attrs: { href } }] : [];
  });
}

const withMarks = <T extends Inline>(node: T, marks: Mark[]): T => (marks.length === 0 ? node : { ...node, marks });

function inlineOf(node: unknown): Inline | undefined {
  const marks = marksOf(fieldOf(node, 'marks'));
  switch (fieldOf(node, 'type')) {
    case 'text': {
      const text = cleanText(textField(node, 'text')).replace(/[\t\n]/g, ' ');
      return text === '' ? undefined : withMarks({ type: 'text', text }, marks);
    }
    case 'variable': {
      const attrs = fieldOf(node, 'attrs');
      const path = textField(attrs, 'path');
      const fallback = cleanText(textField(attrs, 'fallback')).replace(/\s+/g, ' ').trim();
      if (!isPath(path)) return undefined;
      return withMarks({ type: 'variable', attrs: { path, fallback } }, marks);
    }
    case 'hardBreak':
      return { type: 'hardBreak' };
    default:
      return undefined;
  }
}

const isSame = (one: Mark[] = [], other: Mark[] = []): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The content of a paragraph: unknown nodes gone, neighbours with the same marks as one text. */
export function inlinesOf(value: unknown): Inline[] {
  const inlines: Inline[] = [];
  for (const node of listOf(value)) {
    const inline = inlineOf(node);
    if (inline === undefined) continue;
    const last = inlines.at(-1);
    if (inline.type === 'text' && last?.type === 'text' && isSame(inline.marks, last.marks)) last.text += inline.text;
    else inlines.push({ ...inline });
  }
  while (inlines.at(-1)?.type === 'hardBreak') inlines.pop();
  // Nobody sees a line of white space, so it is an empty one.
  return inlines.every((inline) => inline.type === 'text' && /^[\s\u200b]*$/.test(inline.text)) ? [] : inlines;
}

/** The words of a code block, which has no marks. */
export function codeOf(value: unknown): Text[] {
  const text = cleanText(
    listOf(value)
      .map((node) => (fieldOf(node, 'type') === 'hardBreak' ? '\n' : textField(node, 'text')))
      .join(''),
  );
  return text === '' ? [] : [{ type: 'text', text }];
}
