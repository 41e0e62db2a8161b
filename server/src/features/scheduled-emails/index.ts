export { createScheduledEmailsFeature, type MessagePorts } from './feature.ts';
/** The emails of each day of a span, for the calendar. */
export { listPlannedEmails } from './queries/planned.ts';
export { listScheduledOfTemplate } from './queries/of-template.ts';
/** Nothing of a workspace that is deleted is sent any more. */
export { cancelAllScheduled } from './queries/removal.ts';
/** Nothing leaves to people who were erased. */
export { eraseRecipients } from './erasing/erase-recipients.ts';
