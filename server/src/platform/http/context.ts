import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Db } from '../db/database.ts';
import type { Log } from '../log.ts';

/** The fields of its key that a request needs. */
export interface ApiKeyActor {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Empty: every domain (newsletter) of the workspace. */
  readonly domainIds: readonly string[];
  readonly newsletterIds: readonly string[];
  readonly mode: 'live' | 'test';
  /** Send requests per window; 0 means unlimited. */
  readonly limits: { readonly hourly: number; readonly daily: number; readonly monthly: number };
}

/** The caller. `may` answers for one scope name; `*` asks for all of them. */
export interface Actor {
  readonly type: 'api_key' | 'user' | 'public' | 'system';
  readonly id: string | null;
  readonly workspaceId: string | null;
  readonly email: string | null;
  readonly role: string | null;
  readonly mode: 'live' | 'test';
  readonly apiKey: ApiKeyActor | null;
  /** The sign-in that a user's token belongs to. */
  readonly sessionId?: string;
  may(scope: string): boolean;
}

/**
 * The one actor whose doings a caller is shown; null: those of all. A key that is limited to some domains or
 * newsletters is shown its own: those of others name what it may not read.
 */
export function actorShownTo({ apiKey }: Actor): string | null {
  if (apiKey === null) return null;
  return apiKey.newsletterIds.length > 0 || apiKey.domainIds.length > 0 ? apiKey.id : null;
}

/** Nobody: whoever comes without a key and without a sign-in. */
export const publicActor: Actor = {
  type: 'public',
  id: null,
  workspaceId: null,
  email: null,
  role: null,
  mode: 'live',
  apiKey: null,
  may: () => false,
};

/** The actor of our own actions. No scope is asked for then. */
export const systemActor: Actor = { ...publicActor, type: 'system' };

/** The caller who let an issue or a broadcast go: a scheduled one is sent in their name, hours after the request. */
export interface SentBy extends Pick<Actor, 'id' | 'email' | 'mode'> {
  readonly type: string; // As it was stored.
  /** Left out: it was stored before requests were noted, or it began with no request. */
  readonly requestId?: string;
}

/** Also with the request in which they said so: records of the emails name it. */
export const sentBy = ({ actor: { type, id, email, mode }, requestId }: Pick<Ctx, 'actor' | 'requestId'>): SentBy => ({
  type,
  id,
  email,
  mode,
  ...(requestId === '' ? {} : { requestId }),
});

/** The caller, its workspace and the means to serve it. Verbs take it first. */
export interface Ctx {
  /** '' on routes that need no workspace. */
  readonly workspaceId: string;
  readonly actor: Actor;
  /** The pool, or the transaction that an Idempotency-Key opened around the whole request. */
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestId: string;
  readonly ip: string;
  readonly settings: Settings;
  readonly secrets: Secrets;
}
