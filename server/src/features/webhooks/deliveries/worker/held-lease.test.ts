import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldLease, leaseSecondsFor } from './held-lease.ts';

const KEY = { workspaceId: 'w', webhookId: 'h', token: 't' };

test('a lease is 15 s for attempts of ten seconds, and never too short to be renewed each second in between', () => {
  assert.equal(leaseSecondsFor(10), 15);
  for (let attemptSeconds = 1; attemptSeconds <= 10; attemptSeconds += 1) {
    const held = new HeldLease(KEY, 0, leaseSecondsFor(attemptSeconds));
    assert.ok(held.hasTimeFor(attemptSeconds * 1_000, 1_400), `${attemptSeconds} s`);
  }
});

test('nothing begins that could outlast the lease; a renewal counts from when it was asked for', () => {
  const held = new HeldLease(KEY, 100, 3);
  assert.equal(held.hasTimeFor(1_000, 1_600), true);
  assert.equal(held.hasTimeFor(1_000, 1_601), false);
  held.renewed(1_000);
  assert.equal(held.hasTimeFor(1_000, 2_500), true);
  assert.equal(held.hasTimeFor(1_000, 2_501), false);
});
