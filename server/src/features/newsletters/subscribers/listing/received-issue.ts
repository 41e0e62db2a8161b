import { Type } from 'typebox';
import { type EmailStatus, shownStatus } from '#features/outbox';
import { record, type Stored } from '#platform/records/record.ts';
import { Count, Instant, nullable } from '#platform/records/wire-types.ts';
import { Id } from '../../newsletter.ts';

const fields = {
  issue_id: Id,
  email_id: Id,
  subject: Type.String(),
  status: Type.Unsafe<EmailStatus>(
    Type.String({ description: 'Of the email to this subscriber.', examples: ['delivered'] }),
  ),
  error: nullable(Type.String()),
  open_count: Count,
  click_count: Count,
  sent_at: nullable(Instant),
  delivered_at: nullable(Instant),
  last_event_at: nullable(Instant),
  created_at: Instant,
};
export const RECEIVED_ISSUE = record(fields);

/** An issue that went to a subscriber. `id` is that of the email. */
export type ReceivedIssue = Stored<typeof fields> & { id: string };

export const receivedIssueView = (row: ReceivedIssue) => RECEIVED_ISSUE.view(row, { status: shownStatus(row.status) });
