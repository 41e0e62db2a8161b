import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';

/** Requests a second that are kept of one workspace, in each of two classes: answered well, and refused or failed. */
export const PER_SECOND = 25;
/** So many may come at once. */
export const BURST = 250;
const WORKSPACES_MAX = 2_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface FloodGuard {
  /** False: this request is passed over. */
  admits(workspaceId: string, failed: boolean): boolean;
}

/**
 * A busy workspace fills neither the disk nor the time of the process with its log. Failures have a share of their own,
 * so that thousands of good requests do not hide the one that is looked for.
 */
export function createFloodGuard(clock: Clock): FloodGuard {
  const buckets = new LRUCache<string, Bucket>({ max: WORKSPACES_MAX });
  return {
    admits(workspaceId, failed) {
      const name = `${failed ? 'failed' : 'good'} ${workspaceId}`;
      const nowMs = clock.monotonicMs();
      const bucket = buckets.get(name) ?? { tokens: BURST, atMs: nowMs };
      bucket.tokens = Math.min(BURST, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * PER_SECOND);
      bucket.atMs = nowMs;
      buckets.set(name, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
