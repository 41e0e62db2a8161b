export { authenticateUser, workspaceBlocked } from './accounts/authenticate-user.ts';
export { resetPasswordByAdmin } from './accounts/reset-password-by-admin.ts';
export { createWorkspacesFeature, type WorkspacesFeature } from './feature.ts';
export { createHomeWorkspace } from './first-workspace.ts';
export { listOwners } from './members/list-owners.ts';
export { covers, expandScopes, SCOPE_PRESETS, SCOPES } from './permissions/scopes.ts';
export { recordSecurityEvent } from './security-log/record-security-event.ts';
export { managedWorkspaceId } from './workspace-access.ts';
export type { SendSystemMail, SystemMail, WorkspaceReaction } from './wiring.ts';
