export { burstsJudged, emailsEngaged, type HumanEngagement, type LinkBurst } from './announcements.ts';
export { createFeedbackFeature, type FeedbackFeature } from './feature.ts';
/** The headers by which a request describes itself: one that nobody asked for. */
export { isKnownScanner, isPrefetch } from './engagement/judge-request.ts';
export { BURST_MS, clientOf } from './engagement/bursts.ts';
export { eraseProviderEvents } from './queries/erase-provider-events.ts';
export { insertSimulatedEvents } from './queries/insert-simulated-events.ts';
export { noteLeaveVisit } from './engagement/note-leave-visit.ts';
