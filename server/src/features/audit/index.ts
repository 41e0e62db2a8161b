export type { AuditEntry, AuditEvent, AuditLog, AuditSource } from './audit-log.ts';
export { createAuditFeature } from './feature.ts';
export { forgetEntries } from './forget-entries.ts';
export { deletePageOfAuditEntries } from './queries.ts';
