import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { periodic } from '#platform/periodic.ts';
import { applyProviderEvents } from './apply-provider-events.ts';
import { retireStaleEvents } from './queries/lock-waiting-events.ts';

/** Idle poll: what an event may wait before anybody sees it, against two statements a second on an idle database. */
const POLL_MS = 500;
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
  let retiredAt = 0;

  const applyDue = async (goOn: () => boolean): Promise<number> => {
    let sum = 0;
    for (;;) {
      const { applied, full } = await applyProviderEvents(options.db);
      sum += applied;
      if (!full || !goOn()) break;
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

  const service = periodic({
    name: 'feedback',
    everyMs: POLL_MS,
    log: options.log,
    failure: 'provider events could not be applied; trying again',
    async work(goOn) {
      await applyDue(goOn);
      await retire();
    },
  });
  return { ...service, moments, runOnce: () => applyDue(() => true) };
}
