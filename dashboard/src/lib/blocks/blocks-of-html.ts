import { type StoredDocument, storedDocument } from './document.ts';
import { importHtml } from './import-html.ts';
import { renderDocument } from './render.ts';

/**
 * The blocks of HTML that an editor of blocks has made, for records that keep no blocks. Null for any other HTML, which
 * blocks would change.
 */
export function blocksOfHtml(html: string, brandColor: string): StoredDocument | null {
  if (html.trim() === '') return null;
  const { document } = importHtml(html, { keepsGaps: true });
  return renderDocument(document, { brandColor }) === html ? storedDocument(document) : null;
}
