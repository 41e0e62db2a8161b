import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionNumbers } from './decision-numbers.ts';
import { plantTree } from './planted-tree.ts';

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  using tree = plantTree(files);
  return await decisionNumbers.run(tree);
}

test('refused: two decisions with one number, a title without its number, another name', async () => {
  const problems = await problemsOf({
    'docs/decisions/0001-one.md': '# 0001 One\n',
    'docs/decisions/0001-two.md': '# 0001 Two\n',
    'docs/decisions/0002-three.md': '# 0003 Three\n',
    'docs/decisions/four.md': '# 0004 Four\n',
  });
  assert.deepEqual(problems, [
    'docs/decisions/0001-two.md has the number of docs/decisions/0001-one.md',
    'docs/decisions/0002-three.md begins without its number in the title',
    'docs/decisions/four.md is not called NNNN-title.md',
  ]);
});

test('accepted: numbers that leave a gap', async () => {
  const files = { 'docs/decisions/0001-one.md': '# 0001 One\n', 'docs/decisions/0004-four.md': '# 0004 Four\n' };
  assert.deepEqual(await problemsOf(files), []);
});
