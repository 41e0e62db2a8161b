export { createAutomationsFeature } from './feature.ts';
export { listEnabledWithTemplate } from './defining/queries.ts';
/** Nothing of a workspace that is deleted goes on. */
export { deleteAutomationsOf, deleteRunsOf } from './removal-queries.ts';
export { createStuckLook } from './running/stuck-runs.ts';
