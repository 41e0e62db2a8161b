export {
  burstsJudged,
  emailsEngaged,
  emailsReported,
  type HumanEngagement,
  type LinkBurst,
  type MailReceipt,
  mailReceived,
  type ReportedEmail,
} from './announcements.ts';
export { createFeedbackFeature, type FeedbackFeature } from './feature.ts';
export { isActualVisit, isBrowserVisit } from './visits/judge-visit.ts';
export { BURST_MS, clientOf } from './engagement/bursts.ts';
export { deletePageOfProviderEvents } from './queries/delete-old-events.ts';
export { eraseProviderEvents } from './queries/erase-provider-events.ts';
export { insertSimulatedEvents } from './queries/insert-simulated-events.ts';
export { recordSimulated, type SimulatedByPerson } from './engagement/record-simulated.ts';
export { noteLeaveVisit } from './engagement/note-leave-visit.ts';
export { findLastEventAt } from './queries/last-event-queries.ts';
