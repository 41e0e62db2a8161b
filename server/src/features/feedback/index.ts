export { createFeedbackFeature, type FeedbackFeature } from './feature.ts';
