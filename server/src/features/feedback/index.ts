export { emailsEngaged, type HumanEngagement } from './announcements.ts';
export { createFeedbackFeature, type FeedbackFeature } from './feature.ts';
/** Whether whoever asks is a machine that looks at links, by what the request says of itself. */
export { judgeRequest } from './engagement/judge-request.ts';
