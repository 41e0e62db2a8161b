import { parseVerp, type ReturnPathOf } from '#mail/returned/verp.ts';

/** Where the feedback loops of mailbox providers are told to report to; everything else there is refused. */
export const FEEDBACK_LOCAL_PART = 'feedback';

// With its @, as in Return-Path: base64 of a picture does not have one.
const CANDIDATE = /\bb[a-z2-7]{63}(?=@)/gi;
const CANDIDATES_MAX = 20;

/** The email an address of the bounce domain belongs to; null when we never made that address. */
export function emailOfAddress(address: string, key: Buffer): ReturnPathOf | null {
  return parseVerp(address.slice(0, address.lastIndexOf('@')), key);
}

/**
 * The email whose return path a feedback report carries, in Original-Mail-From or in the header section it returns;
 * null when there is none of ours in it, or several.
 */
export function emailOfReport(raw: Buffer, key: Buffer): ReturnPathOf | null {
  const found = new Map<string, ReturnPathOf>();
  let looked = 0;
  for (const [local] of raw.toString('latin1').matchAll(CANDIDATE)) {
    const email = parseVerp(local, key);
    if (email !== null) found.set(`${email.workspaceId} ${email.emailId}`, email);
    looked += 1;
    if (looked === CANDIDATES_MAX) break;
  }
  const [only, ...others] = found.values();
  return only !== undefined && others.length === 0 ? only : null;
}
