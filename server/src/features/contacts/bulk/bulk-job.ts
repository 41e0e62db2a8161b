import { type Static, Type } from 'typebox';
import type { Actor } from '#platform/http/context.ts';
import { computed, kept, record, type Stored } from '#platform/records/record.ts';
import { Count, Instant, nullable } from '#platform/records/wire-types.ts';
import { Id } from '../contact.ts';
import { DescriptionBody } from '../schemas.ts';
import type { WrittenFilter } from '../segments/filter.ts';
import { Filter } from '../segments/segment.ts';

export const UNDO_HOURS = 24;
export const KEPT_DAYS = 30;

export const BulkChange = Type.Object(DescriptionBody.properties, {
  title: 'BulkChange',
  description: 'Of `update`: only what is given changes; null clears a field, and removes a property.',
});

export const Action = Type.Object(
  {
    type: Type.Enum(['add_to_list', 'remove_from_list', 'unsubscribe', 'update', 'delete']),
    list_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Of `add_to_list` and `remove_from_list`.',
      }),
    ),
    set: Type.Optional(BulkChange),
  },
  { title: 'BulkAction' },
);
export type Action = Static<typeof Action>;

const fields = {
  workspace_id: kept<string>(),
  /** Of the caller who asked for it. */
  mode: kept<Actor['mode']>(),
  id: Id,
  status: Type.Enum(['queued', 'processing', 'completed', 'failed', 'undoing', 'undone']),
  filter: Type.Unsafe<WrittenFilter>(Filter),
  action: Action,
  count: nullable(
    Type.Integer({ description: 'Contacts that met the filter before the first was changed; null: not counted yet.' }),
  ),
  processed: Count,
  changed: Count,
  undone: Count,
  at_id: kept<string | null>(),
  last_id: kept<string | null>(),
  error: nullable(Type.String()),
  created_at: Instant,
  completed_at: nullable(Instant),
  undo_until: computed(nullable(Instant)),
};

/** A job as it is stored. */
export type BulkJob = Stored<typeof fields>;
export const BULK_JOB = record(fields);
export const BulkJobRecord = Type.Object(BULK_JOB.schema, { title: 'BulkContactJob', additionalProperties: false });

/** Until when its changes can be undone; null: they cannot. */
export const undoUntil = ({ status, completedAt }: Pick<BulkJob, 'status' | 'completedAt'>): Date | null =>
  completedAt === null || (status !== 'completed' && status !== 'failed')
    ? null
    : new Date(completedAt.getTime() + UNDO_HOURS * 3_600_000);

export const bulkJobView = (job: BulkJob) => BULK_JOB.view(job, { undo_until: undoUntil(job) });
