import { judgeRequest } from '#features/feedback';
import type { Settings } from '#platform/config/settings.ts';
import { isScannerNetwork } from './scanner-networks.ts';
import { headerOf, type Visitor } from './visitor.ts';

/** Where browsers say that nobody has asked for it yet. */
const PURPOSES = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/**
 * Whether following a link is a person's doing, as far as a request can show it. A machine is shown the page with a
 * button; a person's visit acts at once, however soon after the mail it comes. HEAD and a part of the page (Range) are
 * asked for by programs only.
 */
export function isPerson(visitor: Visitor, settings: Pick<Settings, 'scannerNetworks'>): boolean {
  const { method, headers, ip } = visitor;
  if (method !== 'GET' || headers.range !== undefined) return false;
  const purposes = PURPOSES.flatMap((name) => headers[name] ?? []);
  const userAgent = headerOf(visitor, 'user-agent');
  return (
    judgeRequest({ type: 'click', userAgent, purposes }) === null && !isScannerNetwork(ip, settings.scannerNetworks)
  );
}
