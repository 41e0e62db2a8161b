import { Type } from 'typebox';
import type { SentBy } from '#platform/http/context.ts';
import { computed, kept, record, type Stored } from '#platform/records/record.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import type { AskedWallTime } from '#platform/time/wall-time.ts';
import { Stats } from './issue-stats.ts';

/**
 * The states of an issue and the moves between them, as data: docs/state-machines.md is drawn from this table and the
 * tests compare it with the column's check. Nothing leaves `sent`, `cancelled` and `failed`: who wants to send such an
 * issue again duplicates it, so that no address can get one issue twice.
 */
export const ISSUE_MOVES = {
  draft: { scheduled: 'scheduled', 'sent now': 'sending', 'sent now, to nobody': 'sent' },
  scheduled: {
    unscheduled: 'draft',
    'its time has come, or sent now': 'sending',
    'its time has come, and nobody is on the list': 'sent',
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

export type IssueStatus = keyof typeof ISSUE_MOVES;

export const ISSUE_STATUSES = Object.keys(ISSUE_MOVES) as IssueStatus[]; // the keys are exactly the union

/** May still be changed: nothing of it has been made for anybody. */
export const isOpen = (status: IssueStatus): boolean => status === 'draft' || status === 'scheduled';

export const Id = Type.String({ format: 'uuid', examples: ['0197f3e0-1c2d-7abc-8def-0123456789ab'] });

const fields = {
  workspace_id: kept<string>(),
  id: Id,
  newsletter_id: Id,
  subject: Type.String({ examples: ['News of October'] }),
  preheader: nullable(Type.String()),
  slug: Type.String({ description: 'Its place in the archive, made from the subject.', examples: ['news-of-october'] }),
  status: Type.Enum([...ISSUE_STATUSES], { examples: ['draft'] }),
  /** On a draft: stored, and used by the next send. */
  scheduled_for: nullable(Instant),
  /** The zone in which the time was meant and is shown; null: the newsletter's. */
  timezone: nullable(Type.String({ examples: ['Europe/Berlin'] })),
  local_time: computed(
    nullable(
      Type.String({ description: '`scheduled_for` as local time in `timezone`.', examples: ['2026-12-01T09:00:00'] }),
    ),
  ),
  schedule_note: nullable(
    Type.String({ description: 'A note for a local time that a change to or from summer time skips or repeats.' }),
  ),
  wall_time: kept<AskedWallTime | null>(),
  started_at: nullable(Instant),
  sent_at: nullable(Instant),
  finished_at: nullable(
    Type.String({
      format: 'date-time',
      description:
        'When nothing of it was pending any more. `sent_at` is when every recipient was released or skipped.',
      examples: ['2026-11-20T10:07:05.123Z'],
    }),
  ),
  cancelled_at: nullable(Instant),
  failed_at: nullable(Instant),
  error: nullable(Type.String({ description: 'Why sending it failed.' })),
  error_code: nullable(Type.String({ examples: ['from_email'] })),
  sent_by: kept<SentBy | null>(),
  /** Its bulk send in the outbox. */
  send_id: kept<string | null>(),
  total_recipients: nullable(
    Type.Integer({
      description: 'The number of recipients; until they are frozen, the number expected. null: not sent.',
    }),
  ),
  archive_url: computed(nullable(Type.String({ description: 'Where anybody can read it, once it is sent.' }))),
  stats: computed(Stats),
  created_at: Instant,
  updated_at: Instant,
};

/** An issue without its bodies, which a list of a hundred would carry megabytes of. */
export type IssueSummary = Stored<typeof fields>;
export const ISSUE = record(fields);

/** The document that an editor made `html_body` from. Stored as it came, and read by nothing of the server. */
export const EditorDocument = Type.Object(
  {
    kind: Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'The editor that it belongs to.',
      examples: ['blocks'],
    }),
    version: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Of the form of `document`.', examples: [1] }),
    document: Type.Record(Type.String(), Type.Unknown(), { description: 'Any JSON object.' }),
  },
  { title: 'IssueEditorDocument', additionalProperties: false },
);

const bodies = { html_body: Type.String(), text_body: nullable(Type.String()) };
export const BODIES = record(bodies);

const editor = { editor: nullable(EditorDocument) };
/** Beside an issue that is read alone: a list of a hundred would carry megabytes of it. */
export const EDITOR = record(editor);
/** An issue as it is stored. */
export type Issue = IssueSummary & Stored<typeof bodies> & Stored<typeof editor>;

/** For whoever wants to change, schedule or send what is past that. */
export function whyClosed({ status }: Pick<Issue, 'status'>): string {
  switch (status) {
    case 'sending':
      return 'The issue is being sent. Pause it to change its content, or cancel it to stop what has not left yet.';
    case 'sent':
      return 'The issue was sent and cannot be changed or sent again. Duplicate it to write a new one from it.';
    case 'cancelled':
      return 'The issue was cancelled. Duplicate it to send it after all.';
    case 'failed':
      return 'Sending the issue failed. Duplicate it to send it again.';
    case 'draft':
    case 'scheduled':
      return 'The issue was changed at the same time. Read it again.';
  }
}
