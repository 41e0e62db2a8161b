import { addressFor, isLink } from './address.ts';
import type { Button } from './document.ts';
import { templateFor } from './escape.ts';
import type { Rendering } from './rendering.ts';

/**
 * A cell with a ground and a link that fills it. Outlook gives a link no padding, so its cell has some that only
 * Outlook reads. Both colours are set, so that a dark mode has nothing to guess. In mail the cell is as wide as its
 * link. On the page of an issue it is as wide as the text, and its side counts.
 */
export function buttonHtml({ attrs }: Button, { brandColor }: Rendering): string {
  const { text, href, align } = attrs;
  if (text === '') return '';
  const words = templateFor('text', text);
  const ink = inkOn(brandColor);
  const style = `display:inline-block;padding:12px 24px;border-radius:6px;background-color:${brandColor};color:${ink};font-weight:600;line-height:20px;text-decoration:none`;
  const link = isLink(href)
    ? `<a href="${addressFor(href)}" style="${style}">${words}</a>`
    : `<span style="${style}">${words}</span>`;
  const margin = { left: '', center: ' style="margin:0 auto"', right: ' style="margin:0 0 0 auto"' }[align];
  return `<table role="presentation"${align === 'center' ? ' align="center"' : ''} cellpadding="0" cellspacing="0" border="0"${margin}>
<tr>
<td align="${align}" bgcolor="${brandColor}" style="border-radius:6px;background-color:${brandColor};mso-padding-alt:12px 24px">${link}</td>
</tr>
${SPACE_BELOW}
</table>`;
}

/** Outlook gives tables no margin. */
const SPACE_BELOW = '<tr>\n<td height="16" style="height:16px;font-size:0;line-height:0"></td>\n</tr>';

/** White or nearly black, whichever is easier to read on the colour (WCAG contrast). */
export function inkOn(color: string): '#ffffff' | '#18181b' {
  const light = luminance(color);
  return 1.05 / (light + 0.05) >= (light + 0.05) / (luminance('#18181b') + 0.05) ? '#ffffff' : '#18181b';
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
