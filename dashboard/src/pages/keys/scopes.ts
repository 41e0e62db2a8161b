/** Scopes of API keys, by what they are about; `scopes.test.ts` compares them with the server. */
export const SCOPE_GROUPS: readonly { label: string; scopes: readonly ScopeRow[] }[] = [
  {
    label: 'Sending',
    scopes: [
      { name: 'emails', label: 'Emails', verbs: ['read', 'send'] },
      { name: 'scheduled', label: 'Scheduled emails', verbs: ['read', 'write'] },
      { name: 'templates', label: 'Templates', verbs: ['read', 'write'] },
      { name: 'broadcasts', label: 'Broadcasts', verbs: ['read', 'write', 'send'] },
      { name: 'automations', label: 'Automations', verbs: ['read', 'write'] },
      { name: 'events', label: 'Events of your product', verbs: ['write'] },
    ],
  },
  {
    label: 'Audience',
    scopes: [
      { name: 'newsletters', label: 'Newsletters', verbs: ['read', 'write'] },
      { name: 'issues', label: 'Issues', verbs: ['read', 'write', 'send'] },
      { name: 'subscribers', label: 'Subscribers', verbs: ['read', 'write'] },
      { name: 'contacts', label: 'Contacts', verbs: ['read', 'write'] },
      { name: 'suppressions', label: 'Suppressions', verbs: ['read', 'write'] },
    ],
  },
  {
    label: 'Set-up',
    scopes: [
      { name: 'domains', label: 'Domains', verbs: ['read', 'write'] },
      { name: 'webhooks', label: 'Webhooks', verbs: ['read', 'write'] },
      { name: 'inbound', label: 'Inbound mail', verbs: ['read', 'write'] },
      { name: 'api_keys', label: 'API keys', verbs: ['read', 'write'] },
    ],
  },
  {
    label: 'Reports',
    scopes: [
      { name: 'analytics', label: 'Analytics', verbs: ['read'] },
      { name: 'logs', label: 'Request log', verbs: ['read'] },
      { name: 'audit', label: 'Audit log', verbs: ['read'] },
    ],
  },
];

export type Verb = 'read' | 'write' | 'send';

export interface ScopeRow {
  name: string;
  label: string;
  verbs: readonly Verb[];
}

export const ALL_SCOPES: readonly string[] = SCOPE_GROUPS.flatMap(({ scopes }) =>
  scopes.flatMap(({ name, verbs }) => verbs.map((verb) => `${name}:${verb}`)),
);

/** The server's presets (`server/src/features/workspaces/permissions/scopes.ts`). */
export const PRESETS: readonly { id: string; label: string; description: string; scopes: readonly string[] }[] = [
  {
    id: 'sending',
    label: 'Sending',
    description: 'Sends emails and reads what became of them.',
    scopes: ['emails:send', 'emails:read', 'scheduled:write', 'templates:read'],
  },
  {
    id: 'read',
    label: 'Read only',
    description: 'Reads everything but the secrets of webhooks and the audit log.',
    scopes: ALL_SCOPES.filter((scope) => scope.endsWith(':read') && !['webhooks:read', 'audit:read'].includes(scope)),
  },
  { id: 'full', label: 'Full access', description: 'Does everything that you may do.', scopes: ['*'] },
];

/** Whether the scopes allow this one: `write` includes `read`. */
export const isCovered = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes('*') ||
  scopes.includes(scope) ||
  (scope.endsWith(':read') && scopes.includes(scope.replace(/:read$/, ':write')));

/** A list of scopes in a few words. */
export function describeScopes(scopes: readonly string[]): string {
  const same = (preset: readonly string[]) =>
    preset.length === scopes.length && preset.every((scope) => scopes.includes(scope));
  const preset = PRESETS.find((each) => same(each.scopes));
  if (preset !== undefined) return preset.label;
  return scopes.length <= 2 ? scopes.join(', ') : `${scopes.length} scopes`;
}
