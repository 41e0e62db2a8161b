import type { Settings } from '#platform/config/settings.ts';
import { headerOf, type Visitor } from '#platform/http/visitor.ts';
import { isKnownScanner, isPrefetch } from '../engagement/judge-request.ts';
import { isScannerNetwork } from './scanner-networks.ts';

/** Where browsers say that nobody has asked for it yet. */
const PURPOSES = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/**
 * Whether a link may do at once what it is for. It does for everybody but those who are known to fetch links that
 * nobody followed: a browser that loads ahead, a scanner by its name or network. HEAD and a part of the page (Range)
 * are never a visit. Such visits get the page with a button. Programs and driven browsers act: somebody has started
 * them, and counting clicks may doubt them where a withdrawal must not.
 */
export function isActualVisit(visitor: Visitor, settings: Pick<Settings, 'scannerNetworks'>): boolean {
  const { method, headers, ip } = visitor;
  if (method !== 'GET' || headers.range !== undefined) return false;
  if (isPrefetch(PURPOSES.flatMap((name) => headers[name] ?? []))) return false;
  return !isKnownScanner(headerOf(visitor, 'user-agent')) && !isScannerNetwork(ip, settings.scannerNetworks);
}

/**
 * Whether the visit is a person's beyond doubt, as far as a request can show it: a browser opened the address in a
 * window. Browsers write these headers themselves (Fetch Metadata, W3C), since 2020 and Safari since 2023, and only on
 * secure connections; programs that fetch the links of a mail do not. Without them nothing is known.
 */
export const isBrowserVisit = (visitor: Visitor, settings: Pick<Settings, 'scannerNetworks'>): boolean =>
  isActualVisit(visitor, settings) &&
  headerOf(visitor, 'sec-fetch-mode') === 'navigate' &&
  headerOf(visitor, 'sec-fetch-dest') === 'document';
