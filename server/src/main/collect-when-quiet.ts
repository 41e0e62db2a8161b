import { performance } from 'node:perf_hooks';
import type { Clock } from '#platform/clock.ts';

/** After the services have made their first rounds, and often enough that a first pause of work is found. */
const LOOK_EVERY_MS = 2_000;
/** An idle process is at 0.01 to 0.05. */
const QUIET_SHARE = 0.2;

export interface Collecting {
  clock: Clock;
  /** Frees all memory that nothing refers to, which takes 0.1 s; undefined: node gives no such function. */
  collect: (() => void) | undefined;
  /** The share of its time since the call before that this thread was busy. */
  busyShare?: () => number;
}

/**
 * Frees, once, what the start has left behind: source text, parsed and compiled, of 2,800 modules. V8 does so when the
 * heap has grown by 40 %, which it never does in a process that waits for work: about 20 MB would stay for good.
 * It is done in a moment without work, because nothing else runs meanwhile.
 *
 * Only where `--expose-gc` is among the flags (`scripts/node-memory.json`): a process with one role is there for its
 * speed, and keeps 32 MB of young memory anyway.
 */
export function collectWhenQuiet({ clock, collect, busyShare = busyShareOfThread() }: Collecting): void {
  if (collect === undefined) return;
  const looks = clock.interval(LOOK_EVERY_MS, () => {
    if (busyShare() > QUIET_SHARE) return;
    looks.cancel();
    collect();
  });
}

function busyShareOfThread(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
