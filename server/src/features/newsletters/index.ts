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
/** For mail to a newsletter that is no issue. */
export {
  activeSubscribers,
  listMailedSubscribers,
  type MailedSubscriber,
  recipientsOfSubscribers,
  subscribersAndFormer,
} from './mailings/mailing-queries.ts';
export { deadLinksOfNewsletter, type Signing, waysOutOfNewsletter } from './mailings/ways-out.ts';
export type { Newsletter } from './newsletter.ts';
export { findNewsletterOfIssue } from './subscribers/leaving/count-unsubscribe-queries.ts';
export { createNewslettersFeature, type NewslettersFeature } from './feature.ts';
/** The issues of each day of a span, for the calendar. */
export { listPlannedIssues } from './issues/reading/planned-queries.ts';
/** Which of these ids are no newsletter of the workspace. */
export {
  selectNewsletter as findNewsletter,
  queuePurgesOfWorkspace as queueNewsletterPurges,
  listMissingNewsletters as missingNewsletters,
} from './queries.ts';
