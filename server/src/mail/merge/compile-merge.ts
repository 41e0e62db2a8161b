/**
 * Mail merge: texts that are rendered for each recipient, compiled once for all whose text differs in nothing but
 * values. The caller renders; this knows no template language, and no list.
 *
 * The texts are rendered the long way with words that stand for values, and divided there. Where a value could change
 * more than its place, or that is not certain, there is nothing to compile and every message goes the long way. The
 * compiled texts are compared with the long way for values full of markup before they are used.
 */
import { escapeHtml } from '#platform/html/html.ts';
import { textAndLinksOf } from '../message/html-to-text.ts';
import type { Piece } from '../message/open-body.ts';
import type { TrackedContent } from '../tracking/token.ts';
import {
  createLinkJudge,
  fillTrackedHtml,
  prepareTrackedHtml,
  type Tracked,
  type TrackedPiece,
  trackedPieces,
  type TrackingRules,
} from '../tracking/tracked-html.ts';
import { Trail, type TrackingUrls, trackedUrl } from '../tracking/tracking-urls.ts';
import { filledParts, hasProbe, probeOf, splitAtProbes } from './probes.ts';
import { meetsNeed, type ValueNeed, valueNeeds } from './value-needs.ts';

/** The texts of a message, before tracking. */
export interface LongWay {
  html: string;
  text: string;
  /** The html that the text was made from; null: it was written. */
  textFrom: string | null;
}

export interface MergeSource {
  /** The number of values. */
  count: number;
  /** The texts with these values, which are escaped where they stand in html. */
  render(values: readonly string[]): LongWay;
  tracking: MergeTracking | null;
}

export interface MergeTracking {
  rules: TrackingRules;
  urls: TrackingUrls;
  content: TrackedContent;
}

/** A recipient, as a compiled text is filled. */
export interface Merging extends Tracked {
  /** All of them plain (`isPlainValue`), and accepted. */
  values: readonly string[];
}

export interface Merge {
  /** Whether the texts are these for plain values; else they are made the long way. */
  accepts(values: readonly string[]): boolean;
  html: Piece<Merging>[];
  text: Piece<Merging>[];
  /** Characters of both texts. */
  chars: number;
}

const VALUES_MAX = 1_000;
/** The converter to text cuts html at 2 MB; values come on top. */
const CHARS_MAX = 512 * 1024;
const VALUES_CHARS_MAX = 100 * 1024;
const NOBODY = '00000000-0000-7000-8000-000000000000';

/** Undefined: there is nothing to compile. Throws what rendering throws. */
export function compileMerge(source: MergeSource): Merge | undefined {
  if (source.count > VALUES_MAX) return undefined;
  const indices = Array.from({ length: source.count }, (_, index) => index);
  const rendered = source.render(indices.map(probeOf));
  if (rendered.html.length + rendered.text.length > CHARS_MAX) return undefined;
  const needs = valueNeeds(rendered.html, source.count);
  const html = needs === undefined ? undefined : htmlPieces(rendered.html, source.tracking);
  if (needs === undefined || html === undefined) return undefined;
  const text = splitAtProbes(rendered.text).map((part) => pieceOf(part, (value) => value));
  const links = openLinksOf(rendered.textFrom);
  const merge = {
    html,
    text,
    chars: rendered.html.length + rendered.text.length,
    accepts: (values: readonly string[]) =>
      values.reduce((sum, value) => sum + value.length, 0) <= VALUES_CHARS_MAX &&
      needs.every((need, index) => meetsNeed(values[index] ?? '', need)) &&
      links.every((link) => filledParts(link.href, values) !== filledParts(link.words, values.map(withoutSpaces))),
  };
  return isSame(merge, source, needs.map(nastyFor)) ? merge : undefined;
}

const withoutSpaces = (value: string): string => value.replaceAll(' ', '');

const pieceOf = (part: string | number, as: (value: string) => string): Piece<Merging> =>
  typeof part === 'string' ? part : { text: ({ values }) => as(values[part] ?? '') };

const escapedPieces = (text: string): Piece<Merging>[] => splitAtProbes(text).map((part) => pieceOf(part, escapeHtml));

/** Undefined: there are so many links that whether one is tracked depends on the length of others. */
function htmlPieces(html: string, tracking: MergeTracking | null): Piece<Merging>[] | undefined {
  if (tracking === null) return escapedPieces(html);
  const tracked = prepareTrackedHtml(html, tracking.rules, hasProbe);
  if (!tracked.hasRoom) return undefined;
  const judge = createLinkJudge(tracking.rules);
  return tracked.pieces.flatMap((piece): Piece<Merging>[] => {
    if ('source' in piece) return [openLink(piece, judge, tracking)];
    const shared = trackedPieces({ ...tracked, pieces: [piece] }, tracking.content, tracking.urls);
    return shared.flatMap((one) => (typeof one === 'string' ? escapedPieces(one) : [one]));
  });
}

/** A link whose address is each recipient's own: judged and signed for each. */
function openLink(
  { source, href }: Extract<TrackedPiece, { source: string }>,
  judge: (href: string) => string | null,
  { content, urls }: MergeTracking,
): Piece<Merging> {
  const written = splitAtProbes(source);
  const address = splitAtProbes(href);
  return {
    text({ values, trail }) {
      const target = judge(filledParts(address, values));
      if (target === null || trail === undefined) return filledParts(written, values.map(escapeHtml));
      return escapeHtml(trackedUrl(urls, content, target, trail));
    },
  };
}

interface OpenLink {
  href: (string | number)[];
  words: (string | number)[];
}

/** The links of a text whose address might be, for some values, the same as their words. It is shown once then. */
function openLinksOf(html: string | null): OpenLink[] {
  if (html === null) return [];
  return textAndLinksOf(html).links.flatMap(({ href, words }) => {
    if (!hasProbe(href) && !hasProbe(words)) return [];
    const link = { href: splitAtProbes(href), words: splitAtProbes(words) };
    // A value at the beginning of an address begins with http: see `web` of ValueNeed.
    const [a, b] = [typeof link.href[0] === 'string' ? link.href[0] : 'http', link.words[0]];
    const length = typeof b === 'string' ? Math.min(a.length, b.length) : 0;
    const canBeSame = typeof b !== 'string' || a.slice(0, length) === b.slice(0, length);
    return canBeSame ? [link] : [];
  });
}

/** Signs that mean something to one of those who read the text on its way. */
const NASTY = `&amp=g a"b'c<d>e h--i]]>j{k}é日😀/l?m#n%20.o&amp;p;`;

const nastyFor = (need: ValueNeed, index: number): string =>
  need === 'web' ? `https://q${index}.example/a?b=c&d='e"<f>&amp;é#x` : `q${NASTY}${index}`;

/** Whether filling gives what the long way gives. */
function isSame(merge: Merge, { render, tracking }: MergeSource, values: readonly string[]): boolean {
  if (!merge.accepts(values)) return false;
  const email = { workspaceId: NOBODY, contentId: NOBODY, ...tracking?.content, emailId: NOBODY };
  const trail = tracking === null ? undefined : new Trail(email, tracking.urls.key);
  const filled = (pieces: readonly Piece<Merging>[]): string =>
    pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text({ values, trail }))).join('');
  const long = render(values);
  const html =
    tracking === null
      ? long.html
      : fillTrackedHtml(prepareTrackedHtml(long.html, tracking.rules), email, tracking.urls);
  return filled(merge.html) === html && filled(merge.text) === long.text;
}
