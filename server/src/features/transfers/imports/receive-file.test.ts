import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { until } from '../../../../test/harness/until.ts';
import { type Aim, receiveFile } from './receive-file.ts';

test('eight files arrive at once, four of one workspace; a third workspace gets its place at once', async () => {
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  let begun = 0;
  // Every statement of an upload that got a place waits until the test stops it.
  const db = {
    getExecutor: () => ({
      transformQuery: (node: unknown) => node,
      compileQuery: (node: unknown) => node,
      executeQuery: () => {
        begun += 1;
        return stopped.promise;
      },
    }),
  };
  async function* noPieces(): AsyncGenerator<Buffer> {
    yield* [];
  }
  const clock = createTestClock({ held: true });
  const stops: string[] = [];
  const send = (workspaceId: string): Promise<unknown> => {
    const upload = {
      stop: () => void stops.push(workspaceId),
      isGone: () => false,
      progress: () => ({ bytes: 0, waitedMs: 0 }),
    };
    const ctx = { db, workspaceId, clock } as unknown as Ctx; // the parts of it that are used
    return receiveFile(ctx, { pieces: noPieces(), upload }, {} as Aim).catch((error: unknown) => error);
  };
  const slow = Array.from({ length: 4 }, () => send('slow'));
  const refused = await send('slow');
  assert.match(String(refused), /Other files are arriving/);
  assert.ok(refused instanceof AppError && refused.extras.expected === true, 'no line in the log for each');
  assert.equal(begun, 4);
  const others = Array.from({ length: 4 }, () => send('other'));
  const third = send('third');
  await until('a statement of the third', async () => (begun === 9 ? true : undefined));
  assert.deepEqual(stops, ['other'], 'the youngest of a workspace with the most places');
  stopped.reject(new Error('the sender is gone'));
  for (const one of await Promise.all([...slow, ...others, third])) assert.match(String(one), /the sender is gone/);
  assert.match(String(await send('slow')), /the sender is gone/);
});
