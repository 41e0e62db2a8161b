export { emailsEngaged, type HumanEngagement } from './announcements.ts';
export { createFeedbackFeature, type FeedbackFeature } from './feature.ts';
/** What a request says of itself: one that nobody asked for. */
export { isKnownScanner, isPrefetch } from './engagement/judge-request.ts';
