import type { Clock } from '#platform/clock.ts';

/** A clock that runs, and that a test can move. */
export interface TestClock extends Clock {
  advance(ms: number): void;
  set(instant: Date): void;
}

export function createTestClock(): TestClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    monotonicMs: () => performance.now() + offsetMs,
    advance(ms) {
      offsetMs += ms;
    },
    set(instant) {
      offsetMs = instant.getTime() - Date.now();
    },
  };
}
