import { Type } from 'typebox';
import { bulkSends } from '#features/outbox';

/** The statistics of a broadcast on the wire. */
export const Stats = Type.Object(
  {
    ...bulkSends.statsFields,
    skipped_unsubscribed: Type.Integer({
      minimum: 0,
      description: 'Contacts of its audience who had left before their email was written. Not part of `total`.',
    }),
  },
  { title: 'BroadcastStats', additionalProperties: false },
);

/** Its opens and clicks over time. */
export const Course = Type.Object(bulkSends.courseFields, { title: 'BroadcastCourse', additionalProperties: false });

/** The same of every bulk send. */
export type BulkStats = typeof bulkSends.noStats;
export type BroadcastStats = BulkStats & { skipped_unsubscribed: number };

export const statsView = (stats: BulkStats | undefined, skipped: number): BroadcastStats => ({
  ...(stats ?? bulkSends.noStats),
  skipped_unsubscribed: skipped,
});
