import type { Clock } from '../clock.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { Moment } from '../moments.ts';
import { WakeableSleep } from './wakeable-sleep.ts';

export interface LoopOptions<Result = unknown> {
  name: string;
  clock: Clock;
  log: Log;
  /** From the beginning of one round to the beginning of the next. */
  everyMs: number;
  /**
   * One round. Long work asks `goOn` between its pages, and ends early when the service stops: then `stopping` is
   * aborted.
   */
  round(goOn: () => boolean, stopping: AbortSignal): Promise<Result>;
  /** How long there is nothing to do, in place of `everyMs` and counted from the end of the round. */
  waitMs?(result: Result): number;
  /** The log line when rounds begin to fail. One line for each row of failures. */
  failure: string;
  /** After a failure the next round comes after `first`, then twice as late each time; 100 ms and at most `everyMs`. */
  retryMs?: { first?: number; most?: number };
  /** The first round begins at the start; else `everyMs` later, or one to two minutes later where that is sooner. */
  beginsAtOnce?: boolean;
  /** In [0, 1): spreads the first rounds. */
  random?: () => number;
  /** A wake begins a round no sooner than this after the last one ended, so that one round serves many wakes. 0. */
  restMs?: number;
  /** Each of them is a wake, from the start to the stop. */
  wokenBy?: { hear(heard: () => void): () => void };
}

export interface Loop extends Service {
  /**
   * There is work: a round begins soon, and when one is under way another one after it. Nothing while it is stopped.
   */
  wake(): void;
  /** Occurs after every round that did not fail. */
  readonly ended: Moment;
  /** Occurs after every round that failed. */
  readonly failed: Moment<unknown>;
}

const RETRY_FIRST_MS = 100;
/**
 * A process that is restarted each half hour still comes to what is done once an hour. Not sooner, and spread over as
 * long again: a start has enough to do, and many processes may start together.
 */
const FIRST_ROUND_MS = 60_000;

/**
 * Does some work again and again: the one loop of every service. Rounds never overlap. A round that fails is tried
 * again with growing waits, and the log hears of the first failure only. No wake is lost: one that comes during a
 * round begins another. `stop` tells the round under way to end and waits for it.
 */
export function loop<Result>(options: LoopOptions<Result>): Loop {
  const { clock } = options;
  const pause = new WakeableSleep(clock);
  const ended = new Moment();
  const failed = new Moment<unknown>();
  let running: Promise<void> | undefined;
  let stopping = new AbortController();
  let off: (() => void) | undefined;
  const runOnce = roundsOf(options, { ended, failed });

  const run = async (): Promise<void> => {
    const { signal } = stopping;
    if (options.beginsAtOnce !== true) await pause.sleep(firstWaitMs(options));
    while (!signal.aborted) {
      pause.forget(); // the wakes until here are served by this round
      const waitMs = await runOnce(signal);
      const restedMs = clock.monotonicMs() + (options.restMs ?? 0);
      if (waitMs > 0 && !signal.aborted) await pause.sleep(waitMs);
      const restMs = restedMs - clock.monotonicMs();
      if (restMs > 0) await clock.sleep(restMs, signal);
    }
  };

  return {
    name: options.name,
    ended,
    failed,
    async start() {
      if (running !== undefined) return;
      stopping = new AbortController();
      pause.forget();
      off = options.wokenBy?.hear(() => pause.wake());
      running = run();
    },
    wake() {
      if (running !== undefined) pause.wake();
    },
    async stop() {
      stopping.abort();
      off?.();
      pause.wake();
      await running;
      running = undefined;
    },
  };
}

const firstWaitMs = ({ everyMs, random = Math.random }: Pick<LoopOptions, 'everyMs' | 'random'>): number =>
  Math.min(everyMs, FIRST_ROUND_MS * (1 + random()));

/** Runs a round each time it is called, and returns how long to wait for the next one. */
function roundsOf<Result>(
  options: LoopOptions<Result>,
  { ended, failed }: Pick<Loop, 'ended' | 'failed'>,
): (signal: AbortSignal) => Promise<number> {
  const { clock } = options;
  let failures = 0;
  return async (signal) => {
    const begunMs = clock.monotonicMs();
    try {
      const result = await options.round(() => !signal.aborted, signal);
      failures = 0;
      ended.occur();
      return options.waitMs?.(result) ?? begunMs + options.everyMs - clock.monotonicMs();
    } catch (error) {
      failures += 1;
      if (failures === 1) options.log.warn({ err: error }, options.failure);
      failed.occur(error);
      return retryDelay(options, failures);
    }
  };
}

function retryDelay({ everyMs, retryMs = {} }: Pick<LoopOptions, 'everyMs' | 'retryMs'>, failures: number): number {
  const { most = everyMs, first = Math.min(most, RETRY_FIRST_MS) } = retryMs;
  return Math.min(most, first * 2 ** Math.min(failures - 1, 20));
}
