/**
 * The links of html that goes to many, as its author wrote them: the address of a link may be a template. A click says
 * where it led, and is counted for the link whose address fits.
 */
import { findPlaces } from './find-places.ts';
import { createLinkJudge, type TrackingRules } from './tracked-html.ts';

/** More links than tracking has room for (`GROWTH_CHARS_MAX`). */
const LINKS_MAX = 5_000;

/** Names of variables that are the same for every reader, with their values. */
export type SharedVariables = ReadonlyMap<string, string>;

/**
 * The addresses whose clicks are counted, in the order in which they first appear. Each is there once: a tracked link
 * says its address and not its place. `{{ … }}` of what all readers share is filled in.
 */
export function listLinks(
  html: string,
  rules: Pick<TrackingRules, 'baseUrl' | 'ownUrls'>,
  shared: SharedVariables,
): string[] {
  const judge = createLinkJudge({ ...rules, opens: false, clicks: true });
  const found = new Set<string>();
  for (const { href } of findPlaces(html).links) {
    const address = withShared(href.trim(), shared);
    const target = hasTemplate(address) ? openTarget(address) : judge(address);
    if (target !== null && found.size < LINKS_MAX) found.add(target);
  }
  return [...found];
}

/** The place of the link that an address is counted for, from 1; 0: none of them. */
export function createLinkMatcher(links: readonly string[]): (target: string) => number {
  const exact = new Map(links.map((link, index) => [link, index + 1]));
  // The link that says most of an address comes first: one that is a variable alone fits everything.
  const open = links
    .map((link, index) => ({ place: index + 1, parts: hasTemplate(link) ? literalParts(link) : null }))
    .flatMap(({ place, parts }) => (parts === null ? [] : [{ place, parts, chars: parts.join('').length }]))
    .toSorted((a, b) => b.chars - a.chars || a.place - b.place);
  return (target) => exact.get(target) ?? open.find(({ parts }) => fits(target, parts))?.place ?? 0;
}

/** The attribute that `numberLinks` writes. */
const NUMBER_ATTRIBUTE = 'data-posthorn-link';

/** The html of one reader, in which each counted link has the place of its address in an attribute. */
export function numberLinks(
  html: string,
  placeOf: (target: string) => number,
  rules: Pick<TrackingRules, 'baseUrl' | 'ownUrls'>,
): string {
  const judge = createLinkJudge({ ...rules, opens: false, clicks: true });
  const parts: string[] = [];
  let done = 0;
  for (const { end, href } of findPlaces(html).links) {
    const target = judge(href);
    const place = target === null ? 0 : placeOf(target);
    if (place === 0) continue;
    const at = html[end] === '"' || html[end] === "'" ? end + 1 : end;
    parts.push(html.slice(done, at), ` ${NUMBER_ATTRIBUTE}="${place}"`);
    done = at;
  }
  return parts.join('') + html.slice(done);
}

const hasTemplate = (address: string): boolean => address.includes('{{') || address.includes('{%');

const withShared = (address: string, shared: SharedVariables): string =>
  address.replace(/\{\{-?\s*([\w.]+)\s*-?\}\}/g, (whole, name: string) => shared.get(name) ?? whole);

/** Begins like an address of the web, or with what only the reader's values say. Never a link to leave. */
function openTarget(address: string): string | null {
  if (/unsubscrib|opt-?out|preferences_url/i.test(address)) return null;
  return /^(?:https?:\/\/|\{[{%])/i.test(address) ? address : null;
}

/** The text around the variables of an address. A tag such as `{% if %}` leaves open all that follows. */
function literalParts(address: string): string[] {
  const tag = address.indexOf('{%');
  const known = tag === -1 ? address : `${address.slice(0, tag)}{{`;
  return known.split(/\{\{(?:[^}]|\}(?!\}))*(?:\}\}|$)/);
}

/** In time that is linear in the length of the target, whatever the parts are. */
function fits(target: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!target.startsWith(first) || target.length < first.length + last.length || !target.endsWith(last)) return false;
  const until = target.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = target.indexOf(part, at);
    if (found === -1 || found + part.length > until) return false;
    at = found + part.length;
  }
  return true;
}
