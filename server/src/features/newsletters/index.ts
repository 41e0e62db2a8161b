export { createNewslettersFeature, type NewslettersFeature } from './feature.ts';
/** Which of these ids are no newsletter of the workspace. */
export {
  queuePurgesOfWorkspace as queueNewsletterPurges,
  listMissingNewsletters as missingNewsletters,
} from './queries.ts';
