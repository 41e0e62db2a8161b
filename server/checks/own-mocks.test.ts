import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownMocks } from './own-mocks.ts';
import { plantTree } from './planted-tree.ts';

async function problemsOf(text: string): Promise<string> {
  using tree = plantTree({ 'server/src/main/words.test.ts': text });
  return (await ownMocks.run(tree)).join('\n');
}

// In two parts: this file is looked at, too.
for (const call of ['restoreAll', 'reset']) {
  test(`refused: ${call}() of the mocks of all files`, async () => {
    assert.match(
      await problemsOf(`afterEach(() => mock.${call}());`),
      /words\.test\.ts restores the mocks of all files/,
    );
  });
}

test('accepted: the mocks of one test, and one mock', async () => {
  assert.equal(await problemsOf('t.mock.restoreAll(); fetched.mock.restore();'), '');
});
