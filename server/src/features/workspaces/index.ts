export { authenticateUser, workspaceBlocked } from './accounts/authenticate-user.ts';
export { createWorkspacesFeature, type WorkspacesFeature } from './feature.ts';
export { createHomeWorkspace, resetPasswordByAdmin } from './first-workspace.ts';
export { covers, expandScopes, SCOPE_PRESETS, SCOPES } from './permissions/scopes.ts';
export { recordSecurityEvent } from './security-log/record-security-event.ts';
export type { SendSystemMail, SystemMail, WorkspaceReaction } from './wiring.ts';
