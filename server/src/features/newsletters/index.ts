export { listOnAnyList, listSubscriberFacts, type SubscriberFacts } from './subscribers/subscriber-facts-queries.ts';
export {
  type IssueNews,
  issueSent,
  type SubscriberNews,
  subscribersConfirmed,
  subscribersErased,
  subscribersJoined,
  subscribersUnsubscribed,
} from './announcements.ts';
export { unsubscribeAddress } from './subscribers/leaving/unsubscribe-address.ts';
export { leavingUrl } from './link-token.ts';
export { createNewslettersFeature, type NewslettersFeature } from './feature.ts';
/** The issues of each day of a span, for the calendar. */
export { listPlannedIssues } from './issues/reading/planned-queries.ts';
/** Which of these ids are no newsletter of the workspace. */
export {
  queuePurgesOfWorkspace as queueNewsletterPurges,
  listMissingNewsletters as missingNewsletters,
} from './queries.ts';
