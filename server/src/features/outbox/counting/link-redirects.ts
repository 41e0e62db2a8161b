import { LRUCache } from 'lru-cache';
import { createLinkMatcher } from '#mail/tracking/link-list.ts';
import { type Clock, endsWithin } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { findRedirectedSend, listRedirectedSends, type RedirectedSend } from './redirect-queries.ts';

/** A change is in force within this time, in every process. */
const FRESH_MS = 1_000;
/** A click waits no longer for the database, and then leads where its token says. */
const WAIT_MS = 250;
/** A change that commits late is older than one that was read already. */
const OVERLAP_MS = 60_000;

/** A click as its token says. */
interface Click {
  workspaceId: string;
  /** null: of mail from before contents were in tokens. */
  contentTail: string | null;
  target: string;
}

export interface LinkRedirects {
  /** Where the click leads now. Never rejects. */
  leadsTo(click: Click): Promise<string>;
  /** The characters of addresses in memory. */
  keptChars(): number;
}

/** About ten thousand mailings with their links. */
const KEPT_CHARS = 8 * 1024 * 1024;
/** Links that one look reads; more of them are asked for by their clicks. */
const READ_MAX = 20_000;
/** An entry takes them beside its addresses. */
const ENTRY_CHARS = 32;

interface Options {
  db: Db;
  clock: Clock;
  log: Log;
  keptChars?: number;
}

/**
 * Keeps in memory the links that were redirected, of every workspace: they are few, and a click must not wait for the
 * database. Only the mail whose token the click has is looked at, so a redirect of one mailing changes no other. When
 * they are more than fit, those that were clicked least recently go, and a click on mail that is not in memory asks
 * for its mailing; then it is also kept that nothing of a mailing was redirected, until the next look finds a change.
 */
export function createLinkRedirects({ db, clock, log, keptChars = KEPT_CHARS }: Options): LinkRedirects {
  const memory = createMemory(keptChars);
  const asked = new Map<string, Promise<void>>();
  let since: Date | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const failed = (error: unknown): void =>
    log.warn({ err: error }, 'redirected links could not be read; clicks lead where they led before');

  async function refresh(): Promise<void> {
    const changed = await listRedirectedSends(db, since && new Date(since.getTime() - OVERLAP_MS), READ_MAX);
    // A change that was not read may be of a mailing that is known.
    if (changed.reduce((all, { redirects }) => all + redirects.length, 0) >= READ_MAX) memory.forget();
    // The oldest first, so that the newest stay.
    for (const send of changed.toReversed()) memory.keepSend(send);
    since = changed[0]?.changedAt ?? since;
  }

  async function ask(key: string, click: { workspaceId: string; contentTail: string }): Promise<void> {
    const send = await findRedirectedSend(db, click);
    if (send === undefined) memory.keepNone(key);
    else memory.keepSend(send);
  }

  return {
    keptChars: () => memory.known.calculatedSize,
    async leadsTo({ workspaceId, contentTail, target }) {
      if (contentTail === null) return target;
      if (clock.monotonicMs() - askedAt >= FRESH_MS) {
        askedAt = clock.monotonicMs();
        asking = refresh()
          .catch(failed)
          .finally(() => (asking = undefined));
      }
      if (asking !== undefined) await endsWithin(clock, WAIT_MS, asking);
      const key = keyOf(workspaceId, contentTail);
      const leads = memory.known.get(key);
      if (leads !== undefined) return leads(target);
      if (memory.isWhole()) return target;
      const looked =
        asked.get(key) ??
        ask(key, { workspaceId, contentTail })
          .catch(failed)
          .finally(() => asked.delete(key));
      asked.set(key, looked);
      await endsWithin(clock, WAIT_MS, looked);
      return memory.known.get(key)?.(target) ?? target;
    },
  };
}

const keyOf = (workspaceId: string, contentTail: string): string => `${workspaceId} ${contentTail}`;

/** Mailings by their contents; `isWhole`: with all that were redirected in the instance. */
function createMemory(keptChars: number) {
  let isWhole = true;
  const known = new LRUCache<string, Leading>({ maxSize: keptChars });
  const keep = (key: string, leads: Leading, addresses: readonly string[]): void => {
    const size = ENTRY_CHARS + key.length + addresses.reduce((all, { length }) => all + length, 0);
    if (size + known.calculatedSize > keptChars) isWhole = false;
    known.set(key, leads, { size });
  };
  return {
    known,
    isWhole: () => isWhole,
    forget(): void {
      isWhole = false;
      known.clear();
    },
    keepSend(send: RedirectedSend): void {
      const addresses = [...send.links, ...send.redirects.flatMap(({ link, target }) => [link, target])];
      const leads = leading(send);
      for (const tail of send.contentTails) keep(keyOf(send.workspaceId, tail), leads, addresses);
    },
    keepNone: (key: string): void => keep(key, asItIs, []),
  };
}

type Leading = (target: string) => string;

/** Of mail of which no link was redirected. */
const asItIs: Leading = (target) => target;

/** The link that says most of a target is the one that was followed, as where clicks are counted. */
function leading({ links, redirects }: RedirectedSend): (target: string) => string {
  const placeOf = createLinkMatcher(links);
  const targets = new Map(redirects.map(({ link, target }) => [link, target]));
  return (followed) => {
    const link = links[placeOf(followed) - 1];
    const target = link === undefined ? undefined : targets.get(link);
    // Led back: to the address of this reader, and not to the template that it was made of.
    return target === undefined || target === link ? followed : target;
  };
}
