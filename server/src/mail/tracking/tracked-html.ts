/**
 * Html whose links and pixel are its recipient's own: read once a send, filled in for each recipient. Whatever is
 * neither a rewritten href nor the pixel stays as it is, byte for byte.
 */
import { escapeHtml } from '#platform/html/html.ts';
import type { Piece } from '../message/open-body.ts';
import { findPlaces } from './find-places.ts';
import { webTargetOf } from './link-target.ts';
import type { TrackedContent, TrackedEmail } from './token.ts';
import {
  clickUrlChars,
  clickUrlParts,
  LINK_CHARS_MAX,
  pixelUrlParts,
  TRAIL_CHARS,
  type TrackingUrls,
  Trail,
} from './tracking-urls.ts';

export interface TrackingRules {
  opens: boolean;
  clicks: boolean;
  baseUrl: string;
  /** Addresses of ours: links to their unsubscribe, confirmation and tracking pages are never rewritten. */
  ownUrls: readonly string[];
}

/** Source text, the target of a link, the pixel, or a link whose href is each recipient's own. */
export type TrackedPiece = { text: string } | { target: string } | { pixel: true } | { source: string; href: string };

export interface TrackedHtml {
  readonly pieces: readonly TrackedPiece[];
  /** Whether anything is to be filled in; if not, the html is what it was. */
  readonly isTracked: boolean;
  /** Whether every link that may be rewritten is. */
  readonly hasRoom: boolean;
}

/**
 * The number of bytes that rewriting may add to one html. 5,000 usual links take half of it; the links beyond it stay
 * as they are.
 */
const GROWTH_CHARS_MAX = 1024 * 1024;
/** A person who wants to leave must get there whatever becomes of us, and mail programs look for such links. */
const LEAVING = /unsubscrib|opt-?out/i;
const NEVER_REWRITTEN = ['/api/n/', '/t/o/', '/t/c/'];

/**
 * Finds what is to be filled in. Linear in the length of the html; throws nothing, however broken it is. `isOpen`: the
 * href is each recipient's own, and its piece is left to the caller, with room for the longest link.
 */
export function prepareTrackedHtml(html: string, rules: TrackingRules, isOpen = (_href: string) => false): TrackedHtml {
  if (!rules.opens && !rules.clicks) return { pieces: [{ text: html }], isTracked: false, hasRoom: true };
  const { links, pixelAt } = findPlaces(html);
  const targetOf = createLinkJudge(rules);
  const edits: { start: number; end: number; piece: TrackedPiece }[] = [];
  let room = GROWTH_CHARS_MAX;
  let hasRoom = true;
  for (const { start, end, href } of rules.clicks ? links : []) {
    const open = isOpen(href);
    const target = open ? href : targetOf(href);
    if (target === null) continue;
    const chars = open ? LINK_CHARS_MAX : clickUrlChars(rules.baseUrl, target);
    const growth = Math.max(0, chars - (end - start));
    if (growth > room) {
      hasRoom = false;
      continue;
    }
    room -= growth;
    edits.push({ start, end, piece: open ? { source: html.slice(start, end), href } : { target } });
  }
  if (rules.opens) edits.push({ start: pixelAt, end: pixelAt, piece: { pixel: true } });
  edits.sort((a, b) => a.start - b.start);
  return { pieces: spliced(html, edits), isTracked: edits.length > 0, hasRoom };
}

/** A recipient whose email is tracked. */
export interface Tracked {
  trail: Trail | undefined;
}

/** The html for one recipient. */
export function fillTrackedHtml(
  tracked: TrackedHtml,
  email: TrackedEmail & TrackedContent,
  urls: TrackingUrls,
): string {
  const trail = new Trail(email, urls.key);
  const filled = (piece: Piece<Tracked>) => (typeof piece === 'string' ? piece : piece.text({ trail }));
  return trackedPieces(tracked, email, urls).map(filled).join('');
}

/** The same, for a message that is composed once: the text of all, and what is each recipient's own. */
export function trackedPieces(tracked: TrackedHtml, content: TrackedContent, urls: TrackingUrls): Piece<Tracked>[] {
  const [pixelStart, pixelEnd] = pixelUrlParts(urls).map(escapeHtml);
  return tracked.pieces.flatMap((piece): Piece<Tracked>[] => {
    if ('text' in piece) return [piece.text];
    if ('source' in piece) return [piece.source];
    if ('target' in piece) {
      const [start, end] = clickUrlParts(urls, content, piece.target).map(escapeHtml);
      return [start ?? '', { chars: TRAIL_CHARS.sender, text: ({ trail }) => trail?.sender ?? '' }, end ?? ''];
    }
    return [
      `<img src="${pixelStart}`,
      { chars: TRAIL_CHARS.pixel, text: ({ trail }) => trail?.pixel ?? '' },
      `${pixelEnd}" width="1" height="1" alt="" ${PIXEL_STYLE}>`,
    ];
  });
}

/** Takes no room and is read by nobody; not hidden, or readers would not load it. */
const PIXEL_STYLE = 'style="display:block;width:1px;height:1px;border:0;margin:0;padding:0;opacity:0"';

function spliced(html: string, edits: readonly { start: number; end: number; piece: TrackedPiece }[]): TrackedPiece[] {
  const pieces: TrackedPiece[] = [];
  let done = 0;
  for (const { start, end, piece } of edits) {
    if (start > done) pieces.push({ text: html.slice(done, start) });
    pieces.push(piece);
    done = end;
  }
  if (done < html.length) pieces.push({ text: html.slice(done) });
  return pieces;
}

/** The target of an href that is rewritten; null: it stays as it is. */
export function createLinkJudge(rules: TrackingRules): (href: string) => string | null {
  const isOurs = ownLinks(rules);
  return (href) => {
    const target = webTargetOf(href);
    if (target === null || isOurs(target)) return null;
    return clickUrlChars(rules.baseUrl, target) > LINK_CHARS_MAX ? null : target;
  };
}

/** Whether a target must not be counted: where people leave or confirm, and what is counted already. */
function ownLinks(rules: TrackingRules): (target: string) => boolean {
  const own = [rules.baseUrl, ...rules.ownUrls].map((url) => new URL(url));
  const kept = own.flatMap(({ host, pathname }) =>
    NEVER_REWRITTEN.map((path) => ({ host, path: pathname.replace(/\/$/, '') + path })),
  );
  return (target) => {
    const { host, pathname, search, hash } = new URL(target);
    if (LEAVING.test(pathname + search + hash)) return true;
    return kept.some((one) => one.host === host && pathname.startsWith(one.path));
  };
}
