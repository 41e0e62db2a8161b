import type { Db } from '#platform/db/database.ts';
import { deleteOldRequests } from './queries.ts';

/** Requests are for looking at a fault of this week; they hold addresses of networks and people. */
export const REQUESTS_DAYS = 7;
const PAGE = 1_000;

/** Removes a page of requests that are older than seven days. Returns how many; 0: no more. */
export const forgetRequests = (db: Db): Promise<number> => deleteOldRequests(db, REQUESTS_DAYS, PAGE);
