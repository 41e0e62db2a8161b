import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';
import { forgetArrivals } from './from-ses/queries.ts';
import { deleteLeftBehind, deleteOldInbound } from './retention-queries.ts';

/** Up to 40 MB each. */
const PAGE = 20;
const NAME = 'received mail';
/** Mail that Amazon SES received and nobody took is kept as long as the body of a notification. */
const REFUSED_DAYS = 7;
const ARRIVAL_DAYS = 31;

/** Removes a page of mail that is old enough, or whose domain is gone. False: there is no more. */
export async function purgeInbound(db: Db, days: number): Promise<boolean> {
  const old = days === 0 ? 0 : await deleteOldInbound(db, days, PAGE);
  const forgotten = await forgetArrivals(db, { bytesDays: REFUSED_DAYS, rowDays: ARRIVAL_DAYS, limit: PAGE });
  return old > 0 || forgotten > 0 || (await deleteLeftBehind(db, PAGE));
}

/** The same once an hour, in one process. */
export const purgeInboundService = (parts: {
  db: Db;
  clock: Clock;
  log: Log;
  settings: { inboundDays: number };
}): Service => {
  const of = { ...parts, name: NAME };
  return hourlyService(of, 'received mail could not be removed; trying again later', (goOn, stopping) =>
    inThisHour(
      of,
      ({ everyPage }) => everyPage(() => purgeInbound(parts.db, parts.settings.inboundDays)),
      goOn,
      stopping,
    ),
  );
};
