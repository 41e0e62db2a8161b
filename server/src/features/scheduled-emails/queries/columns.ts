import { sql } from 'kysely';

/** Of `scheduled_emails s`, without the texts. */
export const summaryColumns = sql`
  s.workspace_id as "workspaceId", s.id, s.status, s.version, s.scheduled_for as "scheduledFor", s.timezone,
  s.schedule_note as "scheduleNote", s.max_delay_seconds as "maxDelaySeconds", s.from_domain as "fromDomain",
  s.newsletter_id as "newsletterId", s.body, s.is_test as "isTest", s.created_by as "createdBy",
  s.api_key_id as "apiKeyId", s.request_id as "requestId", s.batch_id as "batchId", s.batch_index as "batchIndex",
  s.job_id as "jobId", s.message_id as "messageId", s.error, s.error_code as "errorCode",
  s.cancelled_by as "cancelledBy", s.started_at as "startedAt", s.sent_at as "sentAt", s.created_at as "createdAt",
  s.updated_at as "updatedAt"`;

export const columns = sql`${summaryColumns}, s.html, s.text`;
