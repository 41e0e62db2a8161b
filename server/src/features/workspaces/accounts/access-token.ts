import { createHash } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { isUuid } from '#platform/ids.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';

/**
 * Access tokens of the dashboard: compact JWTs, HS256 with a key of their own, 15 minutes. They name the user, the
 * session and the active workspace, and grant nothing by themselves: session and membership are read at every request.
 */
const ACCESS_SECONDS = 900;
const ALGORITHM = 'HS256';
const TYPE = 'at+jwt'; // RFC 9068 §2.1
const ISSUER = 'posthorn';
const AUDIENCE = 'posthorn-dashboard';
// Servers of one installation may differ by this much.
const CLOCK_TOLERANCE_SECONDS = 5;
const LENGTH_MAX = 1_024;

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
  const payload = { sid: claims.sessionId, ...(claims.workspaceId === null ? {} : { wid: claims.workspaceId }) };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_SECONDS)
    .sign(key);
}

// Decoders forgive padding, the other alphabet and loose last bits; two spellings of one token are one too many.
const isCanonical = (token: string): boolean => {
  const parts = token.split('.');
  return (
    parts.length === 3 &&
    parts.every((part) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part)
  );
};

/** The claims of a token that we signed, for this purpose, and that has not expired; undefined for anything else. */
export async function readAccessToken(secrets: Secrets, token: string, now: Date): Promise<AccessClaims | undefined> {
  if (token.length > LENGTH_MAX || !isCanonical(token)) return undefined;
  const { key, kid } = signingKey(secrets);
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['sub', 'exp', 'iat'],
      maxTokenAge: ACCESS_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: now,
    });
    if (protectedHeader.kid !== kid || typeof payload.aud !== 'string') return undefined;
    const { sub, sid, wid } = payload;
    if (typeof sub !== 'string' || !isUuid(sub) || typeof sid !== 'string' || !isUuid(sid)) return undefined;
    if (wid !== undefined && (typeof wid !== 'string' || !isUuid(wid))) return undefined;
    return { userId: sub, sessionId: sid, workspaceId: wid ?? null };
  } catch {
    // Whatever is wrong with it, the answer is the same; nothing about the cause is told.
    return undefined;
  }
}
