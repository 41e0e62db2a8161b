import type { Block, List, ListItem } from './document.ts';
import {
  attributeOf,
  type Element,
  findIn,
  isElement,
  isHidden,
  IGNORED,
  type Node,
  styleOf,
  textOf,
} from './html-tree.ts';

/** A list of html. A list that stands directly in a list, as Google Docs writes it, belongs to the item before it. */
export function listIn(element: Element, blocksIn: (nodes: readonly Node[]) => Block[]): Block[] {
  const items: ListItem[] = [];
  for (const child of element.childNodes) {
    if (!isElement(child) || IGNORED.has(child.tagName) || isHidden(child)) continue;
    const blocks = blocksIn(child.tagName === 'li' ? child.childNodes : [child]);
    const last = items.at(-1);
    if (child.tagName === 'li' || last === undefined) items.push(itemOf(blocks));
    else last.content.push(...itemOf(blocks).content);
  }
  if (items.length === 0) return [];
  return [listOf(element.tagName === 'ol', items, Number.parseInt(attributeOf(element, 'start'), 10))];
}

const listOf = (isOrdered: boolean, content: ListItem[], start = 1): List =>
  isOrdered
    ? { type: 'orderedList', attrs: { start: start > 0 ? start : 1 }, content }
    : { type: 'bulletList', content };

/** The document is normalised: what may not stand in an item is put behind its list. */
const itemOf = (blocks: readonly Block[]): ListItem => ({
  type: 'listItem',
  content: [...blocks] as ListItem['content'],
});

/** A paragraph that Word means as an item of a list. */
export interface WordItem {
  list: string;
  level: number;
  isOrdered: boolean;
}

/** `mso-list: l0 level2 lfo1`; the mark of the item stands in it, for programs without lists. */
export function wordListOf(element: Element): WordItem | undefined {
  const [, list, level] = /^(l\d+) level(\d)/.exec(styleOf(element, 'mso-list')) ?? [];
  if (list === undefined || /^h[1-6]$/.test(element.tagName)) return undefined;
  const mark = findIn(element.childNodes, (inner) => styleOf(inner, 'mso-list') === 'ignore');
  const sign = mark === undefined ? '' : textOf(mark.childNodes).trim();
  return { list, level: Number(level), isOrdered: /^\(?(?:\d+|[a-z]{1,4})[.)]/i.test(sign) };
}

/** Gathers the paragraphs that follow one another as items, each level in the last item of the one above. */
export class WordLists {
  readonly #blocks: Block[];
  #open: { level: number; list: List; of: string }[] = [];

  constructor(blocks: Block[]) {
    this.#blocks = blocks;
  }

  add({ list, level, isOrdered }: WordItem, paragraphs: readonly Block[]): void {
    while (this.#isPast(level, list, isOrdered)) this.#open.pop();
    if (this.#open.at(-1)?.level !== level) this.#begin(level, list, isOrdered);
    this.#open.at(-1)?.list.content.push(itemOf(paragraphs));
  }

  end(): void {
    this.#open = [];
  }

  #isPast(level: number, of: string, isOrdered: boolean): boolean {
    const last = this.#open.at(-1);
    if (last === undefined || last.level < level) return false;
    if (last.level > level) return true;
    return last.of !== of || (last.list.type === 'orderedList') !== isOrdered;
  }

  #begin(level: number, of: string, isOrdered: boolean): void {
    const list = listOf(isOrdered, []);
    const above = this.#open.at(-1)?.list.content.at(-1);
    if (above === undefined) this.#blocks.push(list);
    else above.content.push(list);
    this.#open.push({ level, list, of });
  }
}
