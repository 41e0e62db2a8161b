import type { Table, TableCell } from '../document.ts';
import { inlineHtml } from '../render-inline.ts';

/**
 * A rule below each row, and no grounds, so that a dark mode has nothing to guess. Words stay whole: where they do not
 * fit, the table scrolls and the mail around it does not. The frame of the server would make a block of a table with
 * headings, which then is no longer as wide as the text; `display:table` is said last and stands. The role tells the
 * text of a mail, and an import, that it is no table for the layout.
 */
export function tableHtml({ content }: Table): string {
  const rows = content.map(
    ({ content: cells }, row) =>
      `<tr>\n${cells.map((cell, column) => cellHtml(cell, row, sidesOf(column, cells.length))).join('\n')}\n</tr>`,
  );
  return `<div style="margin:0 0 16px;overflow-x:auto">
<table role="table" width="100%" cellpadding="0" cellspacing="0" border="0" style="display:table;width:100%;border-collapse:collapse;word-break:normal">
${rows.join('\n')}
</table>
</div>`;
}

/** The words of the first and the last column stand where those of the text do. */
const sidesOf = (column: number, columns: number): string =>
  `8px ${column === columns - 1 ? '0' : '8px'} 8px ${column === 0 ? '0' : '8px'}`;

function cellHtml({ type, content: [paragraph] }: TableCell, row: number, padding: string): string {
  const { align } = paragraph.attrs;
  const style = `padding:${padding};border-bottom:${type === 'tableHeader' ? '2px solid #a1a1aa' : '1px solid #d4d4d8'};text-align:${align};vertical-align:top`;
  const words = paragraph.content.length === 0 ? '&nbsp;' : inlineHtml(paragraph.content);
  return type === 'tableHeader'
    ? `<th scope="${row === 0 ? 'col' : 'row'}" align="${align}" valign="top" style="${style};font-weight:700">${words}</th>`
    : `<td align="${align}" valign="top" style="${style}">${words}</td>`;
}
