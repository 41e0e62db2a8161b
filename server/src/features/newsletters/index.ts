export { createNewslettersFeature, type NewslettersFeature } from './feature.ts';
/** Which of these ids are no newsletter of the workspace. */
export {
  insertPurgesOfWorkspace as purgeNewsletters,
  listMissingNewsletters as missingNewsletters,
} from './queries.ts';
