import type { Secrets } from '#platform/crypto/secrets.ts';
import { readToken, signToken } from '#platform/crypto/signed-bytes.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/** Workspace (16 bytes), export (16), the second of its end (4). */
const FORM = { macBytes: 32, payloadBytes: 36 };

const keyOf = (secrets: Secrets): Buffer => secrets.key('export file');

/** The right to fetch one file until the link expires, for everybody who has the link. */
export function signFileLink(secrets: Secrets, claims: { workspaceId: string; exportId: string; until: Date }): string {
  const end = Buffer.alloc(4);
  end.writeUInt32BE(Math.floor(claims.until.getTime() / 1_000));
  const payload = Buffer.concat([idToBytes(claims.workspaceId), idToBytes(claims.exportId), end]);
  return signToken(keyOf(secrets), payload, FORM);
}

/** Undefined: the link is not ours, was changed, or has expired. */
export function readFileLink(
  secrets: Secrets,
  token: string,
  now: Date,
): { workspaceId: string; exportId: string } | undefined {
  const claims = readToken(keyOf(secrets), token, FORM);
  if (claims === undefined || claims.readUInt32BE(32) * 1_000 < now.getTime()) return undefined;
  return { workspaceId: idFromBytes(claims), exportId: idFromBytes(claims, 16) };
}
