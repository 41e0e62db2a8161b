export { createAnalyticsFeature } from './feature.ts';
