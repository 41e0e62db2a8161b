import type { SendInput } from '#features/emails';
import type { Actor } from '#platform/http/context.ts';

/** The moves of a scheduled email. One that fails before it is `processing` was never in the queue. */
export const SCHEDULED_MOVES = {
  scheduled: {
    'its time has come and its emails are queued, in one transaction': 'processing',
    'its time has passed by too much, or it may not be sent any more': 'failed',
    'a caller cancelled it, or everybody it was for was erased': 'cancelled',
  },
  processing: {
    'nothing of it waits and the provider has taken an email': 'sent',
    'nothing of it waits and nothing was sent': 'failed',
  },
  sent: {},
  failed: {},
  cancelled: {},
} as const;

export type ScheduledStatus = keyof typeof SCHEDULED_MOVES;
export const SCHEDULED_STATUSES = Object.keys(SCHEDULED_MOVES) as ScheduledStatus[]; // the keys are exactly the union

/** The caller that made or cancelled it. */
export interface By {
  type: Actor['type'];
  id: string | null;
}

/** The request that is kept, without its texts and files: they are stored apart. */
export type KeptBody = Omit<SendInput, 'html' | 'text' | 'attachments' | 'scheduledFor' | 'timezone'> & {
  /** A finished message: its one file leaves as it is, and the rest is for those who read the record. */
  isMessage?: true;
};

/** As lists show it. */
export interface ScheduledSummary {
  workspaceId: string;
  id: string;
  status: ScheduledStatus;
  version: number;
  scheduledFor: Date;
  timezone: string | null;
  scheduleNote: string | null;
  maxDelaySeconds: number | null;
  fromDomain: string;
  newsletterId: string | null;
  body: KeptBody;
  isTest: boolean;
  createdBy: By;
  apiKeyId: string | null;
  requestId: string | null;
  batchId: string | null;
  batchIndex: number | null;
  jobId: string | null;
  messageId: string | null;
  error: string | null;
  errorCode: string | null;
  cancelledBy: By | null;
  startedAt: Date | null;
  sentAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface ScheduledEmail extends ScheduledSummary {
  html: string | null;
  text: string | null;
}

/** `api_key:<id>`, as the log of changes names a caller. */
export const byText = ({ type, id }: By): string => (id === null ? type : `${type}:${id}`);

/** Why a change is refused: only what has not begun can be changed. */
export function whyClosed({ status }: Pick<ScheduledSummary, 'status'>): string {
  switch (status) {
    case 'processing':
      return 'Sending has begun. DELETE /v1/send/:jobId stops the emails of it that have not left.';
    case 'sent':
      return 'This scheduled email was sent.';
    case 'failed':
      return 'This scheduled email has failed. Schedule a new one.';
    case 'cancelled':
      return 'This scheduled email was cancelled. Schedule a new one.';
    case 'scheduled':
      return 'This scheduled email was changed in the meantime. Read it again.';
  }
}
