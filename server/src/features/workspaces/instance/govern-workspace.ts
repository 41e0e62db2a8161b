import type { Db } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import { findWorkspace, lockWorkspace, updateGovernance } from '../queries.ts';
import { recordSecurityEvent, type SecuritySource } from '../security-log/record-security-event.ts';
import type { Workspace } from '../workspace.ts';

/** The limits that the operator of the instance sets for a workspace. A field that is left out stays. */
export interface WorkspaceGovernance {
  status?: Workspace['status'];
  /** Recipients a calendar month (UTC); null: no quota. */
  emailsPerMonth?: number | null;
}

/** Throws to refuse the change of the workspace, which is locked. */
export type CheckGoverned = (before: Workspace) => void;

/** Stores it, in the caller's transaction. The outbox stops and gives back the mail: `setSending`. */
export async function governWorkspace(
  tx: Db,
  source: SecuritySource,
  workspaceId: string,
  change: WorkspaceGovernance,
  check?: CheckGoverned,
): Promise<{ before: Workspace; workspace: Workspace }> {
  await lockWorkspace(tx, workspaceId);
  const before = await findWorkspace(tx, workspaceId);
  if (before === undefined) throw notFound('workspace', workspaceId);
  check?.(before);
  const workspace = await updateGovernance(tx, workspaceId, change);
  if (workspace === undefined) throw notFound('workspace', workspaceId);
  if (workspace.isHome && workspace.status === 'blocked')
    throw conflict('The home workspace runs this installation and cannot be blocked. You can pause it.');
  const changes = changedFields(before, workspace, ['status', 'emailsPerMonth']);
  if (changes !== null) {
    await recordSecurityEvent(
      tx,
      { ...source, workspaceId },
      { action: 'workspace.governed', targetType: 'workspace', targetId: workspaceId, details: { changes } },
    );
  }
  return { before, workspace };
}
