import { mayManageRole, type Role, whyNot } from '../../lib/capabilities.ts';

/** The roles in words, from most to least. */
export const ROLE_WORDS: readonly { value: Role; label: string; description: string }[] = [
  { value: 'owner', label: 'Owner', description: 'Everything, also deleting the workspace.' },
  { value: 'admin', label: 'Admin', description: 'Everything but deleting the workspace and managing owners.' },
  { value: 'developer', label: 'Developer', description: 'API keys, domains, webhooks, and sending emails.' },
  { value: 'publisher', label: 'Publisher', description: 'Writes newsletters and sends them.' },
  { value: 'editor', label: 'Editor', description: 'Writes newsletters, and cannot send.' },
  { value: 'viewer', label: 'Viewer', description: 'Reads everything but secrets, and changes nothing.' },
];

export const labelOfRole = (role: Role): string => ROLE_WORDS.find(({ value }) => value === role)?.label ?? role;

/** A member, as the person who looks at them may deal with them. */
export interface Standing {
  /** The role of the person who looks. */
  mine: Role | undefined;
  isMe: boolean;
  theirs: Role;
  isLastOwner: boolean;
}

/** Undefined: the member's role can be changed (`server/src/features/workspaces/members/change-member-role.ts`). */
export function whyNotChange({ mine, isMe, theirs, isLastOwner }: Standing): string | undefined {
  if (isMe && isLastOwner)
    return 'You are the last owner. Make another member an owner, who can then change your role.';
  if (isMe) return 'You cannot change your own role. Another owner or admin can.';
  const ofRole = whyNot(mine, 'workspace:manage');
  if (ofRole !== undefined) return ofRole;
  return mayManageRole(mine, theirs) ? undefined : 'Only an owner can change the role of an owner.';
}

/** Undefined: the member can be removed, or can leave (`server/src/features/workspaces/members/remove-member.ts`). */
export function whyNotRemove({ mine, isMe, theirs, isLastOwner }: Standing): string | undefined {
  if (isMe) return isLastOwner ? 'You are the last owner. Make another member an owner before you leave.' : undefined;
  const ofRole = whyNot(mine, 'workspace:manage');
  if (ofRole !== undefined) return ofRole;
  return mayManageRole(mine, theirs) ? undefined : 'Only an owner can remove an owner.';
}

/** Undefined: the person can give this role to somebody. */
export const whyNotGive = (mine: Role | undefined, role: Role): string | undefined =>
  mayManageRole(mine, role) ? undefined : 'Only an owner can make an owner.';
