/**
 * The plain-text half of a message whose sender gave only html.
 *
 * Links are kept beside their words, because in a text mail they are the only way to click, between the signs that no
 * mail program takes for a part of them (RFC 3986, appendix C); each row of a table is a line, with a
 * stroke between the cells of data; pictures give their alt
 * text; style, script and head give nothing. Limits keep a hostile document from costing more than a large honest one.
 */
import { libraryOnFirstUse } from '#platform/library.ts';
import { isBesideData } from './table-of-data.ts';

/** With its parser it takes 4 MB. */
const library = libraryOnFirstUse<typeof import('html-to-text')>('html-to-text');

/** The html of a send is at most 2 MB; what lies beyond is cut, not refused. */
const inputCharsMax = 2 * 1024 * 1024;
/**
 * The parser takes time by the square of how deep elements nest: 2 MB of `<div>` cost 73 s, 20,000 of them 0.1 s
 * (measured 2026-11-21). Counting opening tags cannot be fooled, and an honest mail has a tenth of this.
 */
const elementsMax = 20_000;
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const createConvert = () =>
  library().compile({
    // Readers wrap for themselves, and a wrapped link breaks.
    wordwrap: false,
    // Layout tables nest; no honest mail is 200 elements deep or has 20,000 children in one of them.
    limits: { maxInputLength: inputCharsMax, maxDepth: 200, maxChildNodes: 20_000, ellipsis: '…' },
    formatters: {
      // The library's own, which tells nobody about the links that it found.
      link: (element, walk, builder) => {
        const href = (element.attribs?.['href'] ?? '').replace(/^mailto:/, '');
        if (href === '' || href.startsWith('#')) return walk(element.children, builder);
        let words = '';
        builder.pushWordTransform((word) => {
          words += word;
          return word;
        });
        walk(element.children, builder);
        builder.popWordTransform();
        builder.metadata?.push({ href, words });
        if (href !== words) builder.addInline(words === '' ? href : ` <${href}>`, { noWordTransform: true });
      },
      // The address of a picture tells a reader nothing.
      altText: (element, _walk, builder) =>
        builder.addInline(element.attribs?.['alt'] ?? '', { noWordTransform: true }),
      // Without a space the words of two cells become one.
      cell: (element, walk, builder) => {
        if (isBesideData(element)) builder.addInline('| ', { noWordTransform: true });
        walk(element.children, builder);
        builder.addInline(' ');
      },
    },
    selectors: [
      { selector: 'a', format: 'link' },
      { selector: 'a[href^="javascript:"i]', format: 'inline' },
      { selector: 'a[href^="data:"i]', format: 'inline' },
      { selector: 'img', format: 'altText' },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
      ...['head', 'title', 'style', 'script', 'template'].map((selector) => ({ selector, format: 'skip' })),
    ],
  });

let convert: ReturnType<typeof createConvert> | undefined;

/** Text a person can read in place of the html; empty when the html shows no words. */
export const htmlToText = (html: string): string => textAndLinksOf(html).text;

/** A link with its words, without their spaces. The text shows its address unless it is the same as these. */
export interface TextLink {
  href: string;
  words: string;
}

/** The same text, and the links that are in it. */
export function textAndLinksOf(html: string): { text: string; links: TextLink[] } {
  const links: TextLink[] = [];
  convert ??= createConvert();
  const named = html.slice(0, endOfHonestPart(html)).replace(CONSTRUCTOR, '$1span');
  return { text: convert(named, links).trim(), links };
}

/**
 * The library looks the name of an element up in a plain object, and finds there the constructor of all objects. The
 * other names that it could find have a capital letter or begin with an underscore; no name of an element does.
 */
const CONSTRUCTOR = /(<\/?)constructor(?=[\s/>])/gi;

function endOfHonestPart(html: string): number {
  const openings = /<[A-Za-z]/g;
  for (let count = 0; count < elementsMax; count++) {
    if (!openings.test(html)) return inputCharsMax;
  }
  return Math.min(openings.lastIndex - 2, inputCharsMax);
}
