import { createLinkMatcher } from '#mail/tracking/link-list.ts';
import type { Db } from '#platform/db/database.ts';
import { listRedirects } from './redirect-queries.ts';
import {
  clicksOfEmails,
  type EmailClick,
  insertLinkCounts,
  type LinkCounts,
  linksOfSends,
  sumLinkCounts,
} from './link-counts-queries.ts';

/** A click that was just stored. */
interface NewClick {
  workspaceId: string;
  id: string;
  emailId: string;
}

type Change = LinkCounts & { workspaceId: string; sendId: string; place: number };

/**
 * Counts new clicks for the links of their sends, in the transaction that stored them. The caller holds their emails,
 * so that nobody else finds the first click of a person at the same time. Clicks of other mail count nothing here.
 */
export async function countLinkClicks(tx: Db, clicks: readonly NewClick[]): Promise<void> {
  if (clicks.length === 0) return;
  const emails = [...new Map(clicks.map((click) => [click.emailId, click])).values()];
  const stored = await clicksOfEmails(tx, emails);
  if (stored.length === 0) return;
  const matchers = new Map(
    (await linksOfSends(tx, stored)).map(({ sendId, links }) => [sendId, createLinkMatcher(links)]),
  );
  const isNew = new Set(clicks.map(({ id }) => id));
  const changes = new Map<string, Change>();
  // Earlier clicks first: an email is counted once for each link, whatever address of it was followed.
  const known = new Set<string>();
  const ordered = [...stored.filter(({ id }) => !isNew.has(id)), ...stored.filter(({ id }) => isNew.has(id))];
  for (const click of ordered) {
    const place = matchers.get(click.sendId)?.(click.link) ?? 0;
    const seen = `${click.emailId} ${place} ${click.isMachine}`;
    if (isNew.has(click.id)) addClick(changes, click, { place, isFirst: !known.has(seen) });
    known.add(seen);
  }
  await insertLinkCounts(tx, [...changes.values()]);
}

function addClick(
  changes: Map<string, Change>,
  { workspaceId, sendId, isMachine }: EmailClick,
  { place, isFirst }: { place: number; isFirst: boolean },
): void {
  const key = `${sendId} ${place}`;
  const change = changes.get(key) ?? { workspaceId, sendId, place, ...NO_CLICKS };
  change[isMachine ? 'clicksMachine' : 'clicks'] += 1;
  if (isFirst) change[isMachine ? 'clickedMachine' : 'clicked'] += 1;
  changes.set(key, change);
}

const NO_CLICKS: LinkCounts = { clicks: 0, clicked: 0, clicksMachine: 0, clickedMachine: 0 };

/** The links of a send with their clicks. */
export interface SendLinks {
  /** In the order in which they appear. */
  links: (LinkCounts & {
    url: string;
    /** Where it leads now; null: to its own address. */
    leadsTo: string | null;
  })[];
  /** Of addresses that are none of these. */
  others: LinkCounts;
  countedSince: Date;
}

/** undefined: its clicks are not counted by link. */
export async function linksOfSend(
  db: Db,
  key: { workspaceId: string; sendId: string },
): Promise<SendLinks | undefined> {
  const [found] = await linksOfSends(db, [key]);
  if (found === undefined) return undefined;
  const counts = new Map((await sumLinkCounts(db, key)).map(({ place, ...ofLink }) => [place, ofLink]));
  const redirects = new Map((await listRedirects(db, key)).map(({ link, target }) => [link, target]));
  const leadsTo = (url: string) => (redirects.get(url) === url ? null : (redirects.get(url) ?? null));
  return {
    links: found.links.map((url, index) => ({
      url,
      leadsTo: leadsTo(url),
      ...NO_CLICKS,
      ...counts.get(index + 1),
    })),
    others: counts.get(0) ?? NO_CLICKS,
    countedSince: found.countedSince,
  };
}
