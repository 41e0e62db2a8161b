import { covers, SCOPES } from './scopes.ts';

/** From most to least: a member may hand out roles up to their own, and only owners make owners. */
export const ROLES = ['owner', 'admin', 'developer', 'publisher', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

// The audit log is for those who manage people. A role without it cannot give it to a key either (decision 0200).
const READ_ALL: readonly string[] = SCOPES.filter((scope) => scope.endsWith(':read') && scope !== 'audit:read');

// Composes newsletters and everything they are made of; what reaches people is the publisher's decision.
const COMPOSE = [
  'newsletters:write',
  'subscribers:write',
  'issues:write',
  'templates:write',
  'contacts:write',
  'broadcasts:write',
  'automations:write',
];

// Integrates: keys, domains, webhooks and transactional sending.
const INTEGRATE = [
  'api_keys:write',
  'domains:write',
  'webhooks:write',
  'inbound:write',
  'suppressions:write',
  'emails:send',
  'scheduled:write',
  'events:write',
  'templates:write',
];

const SEND = ['emails:send', 'scheduled:write', 'issues:send', 'broadcasts:send', 'events:write'];

/** The permissions of each role, in the same words as the scopes of API keys. */
const ROLE_SCOPES: Readonly<Record<Role, ReadonlySet<string>>> = {
  owner: new Set(['*']),
  admin: new Set(['*']),
  developer: new Set([...READ_ALL, ...INTEGRATE]),
  publisher: new Set([...READ_ALL, ...COMPOSE, ...SEND]),
  editor: new Set([...READ_ALL, ...COMPOSE]),
  viewer: new Set(READ_ALL),
};

export const roleMay = (role: Role, scope: string): boolean => covers(ROLE_SCOPES[role], scope);

/** Whether members, invitations and the workspace itself are theirs to change. Deleting is for owners only. */
export const managesWorkspace = (role: Role): boolean => role === 'owner' || role === 'admin';

/** Admins manage everybody but owners, and cannot make one. */
export const mayManageRole = (actor: Role, subject: Role): boolean =>
  actor === 'owner' || (actor === 'admin' && subject !== 'owner');
