import { readToken, signToken } from '#platform/crypto/signed-bytes.ts';
import type { Ctx } from '#platform/http/context.ts';
import { idFromBytes, idToBytes } from '#platform/ids.ts';

/** Workspace (16 bytes), message (16), number of the file (2; 0 is the whole message), the second of its end (4). */
const FORM = { macBytes: 32, payloadBytes: 38 };
/** Longer than a delivery is tried again. */
const VALID_MS = 7 * 86_400_000;
const PURPOSE = 'inbound file';

export interface LinkedFile {
  workspaceId: string;
  id: string;
  /** From 1; 0 is the message itself. */
  file: number;
}

/** The right to fetch one file, for everybody who has the link: receivers of webhooks have no key. */
export function fileLink(
  { secrets, clock, settings }: Pick<Ctx, 'secrets' | 'clock' | 'settings'>,
  { workspaceId, id, file }: LinkedFile,
): { url: string; expiresAt: string } {
  const expiresAt = new Date(Math.floor((clock.now().getTime() + VALID_MS) / 1_000) * 1_000);
  const rest = Buffer.alloc(6);
  rest.writeUInt16BE(file);
  rest.writeUInt32BE(expiresAt.getTime() / 1_000, 2);
  const payload = Buffer.concat([idToBytes(workspaceId), idToBytes(id), rest]);
  const token = signToken(secrets.key(PURPOSE), payload, FORM);
  return { url: `${settings.publicUrl}/v1/inbound-files/${token}`, expiresAt: expiresAt.toISOString() };
}

/** Undefined: the link is not ours, was changed, or has expired. */
export function readFileLink(
  { secrets, clock }: Pick<Ctx, 'secrets' | 'clock'>,
  token: string,
): LinkedFile | undefined {
  const claims = readToken(secrets.key(PURPOSE), token, FORM);
  if (claims === undefined || claims.readUInt32BE(34) * 1_000 < clock.now().getTime()) return undefined;
  return { workspaceId: idFromBytes(claims), id: idFromBytes(claims, 16), file: claims.readUInt16BE(32) };
}
