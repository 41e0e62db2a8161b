/** Time, injected so that tests can hold it. Nothing else in the process reads a clock. */
export interface Clock {
  now(): Date;
  /** Milliseconds that never jump: for deadlines and durations. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
