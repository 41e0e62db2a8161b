import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layers } from './layers.ts';
import { plantTree } from './planted-tree.ts';

test('a folder that no import rule knows is refused', async () => {
  using tree = plantTree({
    'server/src/features/emails/index.ts': '',
    'server/src/features/faxes/index.ts': '',
    'server/src/core/engine.ts': '',
    'server/src/start.ts': '',
  });
  const problems = (await layers.run(tree)).join('\n');
  assert.match(problems, /^server\/src\/features\/faxes has no place in the order/m);
  assert.match(problems, /^server\/src\/core is none of/m);
  assert.match(problems, /^server\/src\/start\.ts is none of/m);
  assert.doesNotMatch(problems, /emails|\/main/);
});
