import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { type Aim, receiveFile } from './receive-file.ts';

test('one workspace that sends slowly leaves places to others, and all of them together have a bound', async () => {
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
  const send = (workspaceId: string): Promise<unknown> =>
    receiveFile({ db, workspaceId } as unknown as Ctx, noPieces(), {} as Aim).catch((error: unknown) => error);
  const slow = Array.from({ length: 4 }, () => send('slow'));
  const refused = await send('slow');
  assert.match(String(refused), /Other files are arriving/);
  assert.ok(refused instanceof AppError && refused.extras.expected === true, 'no line in the log for each');
  assert.equal(begun, 4);
  const others = Array.from({ length: 4 }, () => send('other'));
  assert.equal(begun, 8);
  assert.match(String(await send('third')), /Other files are arriving/);
  assert.equal(begun, 8);
  stopped.reject(new Error('the sender is gone'));
  for (const one of await Promise.all([...slow, ...others])) assert.match(String(one), /the sender is gone/);
  assert.match(String(await send('slow')), /the sender is gone/);
});
