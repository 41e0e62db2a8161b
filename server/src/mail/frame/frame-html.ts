/**
 * Puts a frame around the html of somebody else: header, hidden preview text, and a footer that is seen whatever stands
 * before it. The html itself stays as it is, but for the styles that let it fit a phone (`fit-width.ts`); what
 * it leaves open is closed behind it.
 *
 * That the footer is seen is not hoped for: the result is read as a browser reads it, and the footer may stand in
 * nothing of the author's but <html> and <body>, which may not be hidden. Where that cannot be had, the html is
 * refused.
 */
import { randomBytes } from 'node:crypto';
import { fitWidth } from './fit-width.ts';
import { refuseHiddenPage } from './hidden-page.ts';
import { ancestorsOf, type Document, elementAt, readTree, rootsOf, stylesOf } from './read-tree.ts';
import { RefusedHtml } from './refused-html.ts';

export interface HtmlFrame {
  /** Around html that is a part of a document. */
  before: string;
  after: string;
  /** Into html that is a whole document: behind its `<body>`, and before its end. */
  preheader: string;
  footer: string;
}

/** The text that ends a construct that never ended; the empty one first, because honest html needs none. */
const ENDINGS = [
  '',
  '-->',
  '>',
  '">',
  "'>",
  '</style>',
  '</textarea>',
  '</title>',
  '</xmp>',
  '</noembed>',
  '</noframes>',
  ']]>',
];
// Nobody else's: which one it is cannot be known before.
const MARK_ATTRIBUTE = `data-end-${randomBytes(9).toString('hex')}`;
const MARK = `<i ${MARK_ATTRIBUTE}></i>`;

/**
 * At the very beginning of a document: nothing that can be seen, but a footer that clears floats comes to stand below
 * it, however far up the margins of the author's would pull it.
 */
const TOP =
  '<div style="all:initial!important;display:block!important;float:left!important;width:0!important;height:1px!important"></div>';

/** Whether html is a whole document and not a part of one. */
const isWholeDocument = (html: string): boolean => /<(?:!doctype|html|head|body)(?=[\s>/])/i.test(html);

/** The framed html. Throws RefusedHtml with a sentence for its author. */
export function frameHtml(written: string, frame: HtmlFrame): string {
  const html = fitWidth(written);
  const { start, end, before, after, footer } = isWholeDocument(html)
    ? documentParts(html, frame)
    : fragmentParts(html, frame);
  const head = html.slice(0, start) + before;
  const body = html.slice(start, end);
  const tail = after + html.slice(end);
  const whole = (endings: string) => head + body + endings + tail;
  const isSeen = (endings: string) => {
    const from = head.length + body.length + endings.length;
    // Mail is read without scripts, but what shows it may be a page that has some.
    return (/<noscript/i.test(html) ? [false, true] : [false]).every((scripting) =>
      isFooterSeen(readTree(whole(endings), undefined, scripting).document, from + footer, (offset) =>
        isOurs(offset, start, head.length, from, after.length),
      ),
    );
  };
  if (isSeen('')) return whole('');
  const endings = endingsOf(head, body, start);
  if (endings === undefined || !isSeen(endings)) {
    throw new RefusedHtml('It leaves something open that would hide the footer. Close its comments and elements.');
  }
  return whole(endings);
}

/** Where the parts go: `footer` is where in `after` the footer begins. */
interface Parts {
  start: number;
  end: number;
  before: string;
  after: string;
  footer: number;
}

const fragmentParts = (html: string, { before, after, footer }: HtmlFrame): Parts => ({
  start: 0,
  end: html.length,
  before,
  after,
  footer: after.indexOf(footer),
});

function documentParts(html: string, { preheader, footer }: HtmlFrame): Parts {
  const { root, body } = rootsOf(readTree(html).document);
  if (body === undefined) throw new RefusedHtml('It is a document without a body.');
  const first = body.childNodes[0]?.sourceCodeLocation?.startOffset;
  const start = body.sourceCodeLocation?.startTag?.endOffset ?? first ?? html.length;
  const end = endOf(html, body.sourceCodeLocation?.endTag?.startOffset ?? root.sourceCodeLocation?.endTag?.startOffset);
  return { start, end: Math.max(start, end), before: TOP + preheader, after: footer, footer: 0 };
}

/**
 * Before the end tags; after everything when more than comments follows them, because that lies over what is before
 * it.
 */
function endOf(html: string, tags = html.length): number {
  const rest = html.slice(tags).replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return /^(?:\s|<\/(?:body|html)\s*>)*$/i.test(rest) ? tags : html.length;
}

const isOurs = (offset: number, start: number, head: number, from: number, afterLength: number): boolean =>
  (offset >= start && offset < head) || (offset >= from && offset < from + afterLength);

function isFooterSeen(document: Document, at: number, isOurs: (offset: number) => boolean): boolean {
  const footer = elementAt(document, at);
  if (footer === undefined) return false;
  const { root, body } = rootsOf(document);
  refuseHiddenPage([root, body], footer, stylesOf(document));
  for (const ancestor of ancestorsOf(footer)) {
    if (ancestor === root || ancestor === body) continue;
    const offset = ancestor.sourceCodeLocation?.startOffset;
    if (offset === undefined || !isOurs(offset)) return false;
  }
  return true;
}

/** The text that closes everything that the html has left open, or undefined if nothing is open. */
function endingsOf(head: string, body: string, start: number): string | undefined {
  for (const ending of ENDINGS) {
    const { openAtMark } = readTree(head + body + ending + MARK, MARK_ATTRIBUTE);
    if (openAtMark === undefined) continue;
    return openAtMark.reduceRight((closing, { tagName, sourceCodeLocation }) => {
      const offset = sourceCodeLocation?.startOffset;
      const isTheirs = offset !== undefined && (offset < start || offset >= head.length);
      return isTheirs && tagName !== 'html' && tagName !== 'body' ? `${closing}</${tagName}>` : closing;
    }, ending);
  }
  return undefined;
}
