export { createScheduledEmailsFeature, type MessagePorts } from './feature.ts';
export { listScheduledOfTemplate } from './queries/of-template.ts';
/** Nothing of a workspace that is deleted is sent any more. */
export { cancelAllScheduled } from './queries/removal.ts';
