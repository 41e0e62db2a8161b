import { networkOf } from '#platform/ip-network.ts';

/** A click on a link of one email. */
export interface Click {
  id: string;
  link: string;
  ipAddress: string;
  atMs: number;
}

/** A person who reads does not follow three links in so short a time; a scanner follows all of them at once. */
export const BURST_LINKS = 3;
export const BURST_MS = 5_000;

/**
 * The ids of those clicks of one email that belong to a burst: three or more different links within five seconds from
 * one client. The order they are given in does not matter.
 */
export function clicksInBursts(clicks: readonly Click[]): Set<string> {
  const found = new Set<string>();
  for (const ofClient of Map.groupBy(clicks, ({ ipAddress }) => clientOf(ipAddress)).values()) {
    const sorted = ofClient.toSorted((a, b) => a.atMs - b.atMs);
    const links = new Map<string, number>();
    let from = 0;
    let marked = 0;
    for (const [to, click] of sorted.entries()) {
      links.set(click.link, (links.get(click.link) ?? 0) + 1);
      for (let first = sorted[from]; first !== undefined && click.atMs - first.atMs > BURST_MS; first = sorted[from]) {
        const left = (links.get(first.link) ?? 1) - 1;
        if (left === 0) links.delete(first.link);
        else links.set(first.link, left);
        from += 1;
      }
      if (links.size < BURST_LINKS) continue;
      for (const one of sorted.slice(Math.max(from, marked), to + 1)) found.add(one.id);
      marked = to + 1;
    }
  }
  return found;
}

/** Scanners follow the links of a mail from several addresses of one network: /24 of IPv4, /64 of IPv6 is one client. */
export const clientOf = (ipAddress: string): string => networkOf(ipAddress, { ofIpv4: 3, ofIpv6: 8 });
