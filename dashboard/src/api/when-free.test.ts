import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../lib/api-error.ts';
import { whenFree } from './when-free.ts';

const busy = new ApiError('answer', 503, 'Others are being read.', { retryAfter: 0.02 });

/** Fails with each of these, and then answers. */
const failing = (...errors: unknown[]) => {
  const left = [...errors];
  const asked = { count: 0 };
  const ask = async (): Promise<string> => {
    asked.count += 1;
    if (left.length > 0) throw left.shift();
    return 'here';
  };
  return { ask, asked };
};

test('a busy server is asked again after the time that it names', async () => {
  const { ask, asked } = failing(busy, busy);
  assert.equal(await whenFree(ask), 'here');
  assert.equal(asked.count, 3);
});

test('a server that stays busy is asked six times', async () => {
  const { ask, asked } = failing(...Array.from({ length: 9 }, () => busy));
  await assert.rejects(whenFree(ask), busy);
  assert.equal(asked.count, 6);
});

test('a server is not asked again when the end was asked for during the wait', async () => {
  const ending = new AbortController();
  const { ask, asked } = failing(busy);
  const answer = whenFree(ask, ending.signal);
  setImmediate(() => ending.abort());
  await assert.rejects(answer, busy);
  assert.equal(asked.count, 1);
});

test('other failures are told at once, as is a 503 that names no time and one after the end was asked for', async () => {
  const ended = AbortSignal.abort();
  const nameless = new ApiError('unreadable', 503, 'A proxy.');
  for (const [error, signal] of [
    [nameless, undefined],
    [new ApiError('answer', 422, 'No.'), undefined],
    [new Error('broken'), undefined],
    [busy, ended],
  ] as const) {
    const { ask, asked } = failing(error);
    await assert.rejects(whenFree(ask, signal), error);
    assert.equal(asked.count, 1);
  }
});
