import type { IncomingHttpHeaders } from 'node:http';
import { authenticateUser, covers, workspaceBlocked } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { unauthenticated } from '#platform/errors/app-error.ts';
import type { Actor } from '#platform/http/context.ts';
import { type ApiKey, apiKeyActor } from '../api-key.ts';
import { isIpInRanges } from '../ip-ranges.ts';
import { invalidKey, readCredential } from './credentials.ts';
import type { FoundKey, KeyLookup } from './key-lookup.ts';

export interface AuthenticatorDeps {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  lookup: KeyLookup;
  /** Called for every accepted use of a key. */
  onKeyUsed(key: ApiKey, ip: string): void;
}

interface RequestToAuthenticate {
  headers: IncomingHttpHeaders;
  ip: string;
}

/**
 * Identifies the caller of a request. Throws authentication_error for nobody, and says no more than the caller may
 * know.
 */
export function createAuthenticator(deps: AuthenticatorDeps): (request: RequestToAuthenticate) => Promise<Actor> {
  return async ({ headers, ip }) => {
    const credential = readCredential(headers);
    if (credential.kind === 'token') {
      const asked = headers['x-workspace-id'];
      return authenticateUser(deps, credential.token, typeof asked === 'string' ? asked : undefined);
    }
    const found = await deps.lookup.find(credential.key);
    if (found === undefined) throw invalidKey();
    refuseUnusable(found.key, ip, deps.clock.now());
    deps.onKeyUsed(found.key, ip);
    return actorOf(found);
  };
}

/** Told to those who hold the right key only. */
function refuseUnusable(key: ApiKey, ip: string, now: Date): void {
  if (key.revokedAt !== null) throw unauthenticated('This API key is revoked.');
  if (!key.enabled) throw unauthenticated('This API key is disabled.');
  if (key.expiresAt !== null && key.expiresAt <= now) throw unauthenticated('This API key has expired.');
  if (key.allowedIps.length > 0 && !isIpInRanges(ip, key.allowedIps)) {
    throw unauthenticated(`This API key may not be used from ${ip}.`);
  }
}

function actorOf({ key, workspaceStatus }: FoundKey): Actor {
  const scopes = new Set(key.scopes);
  return {
    type: 'api_key',
    id: key.id,
    workspaceId: key.workspaceId,
    email: null,
    role: null,
    mode: key.mode,
    apiKey: apiKeyActor(key),
    may(scope) {
      if (workspaceStatus === 'blocked') throw workspaceBlocked();
      return covers(scopes, scope);
    },
  };
}
