import type { StepRecord } from '../running/run.ts';
import type { ShownRun } from './queries.ts';

export const runView = (run: ShownRun) => ({
  id: run.id,
  automation_id: run.automationId,
  version: run.version,
  email: run.email,
  newsletter_id: run.newsletterId,
  correlation: run.correlation,
  status: run.status,
  reason: run.reason,
  test: run.isTest,
  step: run.step,
  waits_for: run.awaits,
  next_at: run.dueAt,
  held: run.isHeld === true,
  started_at: run.startedAt,
  ended_at: run.endedAt,
});

export const runWithSteps = (run: ShownRun, steps: readonly (StepRecord & { startedAt: Date })[]) => ({
  ...runView(run),
  payload: run.payload,
  steps: steps.map(({ key, type, status, startedAt, completedAt, output, error }) => ({
    key,
    type,
    status,
    started_at: startedAt,
    completed_at: completedAt,
    output,
    error,
  })),
});
