import type { Db } from '#platform/db/database.ts';
import { conflict, notFound } from '#platform/errors/app-error.ts';
import { updateGovernance } from '../queries.ts';
import { recordSecurityEvent, type SecuritySource } from '../security-log/record-security-event.ts';
import type { Workspace } from '../workspace.ts';

/** The limits that the operator of the instance sets for a workspace. A field that is left out stays. */
export interface WorkspaceGovernance {
  status?: Workspace['status'];
  /** Recipients a calendar month (UTC); null: no quota. */
  emailsPerMonth?: number | null;
}

/** Stores it, in the caller's transaction. The outbox stops and gives back the mail: `setSending`. */
export async function governWorkspace(
  tx: Db,
  source: SecuritySource,
  workspaceId: string,
  change: WorkspaceGovernance,
): Promise<Workspace> {
  const workspace = await updateGovernance(tx, workspaceId, change);
  if (workspace === undefined) throw notFound('workspace', workspaceId);
  if (workspace.isHome && workspace.status === 'blocked')
    throw conflict('The home workspace runs this installation and cannot be blocked. You can pause it.');
  await recordSecurityEvent(
    tx,
    { ...source, workspaceId },
    {
      action: 'workspace.governed',
      targetType: 'workspace',
      targetId: workspaceId,
      details: { status: workspace.status, emails_per_month: workspace.emailsPerMonth },
    },
  );
  return workspace;
}
