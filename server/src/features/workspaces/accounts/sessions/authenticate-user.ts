import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, unauthenticated } from '#platform/errors/app-error.ts';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Actor } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { roleMay } from '../../permissions/role-permissions.ts';
import { readAccessToken } from './access-token.ts';
import { keepSession } from './keep-session.ts';
import { type AskedBy, refuseForeignWrite } from './own-pages-only.ts';
import { cookieOf, sessionOfCookie } from './session-cookie.ts';
import { findSignedIn, type SignedInRow } from './session-queries.ts';

export interface UserAuthentication {
  db: Db;
  secrets: Secrets;
  clock: Clock;
}

/**
 * The actor of a dashboard token. Session, membership, role and workspace are read from the database at every request,
 * so whatever was ended, removed or demoted counts at once. `asked` is the header X-Workspace-ID, which takes the place
 * of the token's workspace when the person is a member of it.
 */
export async function authenticateUser(
  deps: UserAuthentication,
  token: string,
  asked: string | undefined,
): Promise<Actor> {
  const now = deps.clock.now();
  const claims = await readAccessToken(deps.secrets, token, now);
  if (claims === undefined) throw unauthenticated('The dashboard token is not valid or has expired.');
  const wanted = workspaceAsked(asked) ?? claims.workspaceId;
  const found = await findSignedIn(deps.db, { ...claims, workspaceId: wanted, now });
  if (found === undefined) throw sessionEnded();
  // A token made for this workspace is worthless now, and a fresh one will name another.
  if (asked === undefined && wanted !== null && found.role === null)
    throw unauthenticated('You are no longer a member of this workspace.');
  return actorOf(found, claims.sessionId, wanted);
}

/**
 * The actor of the session cookie; undefined for a request without one. The same reads as for a token, so that a
 * session that was ended is over with the next request.
 */
export async function authenticateCookie(
  deps: UserAuthentication & { settings: Pick<Settings, 'dashboardUrl' | 'publicUrl'> },
  request: AskedBy & { ip: string },
  asked: string | undefined,
): Promise<Actor | undefined> {
  const { headers, ip } = request;
  if (cookieOf(deps.settings, headers) === undefined) return undefined;
  refuseForeignWrite(request, deps.settings);
  const session = sessionOfCookie(deps, headers);
  if (session === undefined) throw sessionEnded();
  const now = deps.clock.now();
  const workspaceId = workspaceAsked(asked) ?? null;
  const found = await findSignedIn(deps.db, { ...session, workspaceId, now });
  if (found === undefined) throw sessionEnded();
  await keepSession(deps.db, { ...session, userId: found.userId, lastUsedAt: found.lastUsedAt, ip, now });
  return actorOf(found, session.sessionId, workspaceId);
}

export const workspaceHeader = ({ 'x-workspace-id': asked }: IncomingHttpHeaders): string | undefined =>
  typeof asked === 'string' ? asked : undefined;

function workspaceAsked(asked: string | undefined): string | undefined {
  const wanted = asked?.toLowerCase();
  if (wanted !== undefined && !isUuid(wanted)) throw notAMember();
  return wanted;
}

function actorOf(found: SignedInRow, sessionId: string, workspaceId: string | null): Actor {
  const { role } = found;
  if (workspaceId !== null && role === null) throw notAMember();
  return {
    type: 'user',
    id: found.userId,
    workspaceId,
    email: found.email,
    role,
    mode: 'live',
    apiKey: null,
    sessionId,
    may(scope) {
      if (found.workspaceStatus === 'blocked') throw workspaceBlocked();
      return role !== null && roleMay(role, scope);
    },
  };
}

const sessionEnded = () => unauthenticated('This session has ended. Sign in again.');

// The same whether the workspace exists or not.
const notAMember = () => forbidden('You are not a member of the workspace in X-Workspace-ID.', 'X-Workspace-ID');

/** Asked when a scope is: a person must still be able to sign in and switch to another workspace. */
export const workspaceBlocked = () => forbidden('This workspace is blocked. Contact the operator of this service.');
