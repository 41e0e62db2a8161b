import type { Static } from 'typebox';
import { findWorkspaceZone } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { readPeriods } from '#platform/time/periods.ts';
import { readZone } from '#platform/time/zones.ts';
import type { Newsletter } from '../newsletter.ts';
import { findGrowthSince, type Growth, sumGrowth } from './growth-queries.ts';
import type { GrowthQuery } from './schemas.ts';

/**
 * People who came and left by the periods of a zone, and how many were active at the end of each. That is counted back
 * from how many are active now, so that the newest number is exact whatever was not counted long ago.
 */
export async function readGrowth(ctx: Ctx, { workspaceId, id }: Newsletter, query: Static<typeof GrowthQuery>) {
  const zone =
    query.timezone === undefined ? await findWorkspaceZone(ctx.db, workspaceId) : readZone('timezone', query.timezone);
  const { granularity = 'day', start, end } = query;
  const { bounds, labels } = await readPeriods({ start, end, granularity, zone, now: ctx.clock.now() });
  const [rows, since] = await Promise.all([
    sumGrowth(ctx.db, { workspaceId, newsletterId: id }, bounds),
    findGrowthSince(ctx.db),
  ]);
  const [later, ...newestFirst] = rows.toReversed();
  let total = later === undefined ? 0 : later.active - netOf(later);
  const atEnd = total;
  const data = newestFirst.map((row, index) => {
    const shown = { period: labels.at(-1 - index) ?? '', ...countsOf(row), total };
    total -= netOf(row);
    return shown;
  });
  return {
    totals: { ...countsOf(newestFirst.reduce(addUp, NOBODY)), total: atEnd },
    data: data.toReversed(),
    start: bounds[0],
    end: bounds.at(-1),
    timezone: zone,
    counted_since: since,
  };
}

const NOBODY: Growth = { confirmed: 0, unsubscribed: 0, bounced: 0, complained: 0, removed: 0 };

const addUp = (a: Growth, b: Growth): Growth => ({
  confirmed: a.confirmed + b.confirmed,
  unsubscribed: a.unsubscribed + b.unsubscribed,
  bounced: a.bounced + b.bounced,
  complained: a.complained + b.complained,
  removed: a.removed + b.removed,
});

const netOf = ({ confirmed, unsubscribed, bounced, complained, removed }: Growth): number =>
  confirmed - unsubscribed - bounced - complained - removed;

const countsOf = (row: Growth) => ({
  confirmed: row.confirmed,
  unsubscribed: row.unsubscribed,
  bounced: row.bounced,
  complained: row.complained,
  removed: row.removed,
  net: netOf(row),
});
