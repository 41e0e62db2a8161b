export { createRequestLogFeature, type RequestLogFeature } from './feature.ts';
export { eraseRequests } from './erase-requests.ts';
export { createFloodGuard, type FloodGuard } from './flood-guard.ts';
export { forgetRequests, REQUESTS_DAYS } from './forget-requests.ts';
export { deletePageOfRequests } from './queries.ts';
