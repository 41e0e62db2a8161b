export { type FeedbackService, feedbackService } from './feedback-service.ts';
