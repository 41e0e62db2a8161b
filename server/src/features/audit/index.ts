export { createAuditFeature } from './feature.ts';
