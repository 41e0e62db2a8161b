import { Type } from 'typebox';
import { bulkSends } from '#features/outbox';

/** The statistics of an issue on the wire. */
export type IssueStats = typeof bulkSends.noStats;
export const Stats = Type.Object(bulkSends.statsFields, { title: 'IssueStats', additionalProperties: false });
/** Its opens and clicks over time. */
export const Course = Type.Object(bulkSends.courseFields, { title: 'IssueCourse', additionalProperties: false });
