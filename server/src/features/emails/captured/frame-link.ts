import { readToken, signToken } from '#platform/crypto/signed-bytes.ts';
import type { Ctx } from '#platform/http/context.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/** Workspace (16 bytes), captured email (16), the second of its end (4). */
const FORM = { macBytes: 32, payloadBytes: 36 };
const VALID_MS = 3_600_000;

type Signing = Pick<Ctx, 'secrets' | 'clock'>;

/**
 * The right to read the html of one message, for everybody who has the link. A frame sends no headers, and one without
 * an origin has no cookies.
 */
export function framePathOf({ secrets, clock, workspaceId }: Signing & { workspaceId: string }, id: string): string {
  const end = Buffer.alloc(4);
  end.writeUInt32BE(Math.floor((clock.now().getTime() + VALID_MS) / 1_000));
  const payload = Buffer.concat([idToBytes(workspaceId), idToBytes(id), end]);
  return `/v1/captured-emails/${id}/html?token=${signToken(secrets.key('captured html'), payload, FORM)}`;
}

/** Undefined: the link is not ours, was changed, or has expired. */
export function readFrameLink(
  { secrets, clock }: Signing,
  token: string,
): { workspaceId: string; id: string } | undefined {
  const claims = readToken(secrets.key('captured html'), token, FORM);
  if (claims === undefined || claims.readUInt32BE(32) * 1_000 < clock.now().getTime()) return undefined;
  return { workspaceId: idFromBytes(claims), id: idFromBytes(claims, 16) };
}
