import type { Block, Columns } from './document.ts';
import type { Rendering } from './rendering.ts';

/** In percent of the room, which is 100: two columns and a gap, or three and two. */
const SHARES = { 2: { column: 48, gap: 4 }, 3: { column: 31, gap: 3.5 } } as const;
/** Below this many pixels the columns stand one below the other. */
const STACKED_PX = 480;

/**
 * Cells of one row: Outlook, which knows neither floats nor calc(), shows them beside one another at the widths of
 * their attributes. Everywhere else the cells float, so white space between them means nothing. Their width is more
 * than all there is in a narrow room, and less than nothing in a wide one, and is held between the two bounds: so
 * they stack without a style sheet. `blocksHtml` makes the content of a column.
 */
export function columnsHtml(
  { content }: Columns,
  rendering: Rendering,
  blocksHtml: (blocks: readonly Block[], rendering: Rendering) => string,
): string {
  const { column, gap } = SHARES[content.length === 3 ? 3 : 2];
  const width = Math.floor((rendering.width * column) / 100);
  const style = `float:left;box-sizing:border-box;width:${column}%;width:calc((${STACKED_PX}px - 100%) * ${STACKED_PX});min-width:${column}%;max-width:100%;vertical-align:top`;
  const cells = content.map(
    (one) =>
      `<td width="${column}%" valign="top" style="${style}">\n${blocksHtml(one.content, { ...rendering, width })}\n</td>`,
  );
  const between = `\n<td width="${gap}%" style="float:left;width:${gap}%;font-size:0;line-height:0"></td>\n`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%">
<tr>
${cells.join(between)}
</tr>
</table>`;
}
