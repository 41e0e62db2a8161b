import type { AuditEntry } from '#features/audit';
import { localTimeIn } from '#platform/time/local-time.ts';
import type { FileName } from '../queries/one.ts';
import type { ScheduledEmail, ScheduledSummary } from '../scheduled-email.ts';

const list = (given: string | readonly string[] | null | undefined): readonly string[] =>
  given === null || given === undefined ? [] : typeof given === 'string' ? [given] : given;

/** As it was asked for: names and addresses are not changed. */
export function scheduledSummaryView(row: ScheduledSummary) {
  const { body } = row;
  return {
    id: row.id,
    status: row.status,
    version: row.version,
    from: body.from ?? null,
    to: list(body.to),
    cc: list(body.cc),
    bcc: list(body.bcc),
    reply_to: list(body.replyTo),
    subject: body.subject ?? null,
    preheader: body.preheader ?? null,
    template_id: typeof body.templateId === 'string' ? body.templateId : null,
    variables: Object(body.variables ?? {}),
    newsletter_id: row.newsletterId,
    tags: body.tags ?? [],
    metadata: body.metadata ?? {},
    sandbox: row.isTest || body.sandbox === true,
    scheduled_for: row.scheduledFor,
    timezone: row.timezone,
    local_time: row.timezone === null ? null : localTimeIn(row.timezone, row.scheduledFor),
    schedule_note: row.scheduleNote,
    max_delay_seconds: row.maxDelaySeconds,
    expires_at: body.expiresAt == null ? null : new Date(body.expiresAt), // as it was typed
    job_id: row.jobId,
    batch_id: row.batchId,
    message_id: row.messageId,
    error: row.error,
    error_code: row.errorCode,
    cancelled_by: row.cancelledBy,
    sent_at: row.sentAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

export const scheduledView = (row: ScheduledEmail, files: readonly FileName[], auditLog: readonly AuditEntry[]) => ({
  ...scheduledSummaryView(row),
  html: row.html,
  text: row.text,
  attachments: files.map(({ filename, contentType, size }) => ({ filename, content_type: contentType, size })),
  // Several processes write the log, and each entry has the time of the database at which it was done.
  audit_log: auditLog.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
});
