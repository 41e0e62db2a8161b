/**
 * The html of mail for a document: a part of a document, around which the server puts its frame. The same document
 * gives the same bytes. Styles stand on the elements, because many mail programs read no style sheet. Colours of text
 * are left to the frame and to the dark mode of the reader; a button, which has a ground of its own, sets both.
 */
import type { Align, Block, BlockDocument, List, ListItem, Paragraph } from './document.ts';
import { cleanText, escapeFor } from './escape.ts';
import { selfContained } from './raw-html.ts';
import { buttonHtml } from './render-button.ts';
import { columnsHtml } from './render-columns.ts';
import { inlineHtml, MONOSPACE } from './render-inline.ts';
import { pictureHtml } from './render-picture.ts';
import { tableHtml } from './table/render-table.ts';
import type { Rendering } from './rendering.ts';

export interface RenderOptions {
  /** `#rrggbb`: the ground of buttons. */
  brandColor?: string;
  /** The room for the content in CSS pixels: the frame of the server has 600 and keeps 24 at each side. */
  width?: number;
}

const CONTENT_WIDTH = 552;
const DEFAULT_BRAND = '#18181b';

export function renderDocument(document: BlockDocument, options: RenderOptions = {}): string {
  const { brandColor = DEFAULT_BRAND, width = CONTENT_WIDTH } = options;
  const rendering = {
    brandColor: /^#[0-9a-f]{6}$/i.test(brandColor) ? brandColor.toLowerCase() : DEFAULT_BRAND,
    width,
  };
  return `${blocksHtml(document.content, rendering)}\n`;
}

/** Blocks without words are left out, and so are empty paragraphs at the end: there the writer left the cursor. */
function blocksHtml(blocks: readonly Block[], rendering: Rendering): string {
  const shown: { html: string; isGap: boolean }[] = [];
  for (const block of blocks) {
    const html = blockHtml(block, rendering, shown.length === 0);
    if (html !== '') shown.push({ html, isGap: block.type === 'paragraph' && block.content.length === 0 });
  }
  while (shown.at(-1)?.isGap) shown.pop();
  return shown.map(({ html }) => html).join('\n');
}

const aligned = (align: Align): string => (align === 'left' ? '' : `;text-align:${align}`);

const paragraphHtml = ({ attrs, content }: Paragraph): string =>
  `<p style="margin:0 0 16px${aligned(attrs.align)}">${content.length === 0 ? '&nbsp;' : inlineHtml(content)}</p>`;

const HEADINGS = {
  1: 'font-size:28px;line-height:1.25',
  2: 'font-size:22px;line-height:1.3',
  3: 'font-size:18px;line-height:1.4',
} as const;

function blockHtml(block: Block, rendering: Rendering, isFirst: boolean): string {
  switch (block.type) {
    case 'paragraph':
      return paragraphHtml(block);
    case 'heading': {
      const { level, align } = block.attrs;
      const top = isFirst ? '0' : '28px';
      if (block.content.length === 0) return '';
      return `<h${level} style="margin:${top} 0 12px;${HEADINGS[level]};font-weight:700${aligned(align)}">${inlineHtml(block.content)}</h${level}>`;
    }
    case 'bulletList':
    case 'orderedList':
      return listHtml(block, 0);
    case 'blockquote':
      return `<blockquote style="margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #a1a1aa">\n${blocksHtml(block.content, rendering)}\n</blockquote>`;
    case 'codeBlock':
      return codeHtml(block.content.map(({ text }) => text).join(''));
    case 'horizontalRule':
      return '<hr style="margin:28px 0;border:0;border-top:1px solid #d4d4d8">';
    case 'picture':
      return pictureHtml(block, rendering);
    case 'button':
      return buttonHtml(block, rendering);
    case 'columns':
      return columnsHtml(block, rendering, blocksHtml);
    case 'table':
      return tableHtml(block);
    case 'rawHtml':
      return selfContained(block.attrs.html);
  }
}

function listHtml(list: List, depth: number): string {
  const [tag, start] =
    list.type === 'bulletList' ? ['ul', ''] : ['ol', list.attrs.start === 1 ? '' : ` start="${list.attrs.start}"`];
  const below = depth === 0 ? '0 0 16px' : '4px 0 0';
  const items = list.content.map((item) => `<li style="margin:0 0 4px">${itemHtml(item, depth)}</li>`);
  return `<${tag}${start} style="margin:${below};padding:0 0 0 24px">\n${items.join('\n')}\n</${tag}>`;
}

/** Its first paragraph stands in the item itself: mail programs put the mark of an item beside its first line. */
function itemHtml({ content }: ListItem, depth: number): string {
  const [first, ...more] = content;
  const words = first?.type === 'paragraph' ? inlineHtml(first.content) : '';
  const rest = more.map((block) =>
    block.type === 'paragraph'
      ? `<p style="margin:8px 0 0">${block.content.length === 0 ? '&nbsp;' : inlineHtml(block.content)}</p>`
      : listHtml(block, depth + 1),
  );
  return [words, ...rest].join('\n');
}

/** Html drops the first line break behind the tag. */
function codeHtml(code: string): string {
  const style = `margin:0 0 16px;padding:12px 16px;border:1px solid #d4d4d8;border-radius:6px;font-family:${MONOSPACE};font-size:14px;line-height:1.5;white-space:pre-wrap;overflow-wrap:break-word`;
  return `<pre style="${style}">\n${escapeFor('text', cleanText(code))}</pre>`;
}
