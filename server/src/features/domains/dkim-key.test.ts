import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDkimKeyPair } from './dkim-key.ts';

test('keys are made in the order of the callers, and a caller whom no queue of twenty has room for is told to come back', async () => {
  const turns: number[] = [];
  const useless = new Error('of no use any more');
  const asked = Array.from({ length: 20 }, (_, index) =>
    makeDkimKeyPair(async () => {
      turns.push(index);
      throw useless;
    }),
  );
  await assert.rejects(makeDkimKeyPair(), { name: 'service_unavailable_error', extras: { retryAfterSeconds: 5 } });
  const ended = await Promise.allSettled(asked);
  assert.ok(ended.every((one) => one.status === 'rejected' && one.reason === useless));
  assert.deepEqual(turns, [...turns.keys()]);
  assert.ok((await makeDkimKeyPair()).publicKey.length > 300);
});
