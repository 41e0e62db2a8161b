export { createAutomationsFeature } from './feature.ts';
export { listEnabledWithTemplate } from './defining/queries.ts';
