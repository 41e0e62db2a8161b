import type { Static } from 'typebox';
import { listPlannedIssues } from '#features/newsletters';
import { listPlannedEmails } from '#features/scheduled-emails';
import { findWorkspaceZone, mailShownTo } from '#features/workspaces';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { readPage } from '#platform/http/paging.ts';
import { readPeriods } from '#platform/time/periods.ts';
import { readAnyZone } from '#platform/time/zones.ts';
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
      : readAnyZone('timezone', query.timezone);
  const { bounds, labels } = await readPeriods({ start, end, granularity: 'day', zone, now: ctx.clock.now() });
  if (labels.length > DAYS_MAX) throw invalid('end', `end must be at most ${DAYS_MAX} days after start.`);
  const { newsletterIds } = mailShownTo(ctx.actor);
  const asked = { workspaceId: ctx.workspaceId, bounds, limit, countedMax: COUNTED_MAX + 1, newsletterIds };
  const [emails, issues] = await Promise.all([
    ctx.actor.may('scheduled:read') ? listPlannedEmails(ctx.db, asked) : [],
    ctx.actor.may('issues:read') ? listPlannedIssues(ctx.db, asked) : [],
  ]);
  return {
    timezone: zone,
    days: labels.map((date, index) => {
      const kinds = [emails[index], issues[index]].filter((kind) => kind !== undefined);
      const items = [
        ...(emails[index]?.items ?? []).map((item) => ({ type: 'scheduled_email' as const, ...NO_ISSUE, ...item })),
        ...(issues[index]?.items ?? []).map((item) => ({ type: 'issue' as const, ...NO_EMAIL, ...item })),
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

const NO_ISSUE = { newsletter_name: null };
const NO_EMAIL = { to: null, recipients: null };
