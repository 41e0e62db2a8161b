import { Drop, type Liquid } from 'liquidjs';
import { escapeHtml } from '#platform/html/html.ts';
import { type DrawnPiece, textOfPieces } from './drawn-piece.ts';
import { textOf } from './template-data.ts';

/** Html that a filter or a capture has made: an output escapes it no further. In a comparison it is its text. */
export class Markup extends Drop {
  readonly #html: string;
  /** The value that was escaped, so that a filter behind does not work on entities. */
  readonly plain: string;
  /** For `raw`, whose author wants no escaping but what was asked for. */
  readonly raw: string;
  readonly pieces: readonly DrawnPiece[];

  constructor(html: string, plain: string, raw: string, pieces: readonly DrawnPiece[] = piecesOf(html, plain)) {
    super();
    this.#html = html;
    this.plain = plain;
    this.raw = raw;
    this.pieces = pieces;
  }

  override valueOf(): string {
    return this.#html;
  }
}

/** Breaks and entities that a filter made are text of the author; escaped text is an output like any other. */
const piecesOf = (html: string, plain: string): DrawnPiece[] =>
  html === escapeHtml(plain) ? [{ value: plain, text: html }] : [html];

/** A captured part of a template. A filter behind it sees the values as they were, and escapes all of it. */
export function captured(pieces: readonly DrawnPiece[]): Markup {
  const html = textOfPieces(pieces);
  const plain = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.value)).join('');
  return new Markup(html, plain, html, pieces);
}

const plainOf = (value: unknown): unknown => (value instanceof Markup ? value.plain : value);

const ENTITY = /&amp;(?=#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{1,31};)/gi;

/**
 * The filters that make html, for templates whose outputs are escaped anyway: a value is escaped once, whether its
 * author asks for it or not. All others see the value as it was before.
 */
export function registerMarkupFilters(liquid: Liquid): void {
  for (const [name, filter] of Object.entries(liquid.filters)) {
    if (name === 'raw' || typeof filter !== 'function') continue;
    liquid.filters[name] = function (value, ...args) {
      return filter.call(this, plainOf(value), ...args.map(plainOf));
    };
  }
  const register = (name: string, html: (plain: string) => string): void =>
    liquid.registerFilter(name, function (value: unknown) {
      if (value instanceof Markup) return value;
      const plain = textOf(value);
      this.context.memoryLimit.use(plain.length);
      const escaped = html(plain);
      return new Markup(escaped, plain, escaped);
    });
  register('escape', escapeHtml);
  register('escape_once', (plain) => escapeHtml(plain).replace(ENTITY, '&'));
  liquid.registerFilter('newline_to_br', function (value: unknown) {
    const plain = textOf(plainOf(value));
    const html = value instanceof Markup ? value.valueOf() : escapeHtml(plain);
    this.context.memoryLimit.use(html.length);
    const broken = withBreaks(html);
    return new Markup(broken, broken, value instanceof Markup ? broken : withBreaks(plain));
  });
  liquid.registerFilter('raw', {
    raw: true,
    handler: (value: unknown) => (value instanceof Markup ? value.raw : value),
  });
}

const withBreaks = (text: string): string => text.replace(/\r?\n/g, '<br />\n');
