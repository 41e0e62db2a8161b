import type { Static } from 'typebox';
import { emailRecords } from '#features/outbox';
import { findWorkspaceZone, mailShownTo } from '#features/workspaces';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { readZone } from '#platform/time/zones.ts';
import { type Periods, readPeriods } from '#platform/time/periods.ts';
import { type Dimension, groupsOf, NO_DIMENSIONS } from './counts-asked.ts';
import { joinDelays } from './join-delays.ts';
import { addUp, type Counts, countsOf, NO_COUNTS, withRates } from './rates.ts';
import type { AnalyticsQuery } from './schemas.ts';

const { counts } = emailRecords;
const DIMENSIONS = counts.dimensions;

/** About 4 MB of answer. */
const ROWS_MAX = 10_000;

/** Counts of emails over time: sums of what was counted when it happened, not of the emails that are still here. */
export async function readAnalytics(ctx: Ctx, query: Static<typeof AnalyticsQuery>) {
  const dimensions = readDimensions(query.dimensions ?? 'period');
  const byMailbox = dimensions.has('mailbox_provider') || query.mailbox_provider !== undefined;
  if (byMailbox && (dimensions.has('tag') || query.tag !== undefined)) {
    throw invalid('dimensions', 'mailbox_provider and tag are not counted together. Ask for one of them.');
  }
  const zone =
    query.timezone === undefined
      ? await findWorkspaceZone(ctx.db, ctx.workspaceId)
      : readZone('timezone', query.timezone);
  const { granularity = 'day', start, end } = query;
  const periods = await readPeriods({ start, end, granularity, zone, now: ctx.clock.now() });
  const asked = {
    workspaceId: ctx.workspaceId,
    bounds: periods.bounds,
    filter: filterOf(ctx, query),
    limit: (ROWS_MAX + 1) * (byMailbox ? counts.delayClasses : 1),
  };
  const [found, whole, since] = await Promise.all([
    counts.sum(ctx.db, { ...asked, by: groupsOf(dimensions) }),
    // An email with several tags is in several rows.
    dimensions.has('tag') ? counts.sum(ctx.db, { ...asked, by: NO_DIMENSIONS }) : null,
    counts.since(ctx.db),
  ]);
  const rows = byMailbox ? joinDelays(found) : found.map((row) => ({ ...row, median: null }));
  if (rows.length > ROWS_MAX) {
    throw invalid(
      'dimensions',
      `The answer has more than ${ROWS_MAX} rows. Ask for longer periods or fewer dimensions.`,
    );
  }
  const alone = dimensions.size === 1 && dimensions.has('period');
  return {
    totals: withRates(addUp(whole ?? rows)),
    data: alone
      ? everyPeriod(periods, rows, byMailbox)
      : rows.map((row) => ({ ...rowView(row, dimensions, periods), ...medianView(row, byMailbox) })),
    start: periods.bounds[0],
    end: periods.bounds.at(-1),
    timezone: zone,
    counted_since: since,
  };
}

function readDimensions(text: string): ReadonlySet<Dimension> {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!isDimension(name)) {
      throw invalid('dimensions', `dimensions takes ${DIMENSIONS.join(', ')}, separated by commas, and not "${name}".`);
    }
  }
  return new Set(names.filter(isDimension));
}

const isDimension = (name: string): name is Dimension => DIMENSIONS.some((known) => known === name);

function filterOf(ctx: Ctx, query: Static<typeof AnalyticsQuery>) {
  return {
    domainId: query.domain_id ?? null,
    source: query.source ?? null,
    newsletterId: query.newsletter_id ?? null,
    broadcastId: query.broadcast_id ?? null,
    templateId: query.template_id ?? null,
    tag: query.tag ?? null,
    mailboxProvider: query.mailbox_provider ?? null,
    ...mailShownTo(ctx.actor),
  };
}

type Row = ReturnType<typeof joinDelays>[number];

/** A chart has a place for each, also when nothing happened. */
function everyPeriod({ labels }: Periods, rows: readonly Row[], byMailbox: boolean) {
  const byPeriod = new Map(rows.map((row) => [row.period, row]));
  return labels.map((period, at) => {
    const row = byPeriod.get(at);
    return { period, ...withRates(row ?? NO_COUNTS), ...medianView(row, byMailbox) };
  });
}

const medianView = (row: Row | undefined, byMailbox: boolean) =>
  byMailbox ? { median_seconds_to_delivery: row?.median ?? null } : {};

function rowView(row: Row, dimensions: ReadonlySet<Dimension>, { labels }: Periods): Counts & Record<string, unknown> {
  return {
    ...(dimensions.has('period') ? { period: labels[row.period] } : {}),
    ...(dimensions.has('domain') ? { domain_id: row.domainId } : {}),
    ...(dimensions.has('source') ? { source: row.source } : {}),
    ...(dimensions.has('newsletter') ? { newsletter_id: row.newsletterId } : {}),
    ...(dimensions.has('broadcast') ? { broadcast_id: row.broadcastId } : {}),
    ...(dimensions.has('template') ? { template_id: row.templateId } : {}),
    ...(dimensions.has('tag') ? { tag: row.tag } : {}),
    ...(dimensions.has('mailbox_provider') ? { mailbox_provider: row.mailboxProvider } : {}),
    ...withRates(countsOf(row)),
  };
}
