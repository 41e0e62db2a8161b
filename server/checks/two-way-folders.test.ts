import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantTree } from './planted-tree.ts';
import { judgeFolders } from './two-way-folders.ts';

const FEATURE = 'server/src/features/outbox';

function problemsOf(files: Record<string, string>, known: readonly string[] = []): string[] {
  using tree = plantTree(files);
  return judgeFolders(tree.server, known);
}

const TWO_WAYS = {
  [`${FEATURE}/bulk/send.ts`]: "import { pause } from '../pause/pause.ts';\n",
  [`${FEATURE}/pause/pause.ts`]: "import type {\n  Send,\n} from '../bulk/send.ts';\n",
};

test('refused: two folders of a feature that import each other, also for a type alone', () => {
  assert.deepEqual(problemsOf(TWO_WAYS), [
    'outbox: bulk ↔ pause import each other: outbox/bulk/send.ts and outbox/pause/pause.ts',
  ]);
});

test('refused: an exception that is needed no more', () => {
  assert.deepEqual(problemsOf(TWO_WAYS, ['outbox: bulk ↔ pause']), []);
  const [problem] = problemsOf({}, ['outbox: bulk ↔ pause']);
  assert.match(problem ?? '', /lists "outbox: bulk ↔ pause", which is no more/);
});

test('accepted: one way, a folder and the one above it, tests', () => {
  const files = {
    [`${FEATURE}/routes.ts`]: "import './bulk/send.ts';\nimport { send } from './bulk/send.ts';\n",
    [`${FEATURE}/bulk/send.ts`]: "import { row } from '../row.ts';\nimport { pause } from '../pause/pause.ts';\n",
    [`${FEATURE}/pause/pause.ts`]: "import { row } from '../row.ts';\n",
    [`${FEATURE}/pause/pause.test.ts`]: "import { send } from '../bulk/send.ts';\n",
    [`${FEATURE}/row.ts`]: 'export const row = 1;\n',
  };
  assert.deepEqual(problemsOf(files), []);
});
