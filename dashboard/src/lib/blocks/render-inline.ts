import { addressFor } from './address.ts';
import type { Inline, Mark } from './document.ts';
import { escapeFor, variableFor } from './escape.ts';

export const MONOSPACE = "Menlo,Consolas,'Courier New',monospace";

const TAGS = { bold: 'strong', italic: 'em', underline: 'u', strike: 's', code: 'code' } as const;

const openTag = (mark: Mark): string => {
  if (mark.type === 'link') return `<a href="${addressFor(mark.attrs.href)}">`;
  return mark.type === 'code' ? `<code style="font-family:${MONOSPACE};font-size:14px">` : `<${TAGS[mark.type]}>`;
};
const closeTag = (mark: Mark): string => `</${mark.type === 'link' ? 'a' : TAGS[mark.type]}>`;

const isSame = (one: Mark, other: Mark): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Paragraphs, headings and items: neighbours share the tags of the marks that they share. */
export function inlineHtml(inlines: readonly Inline[]): string {
  const html: string[] = [];
  let open: Mark[] = [];
  const change = (marks: readonly Mark[]) => {
    let shared = 0;
    for (const mark of open) {
      const other = marks[shared];
      if (other === undefined || !isSame(mark, other)) break;
      shared += 1;
    }
    html.push(...open.slice(shared).toReversed().map(closeTag), ...marks.slice(shared).map(openTag));
    open = [...marks];
  };
  for (const [index, inline] of inlines.entries()) {
    if (inline.type === 'hardBreak') {
      change([]);
      html.push('<br>\n');
      continue;
    }
    change(inline.marks ?? []);
    html.push(
      inline.type === 'variable' ? variableFor('text', inline.attrs) : spaced(inline.text, edgesAt(inlines, index)),
    );
  }
  change([]);
  return html.join('');
}

/** Whether a line begins before the text, and ends behind it: there a browser drops spaces. */
const edgesAt = (inlines: readonly Inline[], index: number) => ({
  starts: isLineEnd(inlines[index - 1]),
  ends: isLineEnd(inlines[index + 1]),
});
const isLineEnd = (inline: Inline | undefined): boolean => inline === undefined || inline.type === 'hardBreak';

/** Every space that a browser would drop or join to its neighbour becomes one that stays. */
function spaced(text: string, { starts, ends }: { starts: boolean; ends: boolean }): string {
  let kept = text.replace(/ {2,}/g, (run) => `${'\u00a0'.repeat(run.length - 1)} `);
  if (starts) kept = kept.replace(/^ /, '\u00a0');
  if (ends) kept = kept.replace(/ $/, '\u00a0');
  return escapeFor('text', kept);
}
