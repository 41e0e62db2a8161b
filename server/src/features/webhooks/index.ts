export { deliveriesOfEvents } from './queries/deliveries-of-events.ts';
export { createWebhooksFeature } from './feature.ts';
