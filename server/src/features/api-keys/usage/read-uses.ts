import { listUses } from '#platform/usage/queries.ts';
import type { Ctx } from '#platform/http/context.ts';
import { windowOf } from '#platform/utc-windows.ts';
import type { ApiKey } from '../api-key.ts';

/** The windows of usage are kept for 40 days. */
const SHOWN_DAYS = 30;
const DAY_MS = 86_400_000;

/** How often a key was used on each of the last UTC days, today included. */
export async function readUses({ db, clock }: Ctx, { workspaceId, id }: ApiKey) {
  const today = windowOf('daily', clock.now()).start.getTime();
  const days = Array.from({ length: SHOWN_DAYS }, (_, place) => today - (SHOWN_DAYS - 1 - place) * DAY_MS);
  const rows = await listUses(db, { workspaceId, subjectId: id }, new Date(days[0] ?? today));
  const counts = new Map(rows.map(({ day, count }) => [day.getTime(), count]));
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    data: days.map((day) => ({ date: new Date(day).toISOString().slice(0, 10), requests: counts.get(day) ?? 0 })),
  };
}
