export {
  authenticateCookie,
  authenticateUser,
  workspaceBlocked,
  workspaceHeader,
} from './accounts/sessions/authenticate-user.ts';
export { disableTwoFactorByAdmin } from './accounts/two-factor/disable-by-admin.ts';
export { resetPasswordByAdmin } from './accounts/passwords/reset-password-by-admin.ts';
export { createWorkspacesFeature, type WorkspacesFeature } from './feature.ts';
export { createHomeWorkspace } from './first-workspace.ts';
export { mailOwners, type OwnersMail, type OwnersMailPorts } from './members/mail-owners.ts';
export {
  domainsOfKey,
  mayUseNewsletter,
  newslettersOfKey,
  requireKeyForDomain,
  requireKeyForNewsletter,
} from './permissions/key-limits.ts';
export { type MailShown, mailShownTo, maySeeMail } from './permissions/mail-shown.ts';
export { covers, expandScopes, SCOPE_PRESETS, SCOPES } from './permissions/scopes.ts';
export { governWorkspace, type WorkspaceGovernance } from './instance/govern-workspace.ts';
export { instance } from './instance/instance.ts';
export { findWorkspaceId, findWorkspaceZone, findSendingStop } from './queries.ts';
export { findWorkspaceWords } from './workspace-words.ts';
export { bySystem, recordSecurityEvent, type SecuritySource } from './security-log/record-security-event.ts';
export { permitManagersOfActive } from './workspace-access.ts';
export type { Workspace } from './workspace.ts';
export type { SendSystemMail, SystemMail, WorkspaceReaction } from './wiring.ts';
export { forgetSecurityLog } from './security-log/forget-security-log.ts';
