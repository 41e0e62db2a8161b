import type { AuditSource } from '#features/audit';
import { type Db, onCommit } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { type Done, targetOf } from '../issues-ctx.ts';

/** Notes what happened to an issue, by itself where nobody is named, once the transaction of it is committed. */
export function noteAuditEntries(
  tx: Db,
  { audit }: Pick<NewslettersWiring, 'audit'>,
  { issue, auditEntries }: Done,
  by: AuditSource = { workspaceId: issue.workspaceId, actor: systemActor, ip: null },
): void {
  onCommit(tx, () => {
    for (const auditEntry of auditEntries) audit.record(by, { ...auditEntry, ...targetOf(issue) });
  });
}
