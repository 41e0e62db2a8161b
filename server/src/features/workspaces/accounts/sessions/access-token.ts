import { createHash } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { readClaims, signClaims } from '#platform/crypto/signed-claims.ts';
import { isUuid } from '#platform/ids.ts';

/**
 * Access tokens of the dashboard: compact JWTs, HS256 with a key of their own, 15 minutes. They name the user, the
 * session and the active workspace, and grant nothing by themselves: session and membership are read at every request.
 */
const ACCESS_SECONDS = 900;
const TYPE = 'at+jwt'; // RFC 9068 §2.1
const ISSUER = 'posthorn';
const AUDIENCE = 'posthorn-dashboard';
// Servers of one installation may differ by this much.
const CLOCK_TOLERANCE_SECONDS = 5;

export interface AccessClaims {
  userId: string;
  sessionId: string;
  workspaceId: string | null;
}

const signingKey = (secrets: Secrets): { key: Buffer; kid: string } => {
  const key = secrets.key('dashboard-access');
  return { key, kid: createHash('sha256').update(key).digest('hex').slice(0, 8) };
};

export async function signAccessToken(secrets: Secrets, claims: AccessClaims, now: Date): Promise<string> {
  const { key, kid } = signingKey(secrets);
  const issuedAt = Math.floor(now.getTime() / 1_000);
  return signClaims(
    key,
    { kid, typ: TYPE },
    {
      sid: claims.sessionId,
      ...(claims.workspaceId === null ? {} : { wid: claims.workspaceId }),
      iss: ISSUER,
      aud: AUDIENCE,
      sub: claims.userId,
      iat: issuedAt,
      exp: issuedAt + ACCESS_SECONDS,
    },
  );
}

/** The claims of a token that we signed, for this purpose, and that has not expired; undefined for anything else. */
export async function readAccessToken(secrets: Secrets, token: string, now: Date): Promise<AccessClaims | undefined> {
  const { key, kid } = signingKey(secrets);
  const claims = await readClaims(token, (name) => (name === kid ? key : undefined), {
    typ: TYPE,
    issuer: ISSUER,
    audience: AUDIENCE,
    requiredClaims: ['sub', 'exp', 'iat'],
    maxTokenAge: ACCESS_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: now,
  });
  if (claims === undefined || typeof claims.aud !== 'string') return undefined;
  const { sub, sid, wid } = claims;
  if (typeof sub !== 'string' || !isUuid(sub) || typeof sid !== 'string' || !isUuid(sid)) return undefined;
  if (wid !== undefined && (typeof wid !== 'string' || !isUuid(wid))) return undefined;
  return { userId: sub, sessionId: sid, workspaceId: wid ?? null };
}
