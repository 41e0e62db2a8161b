import { createLinkMatcher } from '#mail/tracking/link-list.ts';
import { type Clock, endsWithin } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { listRedirectedSends, type RedirectedSend } from './redirect-queries.ts';

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
}

/**
 * Keeps in memory the links that were redirected, of every workspace: they are few, and a click must not wait for the
 * database. Only the mail whose token the click has is looked at, so a redirect of one mailing changes no other.
 */
export function createLinkRedirects({ db, clock, log }: { db: Db; clock: Clock; log: Log }): LinkRedirects {
  const known = new Map<string, (target: string) => string>();
  let since: Date | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      for (const send of await listRedirectedSends(db, since && new Date(since.getTime() - OVERLAP_MS))) {
        for (const tail of send.contentTails) known.set(`${send.workspaceId} ${tail}`, leading(send));
        since = send.changedAt;
      }
    } catch (error) {
      log.warn({ err: error }, 'redirected links could not be read; clicks lead where they led before');
    }
  }

  return {
    async leadsTo({ workspaceId, contentTail, target }) {
      if (contentTail === null) return target;
      if (clock.monotonicMs() - askedAt >= FRESH_MS) {
        askedAt = clock.monotonicMs();
        asking = refresh().finally(() => (asking = undefined));
      }
      if (asking !== undefined) await endsWithin(clock, WAIT_MS, asking);
      return known.get(`${workspaceId} ${contentTail}`)?.(target) ?? target;
    },
  };
}

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
