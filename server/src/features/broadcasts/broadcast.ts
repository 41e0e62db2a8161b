import { Type } from 'typebox';
import type { SentBy } from '#platform/http/context.ts';
import { computed, kept, record, type Stored } from '#platform/records/record.ts';
import { Instant, instant, nullable } from '#platform/records/wire-types.ts';
import type { AskedWallTime } from '#platform/time/wall-time.ts';
import { AudienceRecord, type BroadcastAudience } from './audience/audience.ts';
import { Stats } from './broadcast-stats.ts';

/**
 * The states of a broadcast and the moves between them: docs/state-machines.md is drawn from this table and a test
 * compares it with the column's check. Nothing leaves `sent`, `cancelled` and `failed`: a duplicate sends it again.
 */
export const BROADCAST_MOVES = {
  draft: { scheduled: 'scheduled', 'sent now': 'sending' },
  scheduled: {
    unscheduled: 'draft',
    'its time has come, or sent now': 'sending',
    cancelled: 'cancelled',
    'cannot be sent when its time comes': 'failed',
  },
  sending: {
    'every recipient was released or settled': 'sent',
    cancelled: 'cancelled',
    'the fan-out ended with an error': 'failed',
  },
  sent: {},
  cancelled: {},
  failed: {},
} as const satisfies Record<string, Record<string, string>>;

export type BroadcastStatus = keyof typeof BROADCAST_MOVES;
export const BROADCAST_STATUSES = Object.keys(BROADCAST_MOVES) as BroadcastStatus[]; // the keys are exactly the union

/** May still be changed: nothing of it has been made for anybody. */
export const isOpen = (status: BroadcastStatus): boolean => status === 'draft' || status === 'scheduled';

export const Id = Type.String({ format: 'uuid', examples: ['0197f3e1-1c2d-7abc-8def-0123456789ab'] });

const fields = {
  workspace_id: kept<string>(),
  id: Id,
  name: Type.String({ examples: ['Black Friday'] }),
  status: Type.Enum([...BROADCAST_STATUSES], { examples: ['draft'] }),
  sender: kept<string | null>(),
  from: computed(nullable(Type.String({ examples: ['Acme <hello@acme.com>'] }))),
  reply_to: Type.Array(Type.String({ examples: ['support@acme.com'] })),
  subject: nullable(Type.String({ examples: ['Hi {{ first_name | default: "there" }}'] })),
  preheader: nullable(Type.String()),
  template_id: nullable(Id),
  template_version: nullable(
    Type.Integer({ description: 'The version of the template that it was sent with.', examples: [3] }),
  ),
  audience: Type.Unsafe<BroadcastAudience>(AudienceRecord),
  follow_up_of: nullable(
    Type.String({
      format: 'uuid',
      description: 'The broadcast or issue that it follows: the root. An address gets one follow-up of each root.',
    }),
  ),
  track_opens: nullable(Type.Boolean({ description: 'null: the setting of the workspace.' })),
  track_clicks: nullable(Type.Boolean({ description: 'null: the setting of the workspace.' })),
  tags: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, { title: 'BroadcastTag' })),
  /** On a draft: stored, and used by the next send. */
  scheduled_for: nullable(Instant),
  timezone: nullable(Type.String({ examples: ['Europe/Berlin'] })),
  local_time: computed(
    nullable(
      Type.String({ description: '`scheduled_for` as local time in `timezone`.', examples: ['2026-12-01T09:00:00'] }),
    ),
  ),
  schedule_note: nullable(
    Type.String({ description: 'A note for a local time that a change to or from summer time skips or repeats.' }),
  ),
  recipient_timezone: Type.Boolean({
    description: 'Each recipient gets it at `local_time` in their own time zone; who has none, in `timezone`.',
  }),
  /** When the worker looks whether one with `recipient_timezone` begins; null: at `scheduled_for`. */
  starts_at: kept<Date | null>(),
  wall_time: kept<AskedWallTime | null>(),
  finish_by: nullable(instant('When its last email is to have left.')),
  total_recipients: nullable(Type.Integer({ description: 'Frozen when it was sent. null: not sent.' })),
  started_at: nullable(Instant),
  sent_at: nullable(Instant),
  finished_at: nullable(instant('When nothing of it was pending any more.')),
  cancelled_at: nullable(Instant),
  failed_at: nullable(Instant),
  error: nullable(Type.String({ description: 'Why sending it failed.' })),
  error_code: nullable(Type.String({ examples: ['domain_deleted'] })),
  sent_by: kept<SentBy | null>(),
  /** Its bulk send in the outbox. */
  send_id: kept<string | null>(),
  skipped_unsubscribed: kept<number>(),
  pages_completed: kept<number>(),
  stats: computed(Stats),
  created_at: Instant,
  updated_at: Instant,
};

/** A broadcast without its texts, which a list of a hundred would carry megabytes of. */
export type BroadcastSummary = Stored<typeof fields>;
export const BROADCAST = record(fields);

const texts = {
  html: nullable(Type.String()),
  text: nullable(Type.String()),
  variables: Type.Unsafe<Record<string, unknown>>(Type.Record(Type.String(), Type.Unknown())),
};
export const TEXTS = record(texts);
/** A broadcast as it is stored. */
export type Broadcast = BroadcastSummary & Stored<typeof texts>;

/** For whoever wants to change, schedule or send what is past that. */
export function whyClosed({ status }: Pick<Broadcast, 'status'>): string {
  switch (status) {
    case 'sending':
      return 'The broadcast is being sent. Cancel it to stop what has not left yet.';
    case 'sent':
      return 'The broadcast was sent and cannot be changed or sent again. Duplicate it to write a new one from it.';
    case 'cancelled':
      return 'The broadcast was cancelled. Duplicate it to send it after all.';
    case 'failed':
      return 'Sending the broadcast failed. Duplicate it to send it again.';
    case 'draft':
    case 'scheduled':
      return 'The broadcast was changed at the same time. Read it again.';
  }
}
