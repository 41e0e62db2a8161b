import type { Db } from '#platform/db/database.ts';
import { deleteOldSecurityEvents } from './queries.ts';

/** Of each workspace in one statement. */
const PAGE = 1_000;

/** Removes a page of entries that are older than so many days; 0 keeps them for ever. Returns how many; 0: no more. */
export const forgetSecurityLog = async (db: Db, days: number): Promise<number> =>
  days === 0 ? 0 : deleteOldSecurityEvents(db, days, PAGE);
