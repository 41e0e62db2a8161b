/** Finds Liquid that recipients would read as it is written, because its braces are text: `&#123;{ name }}`. */
import { htmlParser } from '../html-parser.ts';
import { ancestorsOf, type Element, elementsOf, readTree } from '../frame/read-tree.ts';
import { type Finding, warning } from './finding.ts';

const LIQUID = /\{\{[^{}]{1,200}\}\}|\{%[^{}]{1,200}%\}/;
/** Code may be about Liquid; the others show no words. */
const NOT_LOOKED_AT = new Set(['code', 'kbd', 'samp', 'pre', 'style', 'script', 'title', 'template']);

/** `html`: of the mail as a recipient would get it. Nothing is said when all is well. */
export function checkBraces(html: string): Finding[] {
  for (const element of elementsOf(readTree(html).document)) {
    const [shown] = LIQUID.exec(wordsOf(element)) ?? [];
    if (shown === undefined || isCode(element)) continue;
    const advice = 'The editor makes variables only. Write conditions and filters as HTML.';
    return [warning('braces', `Recipients would read ${shown} as it stands. ${advice}`)];
  }
  return [];
}

const isCode = (element: Element): boolean =>
  [element, ...ancestorsOf(element)].some(({ tagName }) => NOT_LOOKED_AT.has(tagName));

function wordsOf({ childNodes }: Element): string {
  const { defaultTreeAdapter } = htmlParser();
  return childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('');
}
