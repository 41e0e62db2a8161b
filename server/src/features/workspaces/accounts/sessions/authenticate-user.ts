import { forbidden, unauthenticated } from '#platform/errors/app-error.ts';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Actor } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { roleMay } from '../../permissions/role-permissions.ts';
import { readAccessToken } from './access-token.ts';
import { findSignedIn } from './session-queries.ts';

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
  const wanted = asked?.toLowerCase() ?? claims.workspaceId;
  if (wanted !== null && !isUuid(wanted)) throw notAMember();
  const found = await findSignedIn(deps.db, { ...claims, workspaceId: wanted, now });
  if (found === undefined) throw unauthenticated('This session has ended. Sign in again.');
  const { role } = found;
  if (wanted !== null && role === null) {
    // A token made for this workspace is worthless now, and a fresh one will name another.
    throw asked === undefined ? unauthenticated('You are no longer a member of this workspace.') : notAMember();
  }
  return {
    type: 'user',
    id: claims.userId,
    workspaceId: wanted,
    email: found.email,
    role,
    mode: 'live',
    apiKey: null,
    sessionId: claims.sessionId,
    may(scope) {
      if (found.workspaceStatus === 'blocked') throw workspaceBlocked();
      return role !== null && roleMay(role, scope);
    },
  };
}

// The same whether the workspace exists or not.
const notAMember = () => forbidden('You are not a member of the workspace in X-Workspace-ID.', 'X-Workspace-ID');

/** Asked when a scope is: a person must still be able to sign in and switch to another workspace. */
export const workspaceBlocked = () => forbidden('This workspace is blocked. Contact the operator of this service.');
