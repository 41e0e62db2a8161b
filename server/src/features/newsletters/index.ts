export { createNewslettersFeature, type NewslettersFeature } from './feature.ts';
/** The issues of each day of a span, for the calendar. */
export { listPlannedIssues } from './issues/reading/planned-queries.ts';
/** Which of these ids are no newsletter of the workspace. */
export {
  queuePurgesOfWorkspace as queueNewsletterPurges,
  listMissingNewsletters as missingNewsletters,
} from './queries.ts';
