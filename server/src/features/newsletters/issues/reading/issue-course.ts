import { type Static, Type } from 'typebox';
import { bulkSends } from '#features/outbox';
import { findWorkspaceZone } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { readPeriods } from '#platform/time/periods.ts';
import { readZone } from '#platform/time/zones.ts';
import type { IssueSummary } from '../issue.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
/** Most people read an issue in its first days; after that an hour has too few of them for a chart. */
const SHOWN_HOURS = { hour: 72, day: 90 * 24 } as const;

export const IssueCourseQuery = Type.Object({
  granularity: Type.Optional(
    Type.Enum(['hour', 'day'], {
      description:
        'The length of a period: the first 72 hours, or the first 90 days. When left out: `hour` in the first 72 ' +
        'hours, and `day` later.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: 'An IANA zone; the zone of the workspace when left out.' }),
  ),
});

const counts = {
  opened: Type.Integer({ description: 'Recipients who opened it for the first time.', examples: [420] }),
  clicked: Type.Integer({ description: 'Recipients who clicked for the first time.', examples: [64] }),
};

/** The opens and clicks of an issue over time, on the wire. */
export const IssueCourse = Type.Object(
  {
    totals: Type.Object(counts, {
      title: 'IssueCourseCounts',
      description: 'At any time since this is counted, also behind the last period.',
      additionalProperties: false,
    }),
    data: Type.Array(
      Type.Object(
        {
          period: Type.String({
            description: '`2026-11-20T14:00+01:00` (an hour) or `2026-11-20` (a day).',
            examples: ['2026-11-20T14:00+01:00'],
          }),
          ...counts,
        },
        { title: 'IssueCoursePeriod', additionalProperties: false },
      ),
    ),
    uncounted: Type.Integer({ description: 'Opens from before this was counted by time.', examples: [0] }),
    granularity: Type.Enum(['hour', 'day'], { title: 'IssueCourseGranularity' }),
    start: nullable(Instant),
    end: nullable(Instant),
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
  },
  { title: 'IssueCourse', additionalProperties: false },
);

/** Opens and clicks of an issue since it began, each recipient once. Without periods before it is sent. */
export async function readIssueCourse(ctx: Ctx, issue: IssueSummary, query: Static<typeof IssueCourseQuery>) {
  const zone =
    query.timezone === undefined
      ? await findWorkspaceZone(ctx.db, ctx.workspaceId)
      : readZone('timezone', query.timezone);
  const { sendId, startedAt, workspaceId } = issue;
  const now = ctx.clock.now().getTime();
  const ageMs = startedAt === null ? 0 : now - startedAt.getTime();
  const granularity = query.granularity ?? (ageMs < SHOWN_HOURS.hour * HOUR_MS ? 'hour' : 'day');
  if (sendId === null || startedAt === null) {
    return {
      totals: { opened: 0, clicked: 0 },
      data: [],
      uncounted: 0,
      granularity,
      start: null,
      end: null,
      timezone: zone,
    };
  }
  const from = Math.floor(startedAt.getTime() / QUARTER_MS) * QUARTER_MS;
  const until = Math.min(
    Math.floor(now / QUARTER_MS) * QUARTER_MS + QUARTER_MS,
    from + SHOWN_HOURS[granularity] * HOUR_MS,
  );
  const [start, end] = [from, until].map((at) => new Date(at).toISOString());
  const { bounds, labels } = await readPeriods({ start, end, granularity, zone, now: ctx.clock.now() });
  // Before the course: a person who opens it in between is missing in neither.
  const stats = (await bulkSends.statsOf(ctx.db, workspaceId, [issue])).get(issue.id);
  const rows = await bulkSends.courseOf(ctx.db, { workspaceId, sendId }, bounds);
  const totals = rows.at(-1) ?? { opened: 0, clicked: 0 };
  return {
    totals,
    data: labels.map((period, index) => ({ period, ...(rows[index] ?? { opened: 0, clicked: 0 }) })),
    uncounted: Math.max(0, (stats?.opened ?? 0) - totals.opened),
    granularity,
    start: bounds[0] ?? null,
    end: bounds.at(-1) ?? null,
    timezone: zone,
  };
}
