import type { Clock } from '#platform/clock.ts';
import type { Service } from '#platform/lifecycle.ts';
import { Moment } from '#platform/moments.ts';
import { loop } from '#platform/work/loop.ts';
import { RememberedStart } from '#platform/work/remembered-start.ts';
import { applyProviderEvents } from './apply-provider-events.ts';
import { type NotificationWork, processNotifications } from './notifications/process-notifications.ts';
import { findWork, type FoundWork } from './notifications/queries.ts';
import { retireStaleEvents } from './queries/lock-waiting-events.ts';
import { type PausedMail, pauseUnhealthy } from './suppressing/bulk-health.ts';
import { feedbackWork } from './work-signal.ts';

/** Idle poll, one statement: how long work of another process may wait before anybody sees it. */
const POLL_MS = 500;
/** Between rounds of a burst: what comes meanwhile shares the statements of one round. */
const REST_MS = 20;
const STALE_HOURS = 24;
const RETIRE_EVERY_MS = 600_000;

export interface FeedbackWork extends NotificationWork {
  clock: Clock;
  /** About a bulk send that was paused behind a round. */
  pausedMail?: PausedMail;
  /** Mails about the domains that refuse the mail of a workspace, as rounds have noted them. */
  tellRefused?(): Promise<void>;
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
  const starts = { notifications: new RememberedStart(clock), events: new RememberedStart(clock) };
  const work = { ...options, eventsFrom: starts.events, starts };
  const round = (goOn: () => boolean): Promise<number> => runRound(work, moments, goOn);
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
  const runOnce = (): Promise<number> => {
    for (const start of Object.values(starts)) start.forget();
    return round(() => true);
  };
  let off: (() => void) | undefined;
  return {
    ...service,
    async start() {
      off ??= feedbackWork.hear(({ earliestAt }) => {
        if (earliestAt !== undefined) starts.events.lowerTo(earliestAt);
      });
      await service.start();
    },
    async stop() {
      await service.stop();
      off?.();
      off = undefined;
    },
    moments,
    runOnce,
  };
}

type Moments = FeedbackService['moments'];

/** Of one process. */
interface Round extends FeedbackWork {
  starts: { notifications: RememberedStart; events: RememberedStart };
}

/** Returns how many events were applied. */
async function runRound(work: Round, moments: Moments, goOn: () => boolean): Promise<number> {
  const { notifications, events } = work.starts;
  const from = { notifications: notifications.from, events: events.from };
  const due = await findWork(work.db, from);
  const applied = await doDue(work, moments, goOn, { due, from });
  // The finds of a process that died before it told or paused; last, as behind each page.
  if (due.alarms) await work.tellRefused?.();
  if (due.pauses) await pauseUnhealthy(work.db, work.pausedMail);
  return applied;
}

type Due = { due: FoundWork; from: { notifications: Date | null; events: Date | null } };

async function doDue(work: Round, moments: Moments, goOn: () => boolean, { due, from }: Due): Promise<number> {
  const { notifications, events } = work.starts;
  const { settledAt } = due;
  const applied = due.notifications ? await readDue(work, moments, goOn, settledAt) : 0;
  if (!due.notifications) notifications.seenUpTo(settledAt, from.notifications);
  if (due.notifications || due.events) return applyDue(work, moments, goOn, { before: applied, settledAt });
  events.seenUpTo(settledAt, from.events);
  return 0;
}

async function readDue(work: Round, moments: Moments, goOn: () => boolean, settledAt: Date): Promise<number> {
  let sum = 0;
  let applied = 0;
  for (;;) {
    const { notifications } = work.starts;
    const { from } = notifications;
    const { seen, full, lastAt } = await processNotifications(work, from);
    notifications.seenUpTo(full && lastAt !== null ? lastAt : settledAt, from);
    sum += seen;
    if (!full || !goOn()) break;
    // A long queue of notifications must not keep what they say from taking effect.
    applied += (await applyPage(work, settledAt)).applied;
  }
  if (sum > 0) moments.processed.occur(sum);
  return applied;
}

async function applyDue(
  work: Round,
  moments: Moments,
  goOn: () => boolean,
  { before, settledAt }: { before: number; settledAt: Date },
): Promise<number> {
  let sum = before;
  for (;;) {
    const { applied, full } = await applyPage(work, settledAt);
    sum += applied;
    if (!full || !goOn()) break;
  }
  if (sum > 0) moments.applied.occur(sum);
  return sum;
}

async function applyPage(work: Round, settledAt: Date): Promise<{ applied: number; full: boolean }> {
  const { events } = work.starts;
  const { from } = events;
  const { unhealthy, refused, alarms, lastAt, ...page } = await applyProviderEvents(work.db, from);
  events.seenUpTo(page.full && lastAt !== null ? lastAt : settledAt, from);
  if (refused > 0) work.onRefused?.(refused);
  if (alarms > 0) await work.tellRefused?.();
  // Last: a pause may fail, and what is committed is told nevertheless.
  if (unhealthy > 0) await pauseUnhealthy(work.db, work.pausedMail);
  return page;
}

async function retire({ db, log }: FeedbackWork, moments: Moments): Promise<void> {
  const retired = await retireStaleEvents(db, STALE_HOURS);
  moments.retired.occur(retired);
  if (retired > 0) log.warn({ retired }, 'provider events that fit no email sent by us were given up');
}
