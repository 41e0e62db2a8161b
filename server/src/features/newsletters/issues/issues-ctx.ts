import type { AuditEvent } from '#features/audit';
import type { Ctx } from '#platform/http/context.ts';
import type { Issue } from './issue.ts';

/** The dependencies of the verbs of issues. */
export type IssuesCtx = Pick<
  Ctx,
  'db' | 'workspaceId' | 'actor' | 'requestId' | 'ip' | 'clock' | 'settings' | 'secrets'
>;

/** The issue of an entry, by its subject. */
export const targetOf = ({ id, subject }: Pick<Issue, 'id' | 'subject'>) => ({
  targetType: 'issue',
  targetId: id,
  targetName: subject,
});

/** An action on an issue, for its own log. */
export type AuditEntry = Pick<AuditEvent, 'action' | 'details'>;

/** An issue after something was done to it. */
export interface Done {
  issue: Issue;
  auditEntries: readonly AuditEntry[];
}
