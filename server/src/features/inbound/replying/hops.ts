/**
 * Two programs that answer each other's answers would do so for ever, and each answer is a new message that no server
 * counts. So an answer says how many answers came before it, signed: a number of somebody else counts as none.
 */
import { isMacOf, macOf } from '#platform/crypto/mac.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';

export const HOPS_HEADER = 'X-Posthorn-Hops';
export const HOPS_MAX = 5;

const MAC_BYTES = 16;

export function hopsValue(secrets: Secrets, hops: number): string {
  return `${hops} ${macOf(secrets.key('inbound hops'), String(hops), MAC_BYTES).toString('hex')}`;
}

/** The answers that came before this message; 0 when it does not say so, or nobody of us has said it. */
export function readHops(secrets: Secrets, headers: readonly { name: string; value: string }[]): number {
  const field = headers.find(({ name }) => name.toLowerCase() === HOPS_HEADER.toLowerCase());
  const [, hops, mac] = /^(\d{1,3}) ([0-9a-f]{32})$/.exec(field?.value ?? '') ?? [];
  if (hops === undefined || mac === undefined) return 0;
  return isMacOf(secrets.key('inbound hops'), hops, Buffer.from(mac, 'hex')) ? Number(hops) : 0;
}
