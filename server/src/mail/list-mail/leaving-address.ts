/**
 * The address by which a person leaves a list by mail (RFC 2369): only we can make it, so mail to it needs no other
 * proof, whoever it says it is from.
 */
import { formatSignedIds, parseSignedIds } from '../returned/signed-ids.ts';

/** Of return paths it is another letter, so neither is taken for the other. */
const VERSION = 'u';

export interface LeavingPerson {
  workspaceId: string;
  personId: string;
}

/** The local part: 64 characters, the same every time. */
export const formatLeavingAddress = ({ workspaceId, personId }: LeavingPerson, key: Buffer): string =>
  formatSignedIds(VERSION, [workspaceId, personId], key);

/** The person that a local part names, in any case of its letters; null when we did not make it under this key. */
export function parseLeavingAddress(localPart: string, key: Buffer): LeavingPerson | null {
  const ids = parseSignedIds(VERSION, localPart, key);
  return ids === null ? null : { workspaceId: ids[0], personId: ids[1] };
}
