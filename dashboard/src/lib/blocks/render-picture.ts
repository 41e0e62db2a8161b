import { addressFor, isLink, isPictureAddress } from './address.ts';
import type { Align, Picture } from './document.ts';
import { templateFor } from './escape.ts';
import type { Rendering } from './rendering.ts';

/** Outlook reads the `width` and shrinks nothing; all others shrink to the room there is. */
export function pictureHtml({ attrs }: Picture, { width: room }: Rendering): string {
  const { src, href, align, ratio } = attrs;
  if (!isPictureAddress(src)) return '';
  const width = Math.min(attrs.width ?? room, room);
  const height = ratio === null ? '' : ` height="${Math.max(1, Math.round(width * ratio))}"`;
  const words = attrs.decorative ? 'alt="" role="presentation"' : `alt="${templateFor('attribute', attrs.alt)}"`;
  const picture = `<img src="${addressFor(src)}" ${words} width="${width}"${height} style="display:inline-block;vertical-align:top;max-width:100%;height:auto;border:0">`;
  const linked = isLink(href) ? `<a href="${addressFor(href)}">${picture}</a>` : picture;
  return `<div${alignAttribute(align)} style="margin:0 0 16px${align === 'left' ? '' : `;text-align:${align}`}">${linked}</div>`;
}

/** For Outlook, which does not read the style of every element. */
const alignAttribute = (align: Align): string => (align === 'left' ? '' : ` align="${align}"`);
