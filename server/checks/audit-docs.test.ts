import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditDocs } from './audit-docs.ts';
import { plantTree } from './planted-tree.ts';

const CODE = {
  'server/src/features/a/leave.ts': "const of = { action: leaves ? 'member.left' : 'member.removed' };\n",
  'server/src/features/a/leave.test.ts': "const of = { action: 'member.invented' };\n",
  'server/src/features/a/routes.ts': "const of = { action: Type.String({ examples: ['member.shown'] }) };\n",
};

test('docs/audit.md names each action of the code, and needs none of tests and examples', async () => {
  using whole = plantTree({ ...CODE, 'docs/audit.md': '`member.left`, `member.removed`\n' });
  assert.deepEqual(await auditDocs.run(whole), []);
  using part = plantTree({ ...CODE, 'docs/audit.md': '`member.left`\n' });
  assert.deepEqual(await auditDocs.run(part), [
    'docs/audit.md does not name member.removed of server/src/features/a/leave.ts',
  ]);
  using none = plantTree(CODE);
  assert.deepEqual(await auditDocs.run(none), ['docs/audit.md is missing']);
});
