export { createScheduledEmailsFeature } from './feature.ts';
/** Nothing of a workspace that is deleted is sent any more. */
export { cancelAllScheduled } from './queries/removal.ts';
