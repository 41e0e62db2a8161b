import type { Db } from '#platform/db/database.ts';
import { gatherer } from '#platform/work/gatherer.ts';
import { bytesOf } from './accepted-send.ts';
import { insertKeyedSends, type KeyedSend, type SendToInsert } from './queries/accept-sends.ts';

const PAGE_MAX = 64;
// Larger sends go alone: they would make the others wait.
const BYTES_MAX = 65_536;
const RECIPIENTS_MAX = 50;

/** A send that is small enough to share a statement and a commit with others. */
export function mayShare({ send, addresses }: SendToInsert): boolean {
  if (send.variants !== undefined) return false;
  return addresses.length <= RECIPIENTS_MAX && bytesOf(send.content) <= BYTES_MAX;
}

/**
 * Stores a send with those that come at the same time, and returns once they are committed. They take their places in
 * limits together, in the order in which they came. A key that comes twice is stored once.
 */
export const gatherSend: (db: Db, given: SendToInsert) => Promise<KeyedSend> = gatherer({
  pageMax: PAGE_MAX,
  async store(db, page: readonly SendToInsert[]) {
    const firsts = firstsOf(page);
    const sends = [...new Set(firsts)];
    const inserted = await insertKeyedSends(
      db,
      sends,
      sends.map(({ send }) => send.takes),
    );
    const results = new Map(sends.map((given, place) => [given, inserted[place]]));
    return page.map((given, place) => {
      const first = firsts[place] ?? given;
      const result = results.get(first);
      if (result === undefined) throw new Error('a send was given and nothing was said of it');
      return first === given ? result : resultOfRepeat(first, result);
    });
  },
});

/** For each send of a page the first with its key, which is the send itself when it has none. */
function firstsOf(page: readonly SendToInsert[]): SendToInsert[] {
  const firsts = new Map<string, SendToInsert>();
  return page.map((given) => {
    if (given.answer === undefined) return given;
    const { workspaceId, route, key } = given.answer;
    const name = `${workspaceId} ${route} ${key}`;
    const first = firsts.get(name) ?? given;
    firsts.set(name, first);
    return first;
  });
}

/** A repeated send finds what a send behind the commit would find. One whose first was refused tries again. */
function resultOfRepeat({ answer }: SendToInsert, first: KeyedSend): KeyedSend {
  if ('kept' in first) return first;
  return { kept: 'refusedBy' in first ? null : (answer ?? null) };
}
