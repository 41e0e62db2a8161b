import type { Step } from '../automation.ts';
import type { Facts } from './facts.ts';
import { type Effect, interpret, type Place, stepAt } from './interpret.ts';
import type { DueRun, NextPlace, StepRecord, Turn } from './run.ts';

/** A run as far as it goes without doing anything: to a wait, to its end, or to an effect. */
export interface Walk extends Turn {
  /** The effect that stands at its end, and the step behind it; null: there is none. */
  effect: { does: Effect; step: Step; position: number; go: string | null } | null;
}

/** Waits of a test pass at once. */
export async function walk(run: DueRun, steps: readonly Step[], facts: Facts): Promise<Walk> {
  const { now } = run;
  const records: StepRecord[] = [];
  let place: Place = run;
  let { position } = run;
  for (;;) {
    const { step } = stepAt(steps, place.step);
    let outcome = await interpret(steps, place, facts, now);
    if (outcome.is === 'waits' && run.isTest) {
      outcome = await interpret(steps, { ...place, isWaiting: true, heard: null }, facts, now);
    }
    const record = recordOf(step, position, now);
    switch (outcome.is) {
      case 'passed':
        records.push({ ...record, output: outcome.output });
        if (outcome.go === null) return { run, records, next: COMPLETED, effect: null };
        place = { step: outcome.go, isWaiting: false, heard: null };
        position += 1;
        break;
      case 'waits': {
        records.push({ ...record, status: 'waiting', completedAt: null });
        const wait = { dueAt: outcome.until, isWaiting: true, awaits: outcome.event };
        const kind = outcome.event === null ? 'due' : 'event';
        return { run, records, next: { ...placeAt(step.key, position, now), ...wait, kind }, effect: null };
      }
      case 'does':
        return {
          run,
          records,
          next: placeAt(step.key, position, now),
          effect: { does: outcome.effect, step, position, go: outcome.go },
        };
      case 'ends': {
        const isLeft = outcome.status === 'exited';
        records.push({ ...record, status: isLeft ? 'skipped' : 'completed' });
        return { run, records, next: { status: outcome.status, reason: outcome.reason }, effect: null };
      }
    }
  }
}

const COMPLETED = { status: 'completed', reason: null } as const;

const recordOf = ({ key, type }: Step, position: number, now: Date): StepRecord => ({
  position,
  key,
  type,
  status: 'completed',
  completedAt: now,
  output: null,
  error: null,
});

const placeAt = (step: string, position: number, dueAt: Date): NextPlace => ({
  step,
  position,
  kind: 'due',
  dueAt,
  isWaiting: false,
  awaits: null,
  attempts: 0,
  failingSince: null,
  lease: null,
});

/** The turn of a run whose effect was carried out. */
export function withSuccess({ run, records, effect }: Walk, output: Record<string, unknown>, skipped = false): Turn {
  if (effect === null) throw new Error('a run without an effect cannot have carried it out');
  const { step, position, go } = effect;
  const record = { ...recordOf(step, position, run.now), output };
  return {
    run,
    records: [...records, skipped ? { ...record, status: 'skipped' } : record],
    next: go === null ? COMPLETED : placeAt(go, position + 1, run.now),
  };
}

/** The turn of a run that leaves before its effect. */
export function withExit({ run, records, effect }: Walk, reason: string): Turn {
  if (effect === null) throw new Error('a run without an effect cannot leave before it');
  const record: StepRecord = { ...recordOf(effect.step, effect.position, run.now), status: 'skipped' };
  return { run, records: [...records, record], next: { status: 'exited', reason } };
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;
/** So long a step is tried, as an email is handed over. */
const TRIED_MS = 86_400_000;

/**
 * The turn of a run whose effect has failed: tried again after 5 s, then twice as late each time, an hour at most and
 * for a day; after that, or at once when trying again is of no use, as the step says.
 */
export function withFailure({ run, records, effect }: Walk, error: string, isFinal: boolean): Turn {
  if (effect === null) throw new Error('a run without an effect cannot have failed at it');
  const { step, position, go } = effect;
  const { now, attempts } = run;
  const failingSince = run.failingSince ?? now;
  const record = { ...recordOf(step, position, now), error };
  if (!isFinal && now.getTime() - failingSince.getTime() < TRIED_MS) {
    const dueAt = new Date(now.getTime() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts, 12)));
    return {
      run,
      records: [...records, { ...record, status: 'waiting', completedAt: null }],
      next: { ...placeAt(step.key, position, dueAt), attempts: attempts + 1, failingSince },
    };
  }
  const failed = [...records, { ...record, status: 'failed' as const }];
  if (step.on_error !== 'continue') return { run, records: failed, next: { status: 'failed', reason: step.key } };
  return { run, records: failed, next: go === null ? COMPLETED : placeAt(go, position + 1, now) };
}
