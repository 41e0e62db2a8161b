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

/** The actor who started the sending of an issue: what a scheduled one is sent as, hours after the request. */
export interface SentBy {
  type: string;
  id: string | null;
  email: string | null;
  /** Mail sent with a test key is kept and never leaves. */
  mode: 'live' | 'test';
}

/** An issue without its bodies, which a list of a hundred would carry megabytes of. */
export interface IssueSummary {
  workspaceId: string;
  id: string;
  newsletterId: string;
  /** Its place in the archive, unique in its newsletter. */
  slug: string;
  subject: string;
  preheader: string | null;
  status: IssueStatus;
  /** On a draft: stored, and used by the next send. */
  scheduledFor: Date | null;
  /** The zone in which the time was meant and is shown; null: the newsletter's. */
  timezone: string | null;
  /** The resolution of a wall time that a change of the clocks skips or repeats. */
  scheduleNote: string | null;
  startedAt: Date | null;
  sentAt: Date | null;
  cancelledAt: Date | null;
  failedAt: Date | null;
  error: string | null;
  errorCode: string | null;
  sentBy: SentBy | null;
  /** Recipients that were frozen; before that, those expected; null: it is not being sent. */
  totalRecipients: number | null;
  /** Its bulk send in the outbox. */
  sendId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** An issue as it is stored. */
export interface Issue extends IssueSummary {
  htmlBody: string;
  textBody: string | null;
}
