import { ownEntry } from '#platform/own-entry.ts';

/** Every scope there is. `things:write` implies `things:read`; `:send` implies neither. */
export const SCOPES = [
  'emails:send',
  'emails:read',
  'scheduled:read',
  'scheduled:write',
  'templates:read',
  'templates:write',
  'broadcasts:read',
  'broadcasts:write',
  'broadcasts:send',
  'contacts:read',
  'contacts:write',
  'newsletters:read',
  'newsletters:write',
  'subscribers:read',
  'subscribers:write',
  'issues:read',
  'issues:write',
  'issues:send',
  'domains:read',
  'domains:write',
  'webhooks:read',
  'webhooks:write',
  'suppressions:read',
  'suppressions:write',
  'automations:read',
  'automations:write',
  'events:write',
  'inbound:read',
  'inbound:write',
  'analytics:read',
  'logs:read',
  'audit:read',
  'api_keys:read',
  'api_keys:write',
] as const;

/** Names for common sets, accepted wherever scopes are. */
export const SCOPE_PRESETS: Readonly<Record<string, readonly string[]>> = {
  full_access: ['*'],
  sending_access: ['emails:send', 'emails:read', 'scheduled:write', 'templates:read'],
  // A reader of webhooks reads their secrets, and could pass for us; the audit log is for owners and admins (decision
  // 0200). A key for either has to name it.
  read_only: SCOPES.filter((scope) => scope.endsWith(':read') && !['webhooks:read', 'audit:read'].includes(scope)),
};

const KNOWN: ReadonlySet<string> = new Set<string>([...SCOPES, '*']);

/** Whether a set of scopes allows something: the scope itself, everything, or the `:write` that includes a `:read`. */
export function covers(held: ReadonlySet<string>, wanted: string): boolean {
  if (held.has('*') || held.has(wanted)) return true;
  return wanted.endsWith(':read') && held.has(`${wanted.slice(0, -':read'.length)}:write`);
}

/** Presets replaced by what they stand for, duplicates dropped; `unknown` holds the index of each name that is none. */
export function expandScopes(names: readonly string[]): { scopes: string[]; unknown: number[] } {
  const scopes = names.flatMap((name) => ownEntry(SCOPE_PRESETS, name) ?? [name]);
  const unknown = names.flatMap((name, index) =>
    KNOWN.has(name) || Object.hasOwn(SCOPE_PRESETS, name) ? [] : [index],
  );
  const all = [...new Set(scopes)];
  return { scopes: all.includes('*') ? ['*'] : all, unknown };
}
