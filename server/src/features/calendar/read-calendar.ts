import type { Static } from 'typebox';
import { listPlannedBroadcasts } from '#features/broadcasts';
import { listPlannedIssues } from '#features/newsletters';
import { listPlannedEmails } from '#features/scheduled-emails';
import { findWorkspaceZone, mailShownTo } from '#features/workspaces';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { readPage } from '#platform/http/paging.ts';
import { readPeriods } from '#platform/time/periods.ts';
import { readZone } from '#platform/time/zones.ts';
import { type CalendarQuery, DAYS_MAX, ITEMS_USUAL } from './schemas.ts';

/** Counting goes no further, for each kind and day. */
const COUNTED_MAX = 1_000;

/** The first mail of each day of a span, in order, and how many there are. */
export async function readCalendar(ctx: Ctx, query: Static<typeof CalendarQuery>) {
  const { start, end } = query;
  const { limit } = readPage({ limit: query.limit ?? ITEMS_USUAL });
  const zone =
    query.timezone === undefined
      ? await findWorkspaceZone(ctx.db, ctx.workspaceId)
      : readZone('timezone', query.timezone);
  const { bounds, labels } = await readPeriods({ start, end, granularity: 'day', zone, now: ctx.clock.now() });
  if (labels.length > DAYS_MAX) throw invalid('end', `end must be at most ${DAYS_MAX} days after start.`);
  const { newsletterIds } = mailShownTo(ctx.actor);
  const asked = { workspaceId: ctx.workspaceId, bounds, limit, countedMax: COUNTED_MAX + 1, newsletterIds };
  const [emails, issues, broadcasts] = await Promise.all([
    ctx.actor.may('scheduled:read') ? listPlannedEmails(ctx.db, asked) : [],
    ctx.actor.may('issues:read') ? listPlannedIssues(ctx.db, asked) : [],
    // A key of some newsletters sees nothing that goes to contacts.
    ctx.actor.may('broadcasts:read') ? listPlannedBroadcasts(ctx.db, asked) : [],
  ]);
  return {
    timezone: zone,
    days: labels.map((date, index) => {
      const kinds = [emails[index], issues[index], broadcasts[index]].filter((kind) => kind !== undefined);
      const items = [
        ...(emails[index]?.items ?? []).map((item) => ({ type: 'scheduled_email' as const, ...EMPTY, ...item })),
        ...(issues[index]?.items ?? []).map((item) => ({ type: 'issue' as const, ...EMPTY, ...item })),
        ...(broadcasts[index]?.items ?? []).map((item) => ({ type: 'broadcast' as const, ...EMPTY, ...item })),
      ];
      return {
        date,
        start: bounds[index] ?? ctx.clock.now(),
        total: kinds.reduce((sum, { total }) => sum + Math.min(total, COUNTED_MAX), 0),
        total_is_estimate: kinds.some(({ total }) => total > COUNTED_MAX),
        items: items.toSorted((a, b) => a.scheduled_for.getTime() - b.scheduled_for.getTime()).slice(0, limit),
      };
    }),
  };
}

/** The fields that only another kind has. */
const EMPTY = {
  newsletter_id: null,
  newsletter_name: null,
  name: null,
  to: null,
  recipients: null,
  recipient_timezone: false,
};
