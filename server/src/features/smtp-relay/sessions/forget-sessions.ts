import type { Db } from '#platform/db/database.ts';
import { deleteOldSessions, deleteOldWrongLogins } from './queries.ts';

/** Sessions are for looking at a fault of this week. */
export const RELAY_SESSIONS_DAYS = 7;
const PAGE = 1_000;
const WRONG_LOGINS_MAX = 10_000;

/** Removes a page of what is older than seven days. Returns how many rows; 0: no more. */
export async function forgetRelaySessions(db: Db): Promise<number> {
  const sessions = await deleteOldSessions(db, RELAY_SESSIONS_DAYS, PAGE);
  return sessions > 0 ? sessions : deleteOldWrongLogins(db, RELAY_SESSIONS_DAYS, WRONG_LOGINS_MAX, PAGE);
}
