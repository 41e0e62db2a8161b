import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCheckPlaces } from './check-places.ts';

const refused = { name: 'rate_limit_error' };

test('a workspace has five checks under way, and others have theirs', async () => {
  const places = createCheckPlaces();
  const { promise: end, resolve } = Promise.withResolvers<string>();
  const five = Array.from({ length: 5 }, () => places.within('crowd', () => end));
  let begun = 0;
  const begin = async () => (begun += 1);
  await assert.rejects(places.within('crowd', begin), refused);
  assert.equal(begun, 0);
  assert.equal(await places.within('other', begin), 1);
  resolve('done');
  assert.deepEqual(new Set(await Promise.all(five)), new Set(['done']));
  assert.equal(await places.within('crowd', begin), 2);
});

test('a process has forty, and a check that fails gives its place back', async () => {
  const places = createCheckPlaces();
  const { promise: end, reject } = Promise.withResolvers<never>();
  const forty = Array.from({ length: 40 }, (_, n) => places.within(`w${n % 8}`, () => end));
  await assert.rejects(
    places.within('other', async () => 1),
    refused,
  );
  reject(new Error('no'));
  assert.ok((await Promise.allSettled(forty)).every(({ status }) => status === 'rejected'));
  assert.equal(await places.within('w0', async () => 1), 1);
});
