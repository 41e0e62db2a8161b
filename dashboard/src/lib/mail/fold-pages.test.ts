import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailWords } from './detail-words.ts';
import { foldPages } from './fold-pages.ts';

const page = (number: number, failed = 0) => ({
  at: `2026-12-01T08:00:0${number}Z`,
  action: 'page_sent',
  details: { page: number, sent: 500 - failed, failed, skipped_unsubscribed: 0 },
});

test('pages of recipients that follow one another are one entry with their sums, and others stay apart', () => {
  const paused = { at: '2026-12-01T08:00:09Z', action: 'paused', details: {} };
  const folded = foldPages([page(4), paused, page(3), page(2, 2), page(1)]);
  assert.deepEqual(
    folded.map(({ action, at }) => [action, at]),
    [
      ['page_sent', '2026-12-01T08:00:04Z'],
      ['paused', '2026-12-01T08:00:09Z'],
      ['page_sent', '2026-12-01T08:00:03Z'],
    ],
  );
  assert.equal(detailWords(folded[0]?.details ?? {}), 'Page 4, 500 to send, 0 not sent, 0 had left');
  assert.equal(detailWords(folded[2]?.details ?? {}), '3 pages, 1,498 to send, 2 not sent, 0 had left');
});
