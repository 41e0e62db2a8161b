/**
 * Where in a html document its links and the place for a pixel are: offsets in the source, so that everything else can
 * stay as it is.
 *
 * It is read by the tokenizer of parse5 with just enough of a parser around it to know which text is no markup. A whole
 * tree is not built: its time grows by the square of what a hostile document nests (100,000 open elements), and
 * offsets are all that is wanted. The tests compare with the whole parser.
 */
import type { Token, Tokenizer } from 'parse5';
import { htmlParser } from '../html-parser.ts';

export interface LinkPlace {
  /** Of the value of href in the source: without quotes, references not decoded. */
  start: number;
  end: number;
  /** The value, decoded. */
  href: string;
}

export interface Places {
  /** Links of people: the first href of every `<a>` and `<area>`, in order. */
  links: LinkPlace[];
  /** Before the last `</body>`; where there is none, the end of what is shown. */
  pixelAt: number;
}

/** A link that has this attribute, whatever its value, is never rewritten. */
const NO_TRACK_ATTRIBUTE = 'data-posthorn-no-track';

// The content of these elements is text (HTML §13.2.5). noscript is not among them: mail is read without scripts.
const TEXT_MODES = new Map<string, 'RCDATA' | 'RAWTEXT' | 'SCRIPT_DATA' | 'PLAINTEXT'>([
  ['title', 'RCDATA'],
  ['textarea', 'RCDATA'],
  ['style', 'RAWTEXT'],
  ['xmp', 'RAWTEXT'],
  ['iframe', 'RAWTEXT'],
  ['noembed', 'RAWTEXT'],
  ['noframes', 'RAWTEXT'],
  ['script', 'SCRIPT_DATA'],
  ['plaintext', 'PLAINTEXT'],
]);

// In svg and mathml these hold html again.
const INTEGRATION_POINTS = new Set(['foreignobject', 'desc', 'annotation-xml', 'mi', 'mo', 'mn', 'ms', 'mtext']);
/** Nobody nests pictures deeper; beyond it the document is hostile and its remaining links stay. */
const FOREIGN_DEPTH_MAX = 50;

export function findPlaces(html: string): Places {
  const { Tokenizer } = htmlParser();
  const reader = new Reader(html);
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, reader);
  reader.tokenizer = tokenizer;
  tokenizer.write(html, true);
  return { links: reader.links, pixelAt: reader.pixelAt };
}

class Reader {
  readonly links: LinkPlace[] = [];
  tokenizer: Tokenizer | undefined;
  readonly #html: string;
  /** Elements of svg and mathml that are open, and html inside them. */
  readonly #foreign: string[] = [];
  #bodyEnd: number | undefined;
  /** Start of an element whose text has not ended. */
  #textFrom: number | undefined;
  #shownEnd = 0;
  #isTornComment = false;

  constructor(html: string) {
    this.#html = html;
  }

  get pixelAt(): number {
    return this.#bodyEnd ?? this.#textFrom ?? this.#shownEnd;
  }

  onStartTag(token: Token.TagToken): void {
    this.#seen(token);
    const { tagName } = token;
    if (this.#inForeign && htmlParser().foreignContent.causesExit(token)) this.#leaveForeign();
    if (tagName === 'svg' || tagName === 'math' || (this.#inForeign && INTEGRATION_POINTS.has(tagName))) {
      if (!token.selfClosing && this.#foreign.length < FOREIGN_DEPTH_MAX) this.#foreign.push(tagName);
    } else if (!this.#inForeign) {
      const mode = TEXT_MODES.get(tagName);
      if (mode !== undefined && this.tokenizer !== undefined) {
        this.tokenizer.state = htmlParser().TokenizerMode[mode];
        this.#textFrom = token.location?.startOffset;
      } else if ((tagName === 'a' || tagName === 'area') && this.#foreign.length === 0) {
        this.#addLink(token);
      }
    }
    this.#tellForeign();
  }

  onEndTag(token: Token.TagToken): void {
    this.#seen(token);
    this.#textFrom = undefined;
    if (token.tagName === 'body') this.#bodyEnd = token.location?.startOffset;
    const open = this.#foreign.lastIndexOf(token.tagName);
    if (open !== -1) this.#foreign.length = open;
    this.#tellForeign();
  }

  onComment(token: Token.CommentToken): void {
    if (!this.#isTornComment) this.#seenUnlessTorn(token);
  }

  onDoctype(token: Token.DoctypeToken): void {
    this.#seenUnlessTorn(token);
  }

  onCharacter(token: Token.CharacterToken): void {
    this.#seen(token);
  }

  onNullCharacter(token: Token.CharacterToken): void {
    this.#seen(token);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.#seen(token);
  }

  onEof(): void {}

  onParseError({ code }: { code: string }): void {
    if (code === 'eof-in-comment') this.#isTornComment = true;
  }

  /** A tag that is cut off at the end of the document is no token: what is shown ends before it. */
  #seen(token: { location: Token.Location | null }): void {
    this.#shownEnd = token.location?.endOffset ?? this.#shownEnd;
  }

  /** A comment or doctype that never ends hides whatever is put behind it. */
  #seenUnlessTorn(token: { location: Token.Location | null }): void {
    const end = token.location?.endOffset ?? 0;
    if (end < this.#html.length || this.#html.endsWith('>')) this.#seen(token);
  }

  get #inForeign(): boolean {
    const innermost = this.#foreign.at(-1);
    return innermost === 'svg' || innermost === 'math';
  }

  /** Html that may not stand in a picture ends it, as in a browser, though not the html around it. */
  #leaveForeign(): void {
    while (this.#inForeign) this.#foreign.pop();
  }

  #tellForeign(): void {
    if (this.tokenizer !== undefined) this.tokenizer.inForeignNode = this.#inForeign;
  }

  #addLink(token: Token.TagToken): void {
    const href = token.attrs.find(({ name }) => name === 'href');
    const place = token.location?.attrs?.['href'];
    if (href === undefined || place === undefined) return;
    if (token.attrs.some(({ name }) => name === NO_TRACK_ATTRIBUTE)) return;
    // Name, equals sign and quote; white space may stand around the equals sign (HTML §13.1.2.3).
    const source = this.#html.slice(place.startOffset, place.endOffset);
    const opening = /^href[\t\n\f\r ]*=[\t\n\f\r ]*(["']?)/i.exec(source);
    if (opening === null) return;
    const quote = opening[1] ?? '';
    this.links.push({
      start: place.startOffset + opening[0].length,
      end: place.endOffset - quote.length,
      href: href.value,
    });
  }
}
