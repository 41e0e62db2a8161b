import { networkOf } from '#platform/ip-network.ts';

/** A click on a link of one email, or a visit to its link to leave. */
export interface Click {
  id: string;
  link: string;
  ipAddress: string;
  atMs: number;
  /** The link to leave the list, which is not tracked: whoever is asked to leave reports the visit. */
  isLeaving?: boolean;
}

/** The requests of one client that came so quickly that it was a machine. */
export interface Burst {
  /** Names the network of the client: see clientOf. */
  client: string;
  /** In the order of their times. */
  clicks: readonly Click[];
}

/** A person who reads does not follow three links in so short a time; a scanner follows all of them at once. */
export const BURST_LINKS = 3;
export const BURST_MS = 5_000;
/** Nobody leaves a list and reads on in that time: with the link to leave, one other is enough. */
const BURST_LINKS_WITH_LEAVING = 2;

/**
 * The bursts among clicks of one email: three or more different links within five seconds from one client, or the link
 * to leave and another one. The order they are given in does not matter.
 */
export function burstsOf(clicks: readonly Click[]): Burst[] {
  const byClient = Map.groupBy(clicks, ({ ipAddress }) => clientOf(ipAddress));
  return [...byClient].flatMap(([client, ofClient]) => {
    const sorted = ofClient.toSorted((a, b) => a.atMs - b.atMs);
    return spansOf(sorted).map(([from, to]) => ({ client, clicks: sorted.slice(from, to + 1) }));
  });
}

/** The ids of those clicks of one email that belong to a burst. */
export const clicksInBursts = (clicks: readonly Click[]): Set<string> =>
  new Set(burstsOf(clicks).flatMap((burst) => burst.clicks.map(({ id }) => id)));

/** First and last of every run of clicks that each stand in five seconds of too many links. */
function spansOf(sorted: readonly Click[]): [from: number, to: number][] {
  const spans: [number, number][] = [];
  const links = new Map<string, number>();
  let leaving = 0;
  let from = 0;
  for (const [to, click] of sorted.entries()) {
    links.set(click.link, (links.get(click.link) ?? 0) + 1);
    if (click.isLeaving === true) leaving += 1;
    for (let first = sorted[from]; first !== undefined && click.atMs - first.atMs > BURST_MS; first = sorted[from]) {
      const left = (links.get(first.link) ?? 1) - 1;
      if (left === 0) links.delete(first.link);
      else links.set(first.link, left);
      if (first.isLeaving === true) leaving -= 1;
      from += 1;
    }
    if (links.size < (leaving > 0 ? BURST_LINKS_WITH_LEAVING : BURST_LINKS)) continue;
    const before = spans.at(-1);
    if (before !== undefined && before[1] >= from) before[1] = to;
    else spans.push([from, to]);
  }
  return spans;
}

/**
 * Scanners follow the links of a mail from several addresses of one network: /24 of IPv4, /64 of IPv6 is one client.
 */
export const clientOf = (ipAddress: string): string => networkOf(ipAddress, { ofIpv4: 3, ofIpv6: 8 });
