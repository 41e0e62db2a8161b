export { deliveriesOfEvents } from './deliveries-of-events.ts';
export { createWebhooksFeature } from './feature.ts';
