export { type ApiKeysFeature, createApiKeysFeature } from './feature.ts';
export { createFirstWorkspace } from './first-start.ts';
export { reserveSends } from './usage/reserve-sends.ts';
