import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBoth } from './start-both.ts';

function rig() {
  const ended: string[] = [];
  const starting = (name: string, started: Promise<string>) => ({
    started,
    end: async (it: string) => void ended.push(`${name} ${it}`),
  });
  return { ended, starting };
}

test('two that start are given, and both go on', async () => {
  const { ended, starting } = rig();
  const both = startBoth(starting('first', Promise.resolve('a')), starting('second', Promise.resolve('b')));
  assert.deepEqual(await both, ['a', 'b']);
  assert.deepEqual(ended, []);
});

test('when one fails, the other is ended, whichever comes first', async () => {
  const failure = new Error('it did not start');
  const { ended, starting } = rig();
  await assert.rejects(
    startBoth(starting('first', Promise.reject(failure)), starting('second', Promise.resolve('b'))),
    failure,
  );
  await assert.rejects(
    startBoth(starting('first', Promise.resolve('a')), starting('second', Promise.reject(failure))),
    failure,
  );
  assert.deepEqual(ended, ['second b', 'first a']);
});
