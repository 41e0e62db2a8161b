import { parseFragment, serialize } from 'parse5';

/** Html of the author's as it is, unless it leaves something open that would take in what follows: that is closed. */
export function selfContained(html: string): string {
  if (html.trim() === '') return '';
  const mark = markNotIn(html);
  const fragment = parseFragment(`${html}<i ${mark}></i>`);
  const last = fragment.childNodes.at(-1);
  const isClosed = last !== undefined && 'attrs' in last && last.attrs.some(({ name }) => name === mark);
  return isClosed ? html : serialize(parseFragment(html));
}

/** An attribute that nothing in the html can be taken for; the same for the same html. */
function markNotIn(html: string): string {
  let mark = 'data-end';
  while (html.includes(mark)) mark += '-x';
  return mark;
}
