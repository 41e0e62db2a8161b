/**
 * Lets html that somebody else wrote fit a narrow screen: pictures and tables shrink to the room there is, long words
 * and lines break, and a table of data scrolls. The styles stand on the elements themselves, because some mail
 * programs read no style sheet. Each stands before the author's own declarations, so that these win. Outlook reads
 * none of them: the `width` that an author gave counts there. Comments are left alone, and with them Outlook's
 * conditional ones.
 */
import type { Element } from './read-tree.ts';
import { elementsOf, readTree } from './read-tree.ts';

/** Nothing narrower than this needs to shrink: the narrowest phone has 320 px, and the frame takes 48 of them. */
const FITS_PX = 240;
const MAY_NOT_FIT = /<(?:img|image|pre|table|body)(?=[\s/>])/i;

/** The html with these styles; all other bytes are the author's. Throws RefusedHtml, as the tree does. */
export function fitWidth(html: string): string {
  if (!MAY_NOT_FIT.test(html)) return html;
  const parts: string[] = [];
  let at = 0;
  for (const { offset, end, text } of splicesIn(html)) {
    parts.push(html.slice(at, offset), text);
    at = end;
  }
  return parts.join('') + html.slice(at);
}

interface Splice {
  offset: number;
  end: number;
  text: string;
}

/** In the order of the source, which the tree does not always have: a browser moves things out of tables. */
function splicesIn(html: string): Splice[] {
  const splices: Splice[] = [];
  for (const element of elementsOf(readTree(html).document)) {
    const styles = stylesFor(element);
    const { sourceCodeLocation: place } = element;
    if (styles === '' || place == null) continue; // null: it is in no source, as a <body> that nobody wrote
    const written = place.attrs?.['style'];
    if (written !== undefined) {
      const text = `style="${inAttribute(styles + (valueOf(element, 'style') ?? ''))}"`;
      splices.push({ offset: written.startOffset, end: written.endOffset, text });
      continue;
    }
    const [tag = ''] = /^<[^\s/>]+/.exec(html.slice(place.startOffset, place.startOffset + 10)) ?? [];
    const offset = place.startOffset + tag.length;
    splices.push({ offset, end: offset, text: ` style="${styles}"` });
  }
  return splices.sort((a, b) => a.offset - b.offset);
}

function stylesFor(element: Element): string {
  switch (element.tagName) {
    case 'body':
      return 'word-break:break-word;';
    case 'pre':
      return 'white-space:pre-wrap;';
    case 'table':
      if (hasHeadings(element)) return 'display:block;overflow:auto;max-width:100%;word-break:normal;';
      return fits(element) ? '' : 'max-width:100%;';
    case 'img':
      if (fits(element)) return '';
      // A height alone is what the author wants; beside a width it is the picture's own, and shrinks with it.
      return hasBoth(element) ? 'max-width:100%;height:auto;' : 'max-width:100%;';
    default:
      return '';
  }
}

/** A table of data has headings. Its words stay whole: on a phone it scrolls, and the mail around it does not. */
const hasHeadings = (table: Element): boolean =>
  elementsIn(table)
    .flatMap((part) => (part.tagName === 'tr' ? [part] : elementsIn(part)))
    .some((row) => row.tagName === 'tr' && elementsIn(row).some(({ tagName }) => tagName === 'th'));

const elementsIn = ({ childNodes }: Element): Element[] =>
  childNodes.filter((node): node is Element => 'tagName' in node);

/** A table without a width takes the room there is; a picture takes what it has. */
function fits(element: Element): boolean {
  const width = valueOf(element, 'width')?.trim() ?? '';
  if (/^\d+(?:px)?$/.test(width)) return Number.parseInt(width, 10) <= FITS_PX;
  return element.tagName === 'table' && !/width/i.test(valueOf(element, 'style') ?? '');
}

const hasBoth = (element: Element): boolean =>
  valueOf(element, 'width') !== undefined && valueOf(element, 'height') !== undefined;

const valueOf = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((attribute) => attribute.name === name)?.value;

const inAttribute = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
