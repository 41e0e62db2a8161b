import type { IncomingHttpHeaders } from 'node:http';
import { authenticateCookie, authenticateUser, covers, workspaceBlocked, workspaceHeader } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { type AppError, unauthenticated } from '#platform/errors/app-error.ts';
import type { Actor } from '#platform/http/context.ts';
import { type ApiKey, apiKeyActor } from '../api-key.ts';
import { isIpInRanges } from '../ip-ranges.ts';
import { canBeKey } from '../key-format.ts';
import { invalidKey, readCredential } from './credentials.ts';
import type { FoundKey, KeyLookup } from './key-lookup.ts';

export interface AuthenticatorDeps {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  settings: Pick<Settings, 'dashboardUrl' | 'publicUrl'>;
  lookup: KeyLookup;
  /** Called for every accepted use of a key. */
  onKeyUsed(key: ApiKey, ip: string): void;
}

interface RequestToAuthenticate {
  method: string;
  headers: IncomingHttpHeaders;
  ip: string;
}

/**
 * Identifies the caller of a request. Throws authentication_error for nobody, and says no more than the caller may
 * know. A browser adds its cookie to whatever a page asks for: a key or token that the page sends too is what counts.
 */
export function createAuthenticator(deps: AuthenticatorDeps): (request: RequestToAuthenticate) => Promise<Actor> {
  return async (request) => {
    const { headers, ip } = request;
    if (headers.authorization === undefined && headers['x-api-key'] === undefined) {
      const person = await authenticateCookie(deps, request, workspaceHeader(headers));
      if (person !== undefined) return person;
    }
    const credential = readCredential(headers);
    if (credential.kind === 'token') {
      return authenticateUser(deps, credential.token, workspaceHeader(headers));
    }
    const outcome = await signInWithKey(deps, credential.key, ip);
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome;
  };
}

/** A key that is not good, and to whom it belongs; null: it is nobody's. */
export interface RefusedKey {
  refusal: AppError;
  key: { id: string; name: string; workspaceId: string } | null;
}

/** The caller that a key stands for, or why it does not. */
export async function signInWithKey(
  deps: Pick<AuthenticatorDeps, 'lookup' | 'clock' | 'onKeyUsed'>,
  text: string,
  ip: string,
): Promise<Actor | RefusedKey> {
  const found = canBeKey(text) ? await deps.lookup.find(text) : undefined;
  if (found === undefined) return { refusal: invalidKey(), key: null };
  const { id, name, workspaceId } = found.key;
  const refusal = whyUnusable(found.key, ip, deps.clock.now());
  if (refusal !== undefined) return { refusal, key: { id, name, workspaceId } };
  deps.onKeyUsed(found.key, ip);
  return actorOf(found);
}

/** Told to those who hold the right key only. */
function whyUnusable(key: ApiKey, ip: string, now: Date): AppError | undefined {
  if (key.revokedAt !== null) return unauthenticated('This API key is revoked.');
  if (!key.enabled) return unauthenticated('This API key is disabled.');
  if (key.expiresAt !== null && key.expiresAt <= now) return unauthenticated('This API key has expired.');
  if (key.allowedIps.length > 0 && !isIpInRanges(ip, key.allowedIps)) {
    return unauthenticated(`This API key may not be used from ${ip}.`);
  }
  return undefined;
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
