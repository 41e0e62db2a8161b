import { publishWebhooks } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import type { KeptBody } from '../scheduled-email.ts';

export interface FailedEmail {
  workspaceId: string;
  id: string;
  scheduledFor: Date;
  body: KeptBody;
  sendId: string | null;
  fault: { code: string; message: string };
}

/** Scheduled emails of which nothing was sent: in the transaction in which they become `failed`. */
export const publishFailed = (tx: Db, failed: readonly FailedEmail[]): Promise<void> =>
  publishWebhooks(
    tx,
    failed.map(({ workspaceId, id, scheduledFor, body, sendId, fault }) => ({
      workspaceId,
      type: 'scheduled.failed' as const,
      data: {
        scheduled: {
          id,
          status: 'failed',
          scheduled_for: scheduledFor.toISOString(),
          subject: body.subject ?? null,
          job_id: sendId,
        },
        error: { message: fault.message, code: fault.code },
      },
    })),
  );
