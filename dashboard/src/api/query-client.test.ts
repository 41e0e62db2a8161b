import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFailure } from '../lib/api-error.ts';
import { retryDelayMs, shouldRetryRead } from './query-client.ts';

const answered = (status: number, retryAfter?: string) =>
  readFailure({ message: 'No.' }, { status, requestId: undefined, retryAfter });

test('a read is repeated only when its outcome is unknown or the server is busy', () => {
  assert.equal(shouldRetryRead(0, readFailure(new TypeError('Failed to fetch'), undefined)), true);
  assert.equal(shouldRetryRead(0, answered(503)), true);
  for (const status of [400, 401, 403, 404, 409, 422, 429, 500])
    assert.equal(shouldRetryRead(0, answered(status)), false);
  assert.equal(shouldRetryRead(3, answered(503)), false);
});

test('the wait before a repetition is the one that the server names', () => {
  assert.equal(retryDelayMs(0, answered(503, '7')), 7000);
  assert.deepEqual(
    [0, 1, 2].map((failures) => retryDelayMs(failures, answered(503))),
    [1000, 2000, 4000],
  );
});
