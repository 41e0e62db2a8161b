/** The state machine of a domain: what a check makes of it. Pure; `check-domain.ts` stores the result. */
import type { DkimStatus, RecordState } from '../domain.ts';
import type { WantedRecord } from '../records/wanted-records.ts';

export type Outcome = 'verified' | 'failed' | 'temporary_failure';

export interface Finding {
  outcome: Outcome;
  /** A sentence; null when verified. */
  reason: string | null;
  /** The records are right, and the delivery service has yet to see them. */
  waits?: boolean;
}

/** The required records decide. Doubt is no failure. */
export function findingOf(wanted: readonly WantedRecord[], states: readonly RecordState[]): Finding {
  const required = wanted.flatMap(({ key, required }) => (required ? states.filter((state) => state.key === key) : []));
  const doubtful = required.find(({ status }) => status === 'temporary_failure');
  if (doubtful !== undefined) return { outcome: 'temporary_failure', reason: doubtful.hint };
  const wrong = required.filter(({ status }) => status !== 'found');
  if (wrong.length === 0) return { outcome: 'verified', reason: null };
  return { outcome: 'failed', reason: wrong.map(({ hint }) => hint).join(' ') };
}

/** A domain that sends keeps sending while its signatures verify: a lost SPF record is shown, and stops nothing. */
export function findingOfVerified(wanted: readonly WantedRecord[], states: readonly RecordState[]): Finding {
  return findingOf(
    wanted.map((one) => (one.purpose === 'dkim' ? one : { ...one, required: false })),
    states,
  );
}

/** The part of a domain that checks change. Times are milliseconds. */
export interface CheckedState {
  status: DkimStatus;
  sendingEnabled: boolean;
  failureReason: string | null;
  failedChecks: number;
  failingSince: number | null;
  nextCheckAt: number | null;
  watchUntil: number;
}

/** Of which others are told. */
export type Change = 'verified' | 'failed' | 'regressed';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Between checks of a domain that is not verified, and how long they go on. */
export const PENDING_EVERY_MS = 15 * MINUTE_MS;
export const PENDING_FOR_MS = 72 * HOUR_MS;
/** Between checks of one that is. */
export const VERIFIED_EVERY_MS = 6 * HOUR_MS;
/** A verified domain stops sending after so many failed checks in a row, over so long a time. */
const FAILED_CHECKS = 3;
const FAILING_FOR_MS = 24 * HOUR_MS;

/** `byHand`: a caller asked for the check. */
export function nextState(
  before: CheckedState,
  finding: Finding,
  { byHand, nowMs }: { byHand: boolean; nowMs: number },
): { state: CheckedState; change: Change | null } {
  if (finding.outcome === 'verified') return whenVerified(before, nowMs);
  if (before.status === 'verified') return whenLost(before, finding, nowMs);
  // A caller who looks again wants it: the checks go on for as long as after the beginning.
  const watchUntil = byHand ? nowMs + PENDING_FOR_MS : before.watchUntil;
  const isOver = nowMs >= watchUntil;
  const status = isOver ? 'failed' : statusOfUnverified(before.status, finding, byHand);
  return {
    state: {
      ...before,
      status,
      failureReason: finding.reason,
      watchUntil,
      nextCheckAt: isOver ? null : nowMs + PENDING_EVERY_MS,
    },
    change: status === 'failed' && before.status !== 'failed' ? 'failed' : null,
  };
}

/** In the background a domain waits for its records: only the end of the checks makes it fail. */
function statusOfUnverified(before: DkimStatus, { outcome, waits }: Finding, byHand: boolean): DkimStatus {
  if (waits === true) return 'pending';
  if (outcome === 'temporary_failure') return 'temporary_failure';
  if (byHand || before === 'failed') return 'failed';
  return 'pending';
}

function whenVerified(before: CheckedState, nowMs: number): { state: CheckedState; change: Change | null } {
  const state: CheckedState = {
    ...before,
    status: 'verified',
    sendingEnabled: true,
    failureReason: null,
    failedChecks: 0,
    failingSince: null,
    nextCheckAt: nowMs + VERIFIED_EVERY_MS,
  };
  return { state, change: before.status === 'verified' ? null : 'verified' };
}

/** One failed look-up never stops a domain that sends, and a temporary failure says nothing. */
function whenLost(
  before: CheckedState,
  { outcome, reason }: Finding,
  nowMs: number,
): { state: CheckedState; change: Change | null } {
  const nextCheckAt = nowMs + VERIFIED_EVERY_MS;
  if (outcome === 'temporary_failure')
    return { state: { ...before, failureReason: reason, nextCheckAt }, change: null };
  const failedChecks = before.failedChecks + 1;
  const failingSince = before.failingSince ?? nowMs;
  if (failedChecks < FAILED_CHECKS || nowMs - failingSince < FAILING_FOR_MS) {
    return { state: { ...before, failureReason: reason, failedChecks, failingSince, nextCheckAt }, change: null };
  }
  return {
    state: {
      status: 'failed',
      sendingEnabled: false,
      failureReason: reason,
      failedChecks: 0,
      failingSince: null,
      nextCheckAt: nowMs + PENDING_EVERY_MS,
      watchUntil: nowMs + PENDING_FOR_MS,
    },
    change: 'regressed',
  };
}
