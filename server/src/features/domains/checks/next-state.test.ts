import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DkimStatus } from '../domain.ts';
import {
  type Change,
  type CheckedState,
  findingOf,
  findingOfVerified,
  nextState,
  type Outcome,
  PENDING_EVERY_MS,
  PENDING_FOR_MS,
  VERIFIED_EVERY_MS,
} from './next-state.ts';

const HOUR_MS = 3_600_000;
const NOW = 1_000 * HOUR_MS;

const aState = (status: DkimStatus, more: Partial<CheckedState> = {}): CheckedState => ({
  status,
  sendingEnabled: status === 'verified',
  failureReason: null,
  failedChecks: 0,
  failingSince: null,
  nextCheckAt: NOW,
  watchUntil: NOW + HOUR_MS,
  ...more,
});
const find = (outcome: Outcome) => ({ outcome, reason: outcome === 'verified' ? null : 'why' });

type Row = [from: DkimStatus, outcome: Outcome, byHand: boolean, to: DkimStatus, change: Change | null];
/** Every move; the first three rows are the contract. */
const moves: Row[] = [
  ['pending', 'verified', true, 'verified', 'verified'],
  ['pending', 'failed', true, 'failed', 'failed'],
  ['pending', 'temporary_failure', true, 'temporary_failure', null],
  ['pending', 'verified', false, 'verified', 'verified'],
  ['pending', 'failed', false, 'pending', null],
  ['pending', 'temporary_failure', false, 'temporary_failure', null],
  ['failed', 'verified', true, 'verified', 'verified'],
  ['failed', 'failed', true, 'failed', null],
  ['failed', 'temporary_failure', true, 'temporary_failure', null],
  ['failed', 'verified', false, 'verified', 'verified'],
  ['failed', 'failed', false, 'failed', null],
  ['failed', 'temporary_failure', false, 'temporary_failure', null],
  ['temporary_failure', 'verified', true, 'verified', 'verified'],
  ['temporary_failure', 'failed', true, 'failed', 'failed'],
  ['temporary_failure', 'temporary_failure', true, 'temporary_failure', null],
  ['temporary_failure', 'verified', false, 'verified', 'verified'],
  ['temporary_failure', 'failed', false, 'pending', null],
  ['temporary_failure', 'temporary_failure', false, 'temporary_failure', null],
  ['verified', 'verified', true, 'verified', null],
  ['verified', 'failed', true, 'verified', null],
  ['verified', 'temporary_failure', true, 'verified', null],
  ['verified', 'verified', false, 'verified', null],
  ['verified', 'failed', false, 'verified', null],
  ['verified', 'temporary_failure', false, 'verified', null],
];
for (const [from, outcome, byHand, to, change] of moves) {
  test(`${from}, ${outcome} ${byHand ? 'by verify' : 'in the background'}: ${to}${change === null ? '' : `, and tells ${change}`}`, () => {
    const next = nextState(aState(from), find(outcome), { byHand, nowMs: NOW });
    assert.equal(next.state.status, to);
    assert.equal(next.change, change);
    assert.equal(next.state.sendingEnabled, to === 'verified');
    assert.equal(next.state.failureReason, find(outcome).reason);
  });
}

test('a domain that waits is checked every 15 minutes until its 72 hours are over, and is failed then', () => {
  const waiting = nextState(aState('pending'), find('failed'), { byHand: false, nowMs: NOW }).state;
  assert.equal(waiting.nextCheckAt, NOW + PENDING_EVERY_MS);
  for (const outcome of ['failed', 'temporary_failure'] as const) {
    const over = nextState(aState('pending', { watchUntil: NOW }), find(outcome), { byHand: false, nowMs: NOW });
    assert.deepEqual([over.state.status, over.state.nextCheckAt, over.change], ['failed', null, 'failed']);
  }
});

test('verify begins the 72 hours anew', () => {
  const { state } = nextState(aState('failed', { watchUntil: 0, nextCheckAt: null }), find('failed'), {
    byHand: true,
    nowMs: NOW,
  });
  assert.deepEqual([state.watchUntil, state.nextCheckAt], [NOW + PENDING_FOR_MS, NOW + PENDING_EVERY_MS]);
});

/** The checks of a verified domain at these hours; the change at each. */
function run(checks: [hour: number, outcome: Outcome][]): (Change | null)[] {
  let state = aState('verified');
  return checks.map(([hour, outcome]) => {
    const next = nextState(state, find(outcome), { byHand: false, nowMs: NOW + hour * HOUR_MS });
    state = next.state;
    return next.change;
  });
}

test('a verified domain is checked every six hours', () => {
  const { state } = nextState(aState('verified'), find('verified'), { byHand: false, nowMs: NOW });
  assert.equal(state.nextCheckAt, NOW + VERIFIED_EVERY_MS);
});

test('three failed checks in a row over 24 hours stop it, and no sooner', () => {
  const failed = 'failed';
  assert.deepEqual(
    run([
      [0, failed],
      [1, failed],
      [2, failed],
      [23, failed],
    ]),
    [null, null, null, null],
  );
  assert.deepEqual(
    run([
      [0, failed],
      [24, failed],
    ]),
    [null, null],
  );
  assert.deepEqual(
    run([
      [0, failed],
      [12, failed],
      [24, failed],
    ]),
    [null, null, 'regressed'],
  );
});

test('one good check begins the count anew, and a temporary failure neither counts nor ends it', () => {
  const failed = 'failed';
  assert.deepEqual(
    run([
      [0, failed],
      [12, failed],
      [18, 'verified'],
      [24, failed],
      [30, failed],
    ]),
    [null, null, null, null, null],
  );
  assert.deepEqual(
    run([
      [0, failed],
      [12, 'temporary_failure'],
      [24, 'temporary_failure'],
      [30, 'temporary_failure'],
    ]),
    [null, null, null, null],
  );
  assert.deepEqual(
    run([
      [0, failed],
      [12, 'temporary_failure'],
      [18, failed],
      [24, failed],
    ]),
    [null, null, null, 'regressed'],
  );
});

test('a domain that was stopped does not send, and is looked for again for 72 hours', () => {
  const failing = aState('verified', { failedChecks: 2, failingSince: NOW - 24 * HOUR_MS });
  const { state } = nextState(failing, find('failed'), { byHand: false, nowMs: NOW });
  assert.deepEqual(state, {
    status: 'failed',
    sendingEnabled: false,
    failureReason: 'why',
    failedChecks: 0,
    failingSince: null,
    nextCheckAt: NOW + PENDING_EVERY_MS,
    watchUntil: NOW + PENDING_FOR_MS,
  });
});

const record = (key: string, required: boolean, purpose: 'dkim' | 'spf' | 'mx' = 'dkim') => ({
  key,
  required,
  purpose,
  type: 'TXT' as const,
  name: key,
  value: '',
  priority: null,
  ttl: 1,
});
const seen = (key: string, status: 'found' | 'missing' | 'temporary_failure') => ({
  key,
  status,
  found: [],
  hint: `${key} is ${status}`,
  publish: null,
});

test('the required records decide: doubt about one is no failure, and records that are not required say nothing', () => {
  const wanted = [record('dkim', true), record('spf', true, 'spf'), record('mx', false, 'mx')];
  const found = (...states: ReturnType<typeof seen>[]) => findingOf(wanted, states);
  assert.deepEqual(found(seen('dkim', 'found'), seen('spf', 'found'), seen('mx', 'missing')), {
    outcome: 'verified',
    reason: null,
  });
  assert.deepEqual(found(seen('dkim', 'missing'), seen('spf', 'missing'), seen('mx', 'found')), {
    outcome: 'failed',
    reason: 'dkim is missing spf is missing',
  });
  assert.equal(found(seen('dkim', 'missing'), seen('spf', 'temporary_failure')).outcome, 'temporary_failure');
});

test('a verified domain needs its DKIM record alone', () => {
  const wanted = [record('dkim', true), record('spf', true, 'spf')];
  assert.equal(findingOfVerified(wanted, [seen('dkim', 'found'), seen('spf', 'missing')]).outcome, 'verified');
  assert.equal(findingOfVerified(wanted, [seen('dkim', 'missing'), seen('spf', 'found')]).outcome, 'failed');
});
