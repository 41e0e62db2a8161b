import type { ApiKeyActor } from '#platform/http/context.ts';
import type { KeyMode } from './key-format.ts';

export interface KeyLimits {
  hourly: number;
  daily: number;
  monthly: number;
}

/** The permissions of a key: the part of it that another key can be compared with. */
export interface KeyGrant {
  scopes: string[];
  domainIds: string[];
  newsletterIds: string[];
  allowedIps: string[];
  mode: KeyMode;
  limits: KeyLimits;
  expiresAt: Date | null;
}

export interface ApiKey extends KeyGrant {
  workspaceId: string;
  id: string;
  name: string;
  prefix: string;
  last4: string;
  enabled: boolean;
  createdBy: string | null;
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
  revokedAt: Date | null;
  createdAt: Date;
}

export const apiKeyView = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  last4: key.last4,
  scopes: key.scopes,
  domain_ids: key.domainIds,
  newsletter_ids: key.newsletterIds,
  allowed_ips: key.allowedIps,
  mode: key.mode,
  limits: key.limits,
  enabled: key.enabled,
  created_by: key.createdBy,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  last_used_ip: key.lastUsedIp,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  created_at: key.createdAt.toISOString(),
});

export const apiKeyActor = (key: ApiKey): ApiKeyActor => ({
  id: key.id,
  workspaceId: key.workspaceId,
  name: key.name,
  scopes: key.scopes,
  domainIds: key.domainIds,
  newsletterIds: key.newsletterIds,
  mode: key.mode,
  limits: key.limits,
});
