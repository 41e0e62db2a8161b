export { createBroadcastsFeature } from './feature.ts';
