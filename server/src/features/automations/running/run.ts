import type { Place } from './interpret.ts';

/** A run that is at a step, with what its step needs. */
export interface DueRun extends Place {
  runId: string;
  automationId: string;
  version: number;
  email: string;
  newsletterId: string | null;
  payload: Record<string, unknown>;
  correlation: string | null;
  isTest: boolean;
  sandbox: boolean;
  /** The place of the record of its step. */
  position: number;
  attempts: number;
  failingSince: Date | null;
  /** The call that was under way. */
  lease: string | null;
  /** Its automation lets it go on, and so does its workspace. */
  mayGoOn: boolean;
  isWorkspaceActive: boolean;
  /** By the clock of the database. */
  now: Date;
}

export interface StepRecord {
  position: number;
  key: string;
  type: string;
  status: 'waiting' | 'completed' | 'failed' | 'skipped';
  completedAt: Date | null;
  output: Record<string, unknown> | null;
  error: string | null;
}

/** Where a run is after a turn. */
export interface NextPlace {
  step: string;
  position: number;
  kind: 'due' | 'event';
  dueAt: Date;
  isWaiting: boolean;
  awaits: string | null;
  attempts: number;
  failingSince: Date | null;
  lease: string | null;
}

/** The result of a turn: the records of the steps, and either the next place or the end. */
export interface Turn {
  run: DueRun;
  records: StepRecord[];
  next: NextPlace | { status: 'completed' | 'exited' | 'failed'; reason: string | null };
}
