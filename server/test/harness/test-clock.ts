import { abortable, type Clock, type Timer } from '#platform/clock.ts';

/**
 * A clock that a test can move. It runs unless it is `held`; then time stands still, and only `advance` moves it. A
 * sleep or timer wakes when its time has come, by itself or because the clock was advanced past it.
 */
export interface TestClock extends Clock {
  /**
   * Moves time, and then calls every timer whose time has come, earliest first; an interval is called once. As in a
   * process that stood still for so long. Backwards it moves the wall clock only.
   */
  advance(ms: number): void;
  /** Puts the wall clock at `instant`; forward, `monotonicMs` and the timers move by as much. */
  set(instant: Date): void;
  /** Resolves as soon as something waits for exactly so long; `advance` then ends that wait. */
  untilWaiting(ms: number): Promise<void>;
}

interface Waiting {
  ms: number;
  dueMs: number;
  repeats: boolean;
  keepsAlive: boolean;
  act: () => void;
  real?: NodeJS.Timeout | undefined;
}

export function createTestClock({ held = false, at }: { held?: boolean; at?: Date } = {}): TestClock {
  const startedAt = Date.now();
  const startedMs = held ? 1_000 : performance.now(); // whole numbers, so that their sums are exact
  let wallOffsetMs = at === undefined ? 0 : at.getTime() - startedAt;
  let offsetMs = 0;
  const waiting = new Set<Waiting>();
  let watchers: { ms: number; resolve: () => void }[] = [];

  const monotonicMs = (): number => (held ? startedMs : performance.now()) + offsetMs;
  const now = (): number => (held ? startedAt : Date.now()) + wallOffsetMs;

  const arm = (one: Waiting): void => {
    clearTimeout(one.real);
    if (held) return;
    one.real = setTimeout(() => fire(one), Math.max(0, one.dueMs - monotonicMs()));
    if (!one.keepsAlive) one.real.unref();
  };
  const fire = (one: Waiting): void => {
    if (!waiting.has(one)) return; // one that fired before it has cancelled it
    if (one.repeats) {
      one.dueMs = monotonicMs() + one.ms;
      arm(one);
    } else cancel(one);
    one.act();
  };
  const cancel = (one: Waiting): void => {
    clearTimeout(one.real);
    waiting.delete(one);
  };
  const wait = (ms: number, act: () => void, how: Pick<Waiting, 'repeats' | 'keepsAlive'>): Waiting => {
    const one: Waiting = { ms, dueMs: monotonicMs() + ms, act, ...how };
    waiting.add(one);
    arm(one);
    for (const watcher of watchers) if (watcher.ms === ms) watcher.resolve();
    watchers = watchers.filter((watcher) => watcher.ms !== ms);
    return one;
  };
  const timerOf = (one: Waiting): Timer => ({ cancel: () => cancel(one) });
  const move = (wallMs: number): void => {
    wallOffsetMs += wallMs;
    offsetMs += Math.max(0, wallMs);
    const due = [...waiting].filter((one) => one.dueMs <= monotonicMs());
    for (const one of due.toSorted((a, b) => a.dueMs - b.dueMs)) fire(one);
    for (const one of waiting) arm(one);
  };

  return {
    now: () => new Date(now()),
    monotonicMs,
    sleep: (ms, signal) => abortable((end) => wait(ms, end, { repeats: false, keepsAlive: true }), cancel, signal),
    timer: (ms, act) => timerOf(wait(ms, act, { repeats: false, keepsAlive: false })),
    interval: (ms, act) => timerOf(wait(ms, act, { repeats: true, keepsAlive: false })),
    advance: move,
    set: (instant) => move(instant.getTime() - now()),
    untilWaiting: (ms) =>
      new Promise((resolve) => {
        if ([...waiting].some((one) => one.ms === ms)) resolve();
        else watchers.push({ ms, resolve });
      }),
  };
}
