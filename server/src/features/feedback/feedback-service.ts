import type { Clock } from '#platform/clock.ts';
import type { Service } from '#platform/lifecycle.ts';
import { Moment } from '#platform/moments.ts';
import { loop } from '#platform/work/loop.ts';
import { applyProviderEvents } from './apply-provider-events.ts';
import { type NotificationWork, processNotifications } from './notifications/process-notifications.ts';
import { findWork } from './notifications/queries.ts';
import { retireStaleEvents } from './queries/lock-waiting-events.ts';
import type { PausedBulk } from './suppressing/bulk-health.ts';
import type { Refusals } from './suppressing/policy-refusals-queries.ts';
import { feedbackWork } from './work-signal.ts';

/** Idle poll, one statement: how long work of another process may wait before anybody sees it. */
const POLL_MS = 500;
/** Between rounds of a burst: what comes meanwhile shares the statements of one round. */
const REST_MS = 20;
const STALE_HOURS = 24;
const RETIRE_EVERY_MS = 600_000;

export interface FeedbackWork extends NotificationWork {
  clock: Clock;
  /** Hears of the bulk sends that a round stopped, once that is committed. Must not fail. */
  tellPaused?(paused: readonly PausedBulk[]): Promise<void>;
  /** Hears of the domains that refuse the mail of a workspace, once the refusals are committed. Must not fail. */
  tellRefused?(alarms: readonly Refusals[]): Promise<void>;
  onRefused?(count: number): void;
}

export interface FeedbackService extends Service {
  /** Reads and applies everything that is due; returns how many events were applied. */
  runOnce(): Promise<number>;
  readonly moments: { processed: Moment<number>; applied: Moment<number>; retired: Moment<number> };
}

/**
 * Reads notifications and applies provider events, at once when this process stored them. Any number of processes may
 * run one: they share the work.
 */
export function feedbackService(options: FeedbackWork): FeedbackService {
  const { clock, log } = options;
  const moments = { processed: new Moment<number>(), applied: new Moment<number>(), retired: new Moment<number>() };
  let retireAtMs = 0;
  const round = (goOn: () => boolean): Promise<number> => runRound(options, moments, goOn);
  const service = loop({
    name: 'feedback',
    everyMs: POLL_MS,
    restMs: REST_MS,
    wokenBy: feedbackWork,
    clock,
    log,
    failure: 'provider events could not be applied; trying again',
    async round(goOn) {
      await round(goOn);
      if (clock.monotonicMs() < retireAtMs) return;
      retireAtMs = clock.monotonicMs() + RETIRE_EVERY_MS;
      await retire(options, moments);
    },
  });
  return { ...service, moments, runOnce: () => round(() => true) };
}

type Moments = FeedbackService['moments'];

/** Returns how many events were applied. */
async function runRound(work: FeedbackWork, moments: Moments, goOn: () => boolean): Promise<number> {
  const due = await findWork(work.db);
  const applied = due.notifications ? await readDue(work, moments, goOn) : 0;
  return due.notifications || due.events ? applyDue(work, moments, goOn, applied) : 0;
}

async function readDue(work: FeedbackWork, moments: Moments, goOn: () => boolean): Promise<number> {
  let sum = 0;
  let applied = 0;
  for (;;) {
    const { seen, full } = await processNotifications(work);
    sum += seen;
    if (!full || !goOn()) break;
    // A long queue of notifications must not keep what they say from taking effect.
    applied += (await applyPage(work)).applied;
  }
  if (sum > 0) moments.processed.occur(sum);
  return applied;
}

async function applyDue(work: FeedbackWork, moments: Moments, goOn: () => boolean, before: number): Promise<number> {
  let sum = before;
  for (;;) {
    const { applied, full } = await applyPage(work);
    sum += applied;
    if (!full || !goOn()) break;
  }
  if (sum > 0) moments.applied.occur(sum);
  return sum;
}

async function applyPage(work: FeedbackWork): Promise<{ applied: number; full: boolean }> {
  const { paused, refused, alarms, ...page } = await applyProviderEvents(work.db);
  if (refused > 0) work.onRefused?.(refused);
  if (paused.length > 0) await work.tellPaused?.(paused);
  if (alarms.length > 0) await work.tellRefused?.(alarms);
  return page;
}

async function retire({ db, log }: FeedbackWork, moments: Moments): Promise<void> {
  const retired = await retireStaleEvents(db, STALE_HOURS);
  moments.retired.occur(retired);
  if (retired > 0) log.warn({ retired }, 'provider events that fit no email sent by us were given up');
}
