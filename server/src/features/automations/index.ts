export { createAutomationsFeature } from './feature.ts';
export { listEnabledWithTemplate } from './defining/queries.ts';
/** Nothing of a workspace that is deleted goes on. */
export { deleteAutomationsOf, deleteRunsOf } from './removal-queries.ts';
export { countStuckRuns } from './running/queries.ts';
