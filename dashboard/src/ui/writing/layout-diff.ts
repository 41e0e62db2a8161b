import { diffArrays } from 'diff';
import { type DefaultTreeAdapterMap, parse, serialize, serializeOuter } from 'parse5';
import { textOfHtml } from './text-of-html.ts';

type Node = DefaultTreeAdapterMap['childNode'];
type Element = DefaultTreeAdapterMap['element'];
type Parent = DefaultTreeAdapterMap['parentNode'];

export interface LayoutDiff {
  /** Whole documents in which the parts that differ are outlined. */
  mine: string;
  theirs: string;
  /** Nothing that a reader could see differs. */
  looksSame: boolean;
  /** The first words of the parts that differ. */
  parts: string[];
}

const OUTLINE = 'outline:2px solid #2f51cb!important;outline-offset:2px!important';
/** Parts below this level are outlined together. */
const LEVEL_MAX = 30;
/** Parts that have little in common take long to compare. */
const TIME_MAX_MS = 500;
const WORDS_MAX = 60;

/** Two htmls with the same words: the smallest blocks whose tags or styles differ. Nothing differs: they look alike. */
export function layoutDiff(mine: string, theirs: string): LayoutDiff {
  const pages = { mine: parse(mine), theirs: parse(theirs) };
  const marked: Element[] = [];
  const open: [Parent, Parent, number][] = [[pages.mine, pages.theirs, 0]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [left, right, level] = pair;
    const found = differing(left, right);
    for (const [one, other] of found.pairs) {
      if (level < LEVEL_MAX && isSameTag(one, other) && !hasWords(one) && !hasWords(other))
        open.push([one, other, level + 1]);
      else marked.push(one, other);
    }
    marked.push(...found.alone);
  }
  const parts = new Set(marked.map(wordsOf).filter((words) => words !== ''));
  for (const element of marked) outline(element);
  return {
    mine: serialize(pages.mine),
    theirs: serialize(pages.theirs),
    looksSame: marked.length === 0,
    parts: [...parts],
  };
}

/** Elements of both that stand in the same place and differ, and those that stand in one of them only. */
function differing(left: Parent, right: Parent): { pairs: [Element, Element][]; alone: Element[] } {
  const [mine, theirs] = [seen(left), seen(right)];
  const pairs: [Element, Element][] = [];
  const alone: Element[] = [];
  let [at, other] = [0, 0];
  let removed: Element[] = [];
  const runs = diffArrays(theirs.map(keyOf), mine.map(keyOf), { timeout: TIME_MAX_MS });
  if (runs === undefined) return { pairs, alone: [...mine, ...theirs] };
  for (const { added, removed: isRemoved, count } of runs) {
    if (isRemoved) {
      removed = theirs.slice(other, other + count);
      other += count;
      continue;
    }
    if (added) {
      const run = mine.slice(at, at + count);
      at += count;
      for (const [index, element] of run.entries()) {
        const beside = removed[index];
        if (run.length === removed.length && beside !== undefined) pairs.push([element, beside]);
        else alone.push(element);
      }
      if (run.length !== removed.length) alone.push(...removed);
    } else {
      alone.push(...removed);
      at += count;
      other += count;
    }
    removed = [];
  }
  return { pairs, alone: [...alone, ...removed] };
}

const seen = ({ childNodes }: Parent): Element[] => childNodes.filter((node): node is Element => 'tagName' in node);
/** Space between tags shows nothing. */
const keyOf = (element: Element): string => serializeOuter(element).replace(/\s+/g, ' ').replaceAll('> <', '><');
const isSameTag = (one: Element, other: Element): boolean =>
  one.tagName === other.tagName && JSON.stringify(one.attrs) === JSON.stringify(other.attrs);
const hasWords = ({ childNodes }: Element): boolean =>
  childNodes.some((node: Node) => 'value' in node && node.value.trim() !== '');

function wordsOf(element: Element): string {
  const words = textOfHtml(serializeOuter(element)).replace(/\s+/g, ' ');
  return words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX).trimEnd()} …` : words;
}

function outline(element: Element): void {
  const style = element.attrs.find(({ name }) => name === 'style');
  element.attrs = [
    ...element.attrs.filter((attribute) => attribute !== style),
    { name: 'style', value: style === undefined ? OUTLINE : `${style.value};${OUTLINE}` },
  ];
}
