export { applyProviderEvents } from './apply-provider-events.ts';
export { type FeedbackService, feedbackService } from './feedback-service.ts';

export const feature = { name: 'feedback', routes: [] } as const;
