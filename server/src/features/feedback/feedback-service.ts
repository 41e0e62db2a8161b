import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { applyProviderEvents } from './apply-provider-events.ts';
import { retireStaleEvents } from './queries/lock-waiting-events.ts';

/** Idle poll: what an event may wait before anybody sees it, against two statements a second on an idle database. */
const POLL_MS = 500;
const AFTER_ERROR_MS = 1_000;
const STALE_HOURS = 24;
const RETIRE_EVERY_MS = 600_000;

export interface FeedbackService extends Service {
  /** Applies everything that is due; returns how many events. */
  runOnce(): Promise<number>;
  readonly moments: { applied: Moment<number>; retired: Moment<number> };
}

/** Applies provider events as they become due. Any number of processes may run one: they share the work. */
export function feedbackService(options: { db: Db; log: Log }): FeedbackService {
  const moments = { applied: new Moment<number>(), retired: new Moment<number>() };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = true;
  let stopping = false;
  let retiredAt = 0;

  const runOnce = async (): Promise<number> => {
    let sum = 0;
    for (;;) {
      const { applied, full } = await applyProviderEvents(options.db);
      sum += applied;
      if (!full || stopping) break;
    }
    if (sum > 0) moments.applied.announce(sum);
    return sum;
  };

  const retire = async (): Promise<void> => {
    if (performance.now() - retiredAt < RETIRE_EVERY_MS && retiredAt !== 0) return;
    retiredAt = performance.now();
    const retired = await retireStaleEvents(options.db, STALE_HOURS);
    moments.retired.announce(retired);
    if (retired > 0) options.log.warn({ retired }, 'provider events that fit no email sent by us were given up');
  };

  const round = async (): Promise<void> => {
    let wait = POLL_MS;
    try {
      await runOnce();
      await retire();
    } catch (error) {
      options.log.warn({ err: error }, 'provider events could not be applied; trying again');
      wait = AFTER_ERROR_MS;
    }
    if (!stopped) timer = setTimeout(next, wait);
  };
  const next = (): void => {
    running = round();
  };

  return {
    name: 'feedback',
    moments,
    runOnce,
    async start() {
      if (!stopped) return;
      stopped = false;
      stopping = false;
      next();
    },
    async stop() {
      stopped = true;
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
