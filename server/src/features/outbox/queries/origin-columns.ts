import { sql } from 'kysely';

/** The columns of a send (`s`) that make an `EmailOrigin`. */
export const originColumns = sql`
  s.template_id as "templateId", s.newsletter_id as "newsletterId", s.issue_id as "issueId",
  s.broadcast_id as "broadcastId", s.scheduled_id as "scheduledId", s.automation_run_id as "automationRunId"`;
