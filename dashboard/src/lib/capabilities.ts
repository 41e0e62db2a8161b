/**
 * Copies of the server's rules, so that a page can disable what would be refused and say why. The server decides.
 * Roles: `server/src/features/workspaces/permissions/role-permissions.ts`; `capabilities.test.ts` compares the two.
 */
export const ROLES = ['owner', 'admin', 'developer', 'publisher', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Each action in the words of a sentence: "Your role may not …". `roles` counts where there is no scope. */
const ACTIONS = {
  'emails:send': { words: 'send emails', roles: ['developer', 'publisher'] },
  'scheduled:write': { words: 'schedule emails', roles: ['developer', 'publisher'] },
  'templates:write': { words: 'change templates', roles: ['developer', 'publisher', 'editor'] },
  'broadcasts:write': { words: 'change broadcasts', roles: ['publisher', 'editor'] },
  'broadcasts:send': { words: 'send broadcasts', roles: ['publisher'] },
  'contacts:write': { words: 'change contacts', roles: ['publisher', 'editor'] },
  'newsletters:write': { words: 'change newsletters', roles: ['publisher', 'editor'] },
  'subscribers:write': { words: 'change subscribers', roles: ['publisher', 'editor'] },
  'issues:write': { words: 'change issues', roles: ['publisher', 'editor'] },
  'issues:send': { words: 'send issues', roles: ['publisher'] },
  'domains:write': { words: 'change domains', roles: ['developer'] },
  'webhooks:write': { words: 'change webhooks', roles: ['developer'] },
  'suppressions:write': { words: 'change suppressions', roles: ['developer'] },
  'automations:write': { words: 'change automations', roles: ['publisher', 'editor'] },
  'events:write': { words: 'record events', roles: ['developer', 'publisher'] },
  'inbound:write': { words: 'change inbound mail', roles: ['developer'] },
  'api_keys:write': { words: 'change API keys', roles: ['developer'] },
  'workspace:manage': { words: 'change the workspace or its members', roles: [] },
  'workspace:audit': { words: 'see the audit log or the security log', roles: [] },
  'workspace:delete': { words: 'delete the workspace', roles: [], ownersOnly: true },
} as const satisfies Record<string, { words: string; roles: readonly Role[]; ownersOnly?: true }>;

export type Action = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as Action[]; // Object.keys forgets the type of the names

function rolesFor(action: Action): readonly Role[] {
  const rule: { roles: readonly Role[]; ownersOnly?: true } = ACTIONS[action];
  return rule.ownersOnly === true ? ['owner'] : ['owner', 'admin', ...rule.roles];
}

export const roleMay = (role: Role, action: Action): boolean => rolesFor(action).includes(role);

/** Admins manage everybody but owners, and cannot make one. */
export const mayManageRole = (actor: Role | undefined, subject: Role): boolean =>
  actor === 'owner' || (actor === 'admin' && subject !== 'owner');

/** Undefined when the role may; otherwise the sentence to show beside what is disabled. */
export function whyNot(role: Role | undefined, action: Action): string | undefined {
  if (role !== undefined && roleMay(role, action)) return undefined;
  const who = listWords(rolesFor(action).map((name) => `${name}s`));
  const mine = role === undefined ? 'You' : `Your role (${role})`;
  return `${mine} may not ${ACTIONS[action].words}. ${who[0]?.toUpperCase()}${who.slice(1)} may.`;
}

function listWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
