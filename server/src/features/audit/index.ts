export type { AuditEntry, AuditEvent, AuditLog, AuditSource } from './audit-log.ts';
export { createAuditFeature } from './feature.ts';
export { forgetEntriesService } from './forget-entries.ts';
