export { type ApiKeysFeature, createApiKeysFeature } from './feature.ts';
export { createFirstWorkspace, type FirstStart } from './first-start.ts';
export { reserveSends } from './usage/reserve-sends.ts';
export type { ApiKeysWiring } from './wiring.ts';
