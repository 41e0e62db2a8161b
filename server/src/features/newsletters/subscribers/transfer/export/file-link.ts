import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/** Workspace (16 bytes), export (16), seconds of its end (4), MAC (32). */
const CLAIMS_BYTES = 36;
const TOKEN_BYTES = CLAIMS_BYTES + 32;

const macOf = (secrets: Secrets, claims: Buffer): Buffer =>
  createHmac('sha256', secrets.key('export file')).update(claims).digest();

/** The right to fetch one file until it runs out, for whoever holds the link. */
export function signFileLink(secrets: Secrets, claims: { workspaceId: string; exportId: string; until: Date }): string {
  const end = Buffer.alloc(4);
  end.writeUInt32BE(Math.floor(claims.until.getTime() / 1_000));
  const bytes = Buffer.concat([idToBytes(claims.workspaceId), idToBytes(claims.exportId), end]);
  return Buffer.concat([bytes, macOf(secrets, bytes)]).toString('base64url');
}

/** Undefined: it is not ours, was changed, or has run out. */
export function readFileLink(
  secrets: Secrets,
  token: string,
  now: Date,
): { workspaceId: string; exportId: string } | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return undefined;
  const claims = bytes.subarray(0, CLAIMS_BYTES);
  if (!timingSafeEqual(macOf(secrets, claims), bytes.subarray(CLAIMS_BYTES))) return undefined;
  if (claims.readUInt32BE(32) * 1_000 < now.getTime()) return undefined;
  return { workspaceId: idFromBytes(claims), exportId: idFromBytes(claims, 16) };
}
