/**
 * What an email was sent for and made from, beside its source. It is the same for all emails of a send and stored with
 * the send. null: nothing of that kind.
 */
export interface EmailOrigin {
  readonly templateId: string | null;
  readonly newsletterId: string | null;
  readonly issueId: string | null;
  readonly broadcastId: string | null;
  readonly scheduledId: string | null;
  readonly automationRunId: string | null;
}

/** An email that was sent for nothing in particular. */
export const NO_ORIGIN: EmailOrigin = {
  templateId: null,
  newsletterId: null,
  issueId: null,
  broadcastId: null,
  scheduledId: null,
  automationRunId: null,
};

/** As records and events name it. */
export const shownOrigin = (origin: EmailOrigin) => ({
  template_id: origin.templateId,
  newsletter_id: origin.newsletterId,
  issue_id: origin.issueId,
  broadcast_id: origin.broadcastId,
  scheduled_id: origin.scheduledId,
  automation_run_id: origin.automationRunId,
});
