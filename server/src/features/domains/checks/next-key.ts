/** The next DKIM key of a domain in a check: pure, as the state machine. */
import type { Domain, RecordState } from '../domain.ts';
import type { WantedRecord } from '../records/wanted-records.ts';
import { PENDING_EVERY_MS } from './next-state.ts';

/** The selector of the next key when its record is there as it should be. */
export function seenNextSelector(wanted: readonly WantedRecord[], states: readonly RecordState[]): string | undefined {
  const next = wanted.find(({ role }) => role === 'next');
  return states.find(({ key }) => key === next?.key)?.status === 'found' ? next?.selector : undefined;
}

/** The records as they are wanted once the next key signs: that of the former is no longer required. */
export const withNextKey = (wanted: readonly WantedRecord[]): WantedRecord[] =>
  wanted.map((one) => (one.purpose === 'dkim' ? { ...one, required: one.role === 'next' } : one));

/** A next key that is not there yet is looked for as often as the records of a new domain, until its day. */
export function nextCheckWithKey(nextCheckAt: number | null, { furtherKeys }: Domain, nowMs: number): number | null {
  const next = furtherKeys.find(({ role }) => role === 'next');
  if (nextCheckAt === null || next?.until == null || Date.parse(next.until) <= nowMs) return nextCheckAt;
  return Math.min(nextCheckAt, nowMs + PENDING_EVERY_MS);
}
