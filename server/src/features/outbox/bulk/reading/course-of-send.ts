import { type Static, Type } from 'typebox';
import { findWorkspaceZone } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { readPeriods } from '#platform/time/periods.ts';
import { readZone } from '#platform/time/zones.ts';
import { type Course, sumCourse } from '../../counting/course-queries.ts';
import { countsOfSends } from '../send-counts.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = 900_000;
/** Most people read mail in its first days; after that an hour has too few of them for a chart. */
const SHOWN_HOURS = { hour: 72, day: 90 * 24 } as const;
const NONE: Course = { opened: 0, clicked: 0 };

/** The periods of the course of an issue or a broadcast that can be asked for. */
export const CourseQuery = Type.Object({
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

/** The fields of the opens and clicks of a bulk send over time on the wire, for the schema of its owner. */
export const courseFields = {
  totals: Type.Object(counts, {
    title: 'CourseCounts',
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
      { title: 'CoursePeriod', additionalProperties: false },
    ),
  ),
  uncounted: Type.Integer({ description: 'Opens from before this was counted by time.', examples: [0] }),
  granularity: Type.Enum(['hour', 'day'], { title: 'CourseGranularity' }),
  start: nullable(Instant),
  end: nullable(Instant),
  timezone: Type.String({ examples: ['Europe/Berlin'] }),
};

/** An issue or a broadcast. */
interface Owner {
  readonly workspaceId: string;
  readonly sendId: string | null;
  readonly startedAt: Date | null;
}

/** Its opens and clicks since it began, each recipient once. Without periods before it is sent. */
export async function readCourse(
  { db, clock }: Pick<Ctx, 'db' | 'clock'>,
  { workspaceId, sendId, startedAt }: Owner,
  query: Static<typeof CourseQuery>,
) {
  const zone =
    query.timezone === undefined ? await findWorkspaceZone(db, workspaceId) : readZone('timezone', query.timezone);
  const now = clock.now();
  const ageMs = startedAt === null ? 0 : now.getTime() - startedAt.getTime();
  const granularity = query.granularity ?? (ageMs < SHOWN_HOURS.hour * HOUR_MS ? 'hour' : 'day');
  const asked = { granularity, timezone: zone };
  if (sendId === null || startedAt === null) {
    return { totals: NONE, data: [], uncounted: 0, ...asked, start: null, end: null };
  }
  const { bounds, labels } = await readPeriods({ ...spanOf(startedAt, now, granularity), granularity, zone, now });
  // Before the course: a person who opens it in between is missing in neither.
  const counted = (await countsOfSends(db, workspaceId, [sendId])).get(sendId);
  const rows = await sumCourse(db, { workspaceId, sendId }, bounds);
  const totals = rows.at(-1) ?? NONE;
  return {
    totals,
    data: labels.map((period, index) => ({ period, ...(rows[index] ?? NONE) })),
    uncounted: Math.max(0, (counted?.opened ?? 0) - totals.opened),
    ...asked,
    start: bounds[0] ?? null,
    end: bounds.at(-1) ?? null,
  };
}

/** From the quarter of an hour in which it began to the end of the present one, or of the time that is shown. */
function spanOf(startedAt: Date, now: Date, granularity: keyof typeof SHOWN_HOURS): { start: string; end: string } {
  const from = Math.floor(startedAt.getTime() / QUARTER_MS) * QUARTER_MS;
  const present = Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS + QUARTER_MS;
  const until = Math.min(present, from + SHOWN_HOURS[granularity] * HOUR_MS);
  return { start: new Date(from).toISOString(), end: new Date(until).toISOString() };
}
