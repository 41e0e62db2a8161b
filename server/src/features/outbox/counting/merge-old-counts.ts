import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';
import { forgetDomains } from './mailbox-domains-queries.ts';
import { moveCountsToHours } from './merge-old-counts-queries.ts';

const NAME = 'counts of emails by the hour';
const DAY_MS = 86_400_000;
/** A quarter year by the quarter of an hour: what is compared from day to day. */
const QUARTERS_DAYS = 100;
/** Retention removes emails some hours after their last day. */
const AFTER_RETENTION_DAYS = 10;
/** The day on which a domain was last counted is a week old at most. */
const SEEN_DAYS = 8;
const PAGE = 5_000;

interface MergeOptions {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'retentionDays'>;
}

/**
 * Merges counts to hours when their emails have been removed: a year has half of the rows. Until then they stay exact
 * in zones whose days begin within an hour of UTC, too, and equal to their lists. Forgets the domains of which no email
 * is left. Returns how many rows it moved; undefined: it is not our turn.
 */
export async function mergeOldCounts(
  { db, clock, settings: { retentionDays } }: Omit<MergeOptions, 'log'>,
  goOn: () => boolean = () => true,
  stopping?: AbortSignal,
): Promise<number | undefined> {
  if (retentionDays === 0) return 0; // emails stay for ever
  return inThisHour(
    { db, clock, name: NAME },
    async ({ everyPage }) => {
      const days = Math.max(QUARTERS_DAYS, retentionDays + AFTER_RETENTION_DAYS);
      const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
      const before = daysAgo(days);
      let moved = 0;
      await everyPage(async () => {
        const page = await moveCountsToHours(db, before, PAGE);
        moved += page;
        return page === PAGE;
      });
      const unseen = daysAgo(retentionDays + AFTER_RETENTION_DAYS + SEEN_DAYS);
      await everyPage(async () => (await forgetDomains(db, unseen, PAGE)) === PAGE);
      return moved;
    },
    goOn,
    stopping,
  );
}

export const mergeOldCountsService = (options: MergeOptions): Service =>
  hourlyService(
    { ...options, name: NAME },
    'old counts of emails could not be merged; trying again later',
    (goOn, stopping) => mergeOldCounts(options, goOn, stopping),
  );
