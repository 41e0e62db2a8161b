export { type ApiKeysFeature, createApiKeysFeature } from './feature.ts';
export type { RefusedKey } from './authentication/authenticator.ts';
export { createKeyByAdmin } from './create-key-by-admin.ts';
export { createFirstWorkspace } from './first-start.ts';
export { headersOfTakes } from './usage/send-limits.ts';
export { takesOfKey } from './usage/takes-of-key.ts';
/** Workspaces name the keys of a member who is removed. */
export { listKeysOf } from './queries.ts';
