import type { Secrets } from '#platform/crypto/secrets.ts';
import { fromBase64url } from '#platform/crypto/signed-bytes.ts';

/** For how long a link works. */
export const SHARED_DAYS = 14;
export const DAY_MS = 86_400_000;

const PURPOSE = 'shared records of a domain';
const ID_BYTES = 16;
const PAYLOAD_BYTES = ID_BYTES * 2 + 8;
/** Nonce and tag of the seal. */
const SEAL_BYTES = 28;

export interface SharedDomain {
  workspaceId: string;
  id: string;
  expiresAt: Date;
}

/** When a link was made. */
export const sharedAt = ({ expiresAt }: Pick<SharedDomain, 'expiresAt'>): Date =>
  new Date(expiresAt.getTime() - SHARED_DAYS * DAY_MS);

/**
 * Everything a link says, encrypted and authenticated: whoever has it learns nothing of the workspace, and nobody else
 * can make one. The master secret alone opens it.
 */
export function shareToken(secrets: Secrets, { workspaceId, id, expiresAt }: SharedDomain): string {
  const expiry = Buffer.alloc(8);
  expiry.writeDoubleBE(expiresAt.getTime());
  return secrets.seal(PURPOSE, Buffer.concat([bytesOf(workspaceId), bytesOf(id), expiry])).toString('base64url');
}

/** Undefined for what `shareToken` did not make, and for a link that has expired. */
export function readShareToken(secrets: Secrets, token: string, now: Date): SharedDomain | undefined {
  const sealed = fromBase64url(token);
  if (sealed === undefined || sealed.length !== PAYLOAD_BYTES + SEAL_BYTES) return undefined;
  const payload = opened(secrets, sealed);
  if (payload === undefined) return undefined;
  const expiresAt = new Date(payload.readDoubleBE(ID_BYTES * 2));
  if (expiresAt <= now) return undefined;
  return { workspaceId: uuidOf(payload.subarray(0, ID_BYTES)), id: uuidOf(payload.subarray(ID_BYTES)), expiresAt };
}

function opened(secrets: Secrets, sealed: Buffer): Buffer | undefined {
  try {
    return secrets.open(PURPOSE, sealed);
  } catch {
    return undefined; // changed, or of another installation
  }
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex', 0, ID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
