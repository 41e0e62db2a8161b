import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jobStatusOf, progressOf } from './progress.ts';

const STORED = [
  'pending',
  'queued',
  'deferred',
  'sending',
  'unconfirmed',
  'sent',
  'delivery_delayed',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'cancelled',
];

test('total = queued + sent + failed + suppressed + cancelled, whatever the states are', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...STORED), fc.nat({ max: 1_000 })), (counts) => {
      const { total, queued, sent, failed, suppressed, cancelled, percent } = progressOf(counts);
      assert.equal(total, queued + sent + failed + suppressed + cancelled);
      assert.ok(percent >= 0 && percent <= 100);
      assert.equal(percent === 100, queued === 0, '100 means that nothing is left');
    }),
  );
});

test('delivered includes complained, as in the statistics of an issue', () => {
  const { delivered, complained, sent } = progressOf({ sent: 1, delivered: 2, complained: 3 });
  assert.deepEqual({ delivered, complained, sent }, { delivered: 5, complained: 3, sent: 6 });
});

test('a job has a status in every combination of states', () => {
  const status = (
    counts: Record<string, number>,
    facts: Parameters<typeof jobStatusOf>[1] = { cancelled: false, started: false },
  ) => jobStatusOf(progressOf(counts), facts);
  assert.equal(status({ queued: 3 }), 'queued');
  assert.equal(status({ queued: 3, suppressed: 1 }), 'queued');
  assert.equal(status({ queued: 3, sent: 1 }), 'processing');
  assert.equal(status({ deferred: 1 }, { cancelled: false, started: true }), 'processing');
  assert.equal(status({ unconfirmed: 1, delivered: 5 }), 'processing');
  assert.equal(status({ sent: 1, delivered: 2, bounced: 1 }), 'completed');
  assert.equal(status({ delivered: 2, suppressed: 1 }), 'completed');
  assert.equal(status({ delivered: 2, failed: 1 }), 'completed_with_errors');
  assert.equal(status({ failed: 1, suppressed: 1 }), 'failed');
  assert.equal(status({ suppressed: 2 }), 'suppressed');
  assert.equal(status({ pending: 1, sent: 1 }, { cancelled: false, started: true, paused: true }), 'paused');
  assert.equal(status({ sent: 1 }, { cancelled: false, started: true, paused: true }), 'completed');
  assert.equal(status({ pending: 1 }, { cancelled: true, started: true, paused: true }), 'cancelled');
  assert.equal(status({ cancelled: 2, sent: 1 }, { cancelled: true, started: true }), 'cancelled');
  assert.equal(status({ unconfirmed: 1, sent: 1 }, { cancelled: true, started: true }), 'cancelled');
});

test('a job that was cancelled when all of it had left is what its emails are', () => {
  const late = (counts: Record<string, number>) => jobStatusOf(progressOf(counts), { cancelled: true, started: true });
  assert.equal(late({ sent: 1, delivered: 1 }), 'completed');
  assert.equal(late({ failed: 1 }), 'failed');
  assert.equal(late({ suppressed: 1 }), 'suppressed');
});
