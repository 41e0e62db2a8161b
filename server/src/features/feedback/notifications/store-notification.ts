import { type Db, inOneStatement } from '#platform/db/database.ts';
import { isDatabaseUnavailable } from '#platform/db/database-errors.ts';
import { reach } from '#platform/fault-points.ts';
import { announceWork } from '../work-signal.ts';
import { insertNotifications, type NewNotification } from './queries.ts';

interface Waiting {
  given: NewNotification;
  resolve(isNew: boolean): void;
  reject(error: unknown): void;
}

/** With bodies of 256 KiB a statement stays under 9 MB. */
const PAGE_MAX = 32;

/**
 * Keeps a notification as it came, and returns once it is committed: only then may its sender be told that it arrived.
 * True when it was not known before. What comes while others are being stored shares a statement and a commit with them.
 */
export function storeNotification(db: Db, given: NewNotification): Promise<boolean> {
  let gatherer = gatherers.get(db);
  if (gatherer === undefined) {
    gatherer = createGatherer(db);
    gatherers.set(db, gatherer);
  }
  return gatherer(given);
}

const gatherers = new WeakMap<Db, (given: NewNotification) => Promise<boolean>>();

function createGatherer(db: Db): (given: NewNotification) => Promise<boolean> {
  let waiting: Waiting[] = [];
  let busy = false;
  const flush = (): void => {
    if (busy || waiting.length === 0) return;
    const page = waiting.slice(0, PAGE_MAX);
    waiting = waiting.slice(PAGE_MAX);
    busy = true;
    void storePage(db, page).finally(() => {
      busy = false;
      flush();
    });
  };
  return (given) =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject });
      // After everything that this turn of the event loop brings in.
      if (waiting.length === 1) setImmediate(flush);
    });
}

/** Never rejects: each sender hears what became of its own. */
async function storePage(db: Db, page: readonly Waiting[]): Promise<void> {
  try {
    const inserted = await inOneStatement(db, (own) =>
      insertNotifications(
        own,
        page.map((one) => one.given),
      ),
    );
    await reach('feedback.notification.stored');
    const news = new Set(inserted.map(keyOf));
    if (news.size > 0) announceWork();
    // The second of two that came together is not new.
    for (const one of page) one.resolve(news.delete(keyOf(one.given)));
  } catch (error) {
    if (page.length === 1 || isDatabaseUnavailable(error)) {
      for (const one of page) one.reject(error);
      return;
    }
    // Nothing was stored. One of them is at fault, and must not refuse the others.
    for (const one of page) await storePage(db, [one]);
  }
}

const keyOf = ({ source, id }: { source: string; id: string }): string => `${source} ${id}`;
