import { type Db, onCommit } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import type { Done } from '../issues-ctx.ts';

/** Notes what happened to an issue by itself, once the transaction in which it did is committed. */
export function noteAuditEntries(
  tx: Db,
  { audit }: Pick<NewslettersWiring, 'audit'>,
  { issue, auditEntries }: Done,
): void {
  const by = { workspaceId: issue.workspaceId, actor: systemActor, ip: null };
  onCommit(tx, () => {
    for (const auditEntry of auditEntries) audit.record(by, { ...auditEntry, targetType: 'issue', targetId: issue.id });
  });
}
