/**
 * The return path of one email: an address only we can make, so that whatever comes back to it names the email and the
 * text of what comes back does not have to be believed.
 */
import { formatSignedIds, parseSignedIds } from './signed-ids.ts';

/** Which email a return path belongs to; ids as UUIDs in lower case. */
export interface ReturnPathOf {
  workspaceId: string;
  emailId: string;
}

const VERSION = 'b';

/** The local part of an email's return path: 64 characters of `a` to `z` and `2` to `7`, the same every time. */
export const formatVerp = ({ workspaceId, emailId }: ReturnPathOf, key: Buffer): string =>
  formatSignedIds(VERSION, [workspaceId, emailId], key);

/** The email a local part names, in any case of its letters; null when we did not make it under this key. */
export function parseVerp(localPart: string, key: Buffer): ReturnPathOf | null {
  const ids = parseSignedIds(VERSION, localPart, key);
  return ids === null ? null : { workspaceId: ids[0], emailId: ids[1] };
}
