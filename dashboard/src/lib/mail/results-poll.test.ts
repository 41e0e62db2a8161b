import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPollMs, resultsPollMs } from './results-poll.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();
const SENT = {
  status: 'sent' as const,
  scheduled_for: null,
  updated_at: ago(90_000),
  stats: { pending: 0 },
};

test('an issue is read every two seconds while emails leave, and a cancelled one whose last emails leave', () => {
  for (const status of ['sending', 'cancelled'] as const) {
    assert.equal(resultsPollMs({ ...SENT, status, sent_at: null, stats: { pending: 3 } }, NOW), 2_000);
  }
  assert.equal(resultsPollMs(undefined, NOW), 2_000);
});

test('results are read often after the sending and slower later, a hundred times in an hour', () => {
  const at = (seconds: number) => resultsPollMs({ ...SENT, sent_at: ago(seconds) }, NOW);
  assert.deepEqual([0, 60, 300, 600, 1_800, 86_400].map(at), [2_000, 2_000, 10_000, 20_000, 60_000, 60_000]);
  let [readings, seconds] = [0, 0];
  for (; seconds < 3_600; seconds += at(seconds) / 1_000) readings += 1;
  assert.ok(readings > 90 && readings <= 180, String(readings));
});

test('a scheduled issue is read more often as its time comes, and a draft of yesterday once a minute', () => {
  const scheduled = (seconds: number) =>
    resultsPollMs({ ...SENT, status: 'scheduled', sent_at: null, scheduled_for: ago(-seconds) }, NOW);
  assert.deepEqual([86_400, 600, 30].map(scheduled), [60_000, 20_000, 2_000]);
  assert.equal(resultsPollMs({ ...SENT, status: 'draft', sent_at: null }, NOW), 60_000);
});

test('lists beside the results are read at most every five seconds', () => {
  assert.equal(listPollMs({ ...SENT, sent_at: ago(1) }, NOW), 5_000);
  assert.equal(listPollMs({ ...SENT, sent_at: ago(600) }, NOW), 20_000);
});
