import type { Db } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import { gatherer } from '#platform/work/gatherer.ts';
import { feedbackWork } from '../work-signal.ts';
import { insertNotifications, type NewNotification } from './queries.ts';

/** With bodies of 256 KiB a statement stays under 9 MB. */
const PAGE_MAX = 32;

/**
 * Keeps a notification as it came, and returns once it is committed: only then may its sender be told that it arrived.
 * True when it was not known before. Notifications that come together share a statement and a commit.
 */
export const storeNotification = gatherer({ pageMax: PAGE_MAX, store: storePage });

async function storePage(db: Db, page: readonly NewNotification[]): Promise<boolean[]> {
  const inserted = await insertNotifications(db, page);
  await reach('feedback.notification.stored');
  const news = new Set(inserted.map(keyOf));
  if (news.size > 0) feedbackWork.tell({});
  // The second of two that came together is not new.
  return page.map((one) => news.delete(keyOf(one)));
}

const keyOf = ({ source, id }: { source: string; id: string }): string => `${source} ${id}`;
